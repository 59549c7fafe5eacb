"""A document that is tagged by hand."""

from senna.annotation.predicates import Predicate
from senna.annotation.trees import numbered
from senna.document.document import Document
from senna.formats.brackets import read_trees
from senna.kinds.answer import Annotation
from senna.text.tokens import Tokens

TREES = (
    "(TOP (X (RB So) (NNP Ada) (NNP Lovelace) (VBD met) (NP (NNP Mr.) (NNP Babbage)) (. .)))",
    "(TOP (S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN sea))) (. .)))",
)


def rows_of(text: str, *sentences: str) -> list[Tokens]:
    """The tokens of sentences, words separated by spaces, where they stand in the text."""
    rows, place = [], 0
    for sentence in sentences:
        rows.append([])
        for word in sentence.split():
            place = text.index(word, place)
            rows[-1].append((word, place, place + len(word)))
            place += len(word)
    return [*map(Tokens.of, rows)]


def made() -> Document:
    """A document of two sentences, tagged by hand."""
    text = "So Ada Lovelace  met Mr. Babbage. She saw the sea."
    rows = rows_of(text, "So Ada Lovelace met Mr. Babbage .", "She saw the sea .")
    found: Annotation = {
        "pos": ["RB NNP NNP VBD NNP NNP .".split(), "PRP VBD DT NN .".split()],
        "ner": ["O B-PER E-PER O O S-PER O".split(), ["O"] * 5],
        "srl": [
            [Predicate(3, "S-AM-DIS B-A0 E-A0 S-V B-A1 E-A1 O".split())],
            [Predicate(1, "S-A0 S-V S-A1 S-C-A1 O".split())],
        ],
        "psg": [numbered(next(read_trees(tree, ""))) for tree in TREES],
    }
    return Document(text, rows, found)
