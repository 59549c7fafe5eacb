"""Tag by a model of spaCy: MODE FILE OUTPUT MODEL (see senna_tagger.py)."""

import importlib
import json
import sys
from pathlib import Path

import spacy
from spacy.tokens import Doc

MISC = ("NORP", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE")
TYPES = {"PERSON": "PER", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "ORG": "ORG"}
TYPES |= dict.fromkeys(MISC, "MISC")
AROUND = ("the", "a", "an", "'s", "’s", "'", "’")  # no part of names in other corpora


def names_of(doc):
    """The names of the four types, without articles and possessive endings around them."""
    for span in doc.ents:
        start, end = span.start, span.end
        while start < end and doc[start].lower_ in AROUND[:3]:
            start += 1
        while start < end and doc[end - 1].text in AROUND[3:]:
            end -= 1
        if start < end and span.label_ in TYPES:
            yield start, end, TYPES[span.label_]


mode, source, target, model = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    texts = json.load(file)
unused = {  # universal tags and lemmas need the tree
    "raw": ["tagger", "ner", "attribute_ruler", "lemmatizer"],
    "names": ["tagger", "parser", "attribute_ruler", "lemmatizer"],
    "tags and names": ["parser", "attribute_ruler", "lemmatizer"],
}
package = Path(importlib.import_module(model).__file__).parent
settings = next(package.rglob("config.cfg"))  # in the folder of the model
nlp = spacy.load(settings.parent, exclude=unused.get(mode, ["ner"]))
if mode in ("words", "names"):
    texts = [Doc(nlp.vocab, words=words) for words in texts]
docs = nlp.pipe(texts)
if mode == "raw":
    found = [[[t.text for t in one if not t.is_space] for one in doc.sents] for doc in docs]
elif mode == "names":
    found = [list(names_of(doc)) for doc in docs]
elif mode == "words":
    found = [[(t.tag_, t.pos_, t.lemma_, 0, "") for t in doc] for doc in docs]
else:
    found = [len(doc) for doc in docs]
with open(target, "w", encoding="utf-8") as file:
    json.dump(found, file)
