"""Tag by senna, for scripts/compare_taggers.py: MODE FILE OUTPUT, where files are JSON.

raw: texts become sentences of words. words: sentences of words become (tag, universal tag, lemma,
head, relation) of each word. names: they become lists of (start, end, label). Other modes tag
texts for the clock. The other programs here do the same.
"""

import json
import sys

import senna
from senna.annotation.schemes import phrases_of

mode, source, target = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    texts = json.load(file)
tasks = {
    "raw": "pos",
    "names": "ner",
    "tags and names": "pos,ner",
    "universal tags and lemmas": "upos,lemma",
}
nlp = senna.load(tasks.get(mode, "pos,upos,lemma,feats,dep"), memory=False)
if mode == "raw":
    found = [[[token.text for token in one] for one in nlp(text)] for text in texts]
elif mode == "names":
    found = [phrases_of(tags, "iobes") for tags in nlp.tag(texts)["ner"]]
elif mode == "words":
    found = [
        [(t.pos, t.upos, t.lemma, t.head.index + 1 if t.head else 0, t.deprel) for t in one]
        for one in nlp(texts)
    ]
else:
    found = [len(doc.tokens) for doc in nlp.pipe(texts)]
with open(target, "w", encoding="utf-8") as file:
    json.dump(found, file)
