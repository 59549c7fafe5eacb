"""The pairs of words and contexts that vectors are learnt from."""

from dependency_contexts import pairs

import senna


def test_prepositions_are_part_of_the_relation():
    document = senna.Document.of(
        [["She", "saw", "stars", "with", "glasses", "."]],
        head=[[2, 0, 2, 5, 2, 2]],
        deprel=[["nsubj", "root", "obj", "case", "obl", "punct"]],
    )
    assert list(pairs(document.sentences[0])) == [
        ("saw", "she/nsubj"),
        ("she", "saw/nsubj-of"),
        ("saw", "stars/obj"),
        ("stars", "saw/obj-of"),
        ("saw", "glasses/obl:with"),
        ("glasses", "saw/obl:with-of"),
    ]
