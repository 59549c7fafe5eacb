"""Rules of Universal Dependencies: what parts of speech and trees may have."""

import pytest

from senna.annotation.dependencies import Arc, Change, conflict, fits, may_have, part_of


@pytest.mark.parametrize(
    ("relation", "part", "fit"),
    [
        ("det", "DET", True),
        ("det:predet", "ADV", False),
        ("mark", "PRON", False),
        ("mark", "SCONJ", True),
        ("cop", "VERB", False),
        ("punct", "SYM", False),
        ("nsubj", "PUNCT", False),
        ("root", "PUNCT", True),
        ("aux", "", True),  # a part of speech that is not known
    ],
)
def test_relations_fit_parts_of_speech(relation, part, fit):
    assert fits(relation, part) is fit


def test_features_fit_parts_of_speech():
    assert may_have("Mood=Ind|Tense=Past|VerbForm=Fin", "VERB")
    assert not may_have("Number=Sing|Tense=Past", "NOUN")
    assert may_have("_", "PUNCT") and may_have("Abbr=Yes|Typo=Yes", "X")


def test_a_phrase_has_another_part_of_speech_than_its_first_word():
    assert part_of("ADP", "Degree=Pos|ExtPos=ADV|Typo=Yes") == "ADV"
    assert part_of("ADP", "_") == "ADP"


def tree(heads: str, relations: str) -> list[Arc]:
    return [Arc(int(h), r) for h, r in zip(heads.split(), relations.split(), strict=True)]


def test_function_words_have_no_dependents_but_some():
    # He was not here .
    arcs = tree("2 4 2 0 4", "nsubj cop advmod root punct")
    assert conflict(arcs, [False] * 5)[0] == [Change(0, 2), Change(2, 2)]
    dependents, function = conflict(arcs, [False, False, True, False, False])
    assert dependents == [Change(0, 2)]
    assert (function[0].word, function[0].head) == (1, None) and "cop" in function[0].relations
    assert conflict(tree("4 4 2 0 4", "nsubj cop conj root punct"), [False] * 5) == []


def test_one_subject_and_one_object():
    once = frozenset({"nsubj", "csubj"})
    arcs = tree("3 3 0", "nsubj csubj:pass root")
    assert conflict(arcs, [False] * 3) == [[Change(0, 3, once)], [Change(1, 3, once)]]
    assert conflict(tree("3 3 0", "nsubj:outer nsubj root"), [False] * 3) == []
    assert len(conflict(tree("0 1 1", "root obj obj"), [False] * 3)) == 2
    assert conflict(tree("0 1 1", "root iobj obj"), [False] * 3) == []
