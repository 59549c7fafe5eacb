"""Dependents, subtrees and noun phrases of dependency trees, and rules of their treebanks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from senna.annotation.dependencies import (
    UNIT,
    Arc,
    Change,
    conflict,
    dependents,
    fits,
    may_have,
    noun_chunks,
    part_of,
    subtree,
    with_punctuation,
)
from senna.decoding.best_trees import are_trees

UPOS = {"N": "NOUN", "P": "PRON", "R": "PROPN", "V": "VERB", "A": "ADJ", "X": "X"}


def arcs_of(text: str) -> tuple[list[str], list[Arc], list[str]]:
    """Words, arcs and parts of speech of cells such as `dog/N/3:nsubj`."""
    cells = [cell.split("/") for cell in text.split()]
    arcs = [Arc(int(arc.split(":", 1)[0]), arc.split(":", 1)[1]) for _, _, arc in cells]
    return [word for word, *_ in cells], arcs, [UPOS[letter] for _, letter, _ in cells]


@pytest.mark.parametrize(
    ("sentence", "chunks"),
    [
        ("", []),
        ("the/X/2:det dog/N/3:nsubj barked/V/0:root", ["the dog"]),
        ("all/X/4:det:predet the/X/4:det old/A/4:amod dogs/N/0:root", ["all the old dogs"]),
        # A preposition, a clause and a following phrase are no parts of it.
        ("in/X/3:case the/X/3:det house/N/0:root of/X/5:case tin/N/3:nmod", ["the house", "tin"]),
        ("she/P/5:nsubj is/X/5:cop really/X/5:advmod a/X/5:det cook/N/0:root", ["she", "a cook"]),
        ("Marie/R/3:nsubj Curie/R/1:flat came/V/0:root", ["Marie Curie"]),
        ("Anna/R/3:nmod:poss 's/X/1:case house/N/0:root", ["Anna 's house"]),
        ("his/P/4:nmod:poss tea/N/3:compound pot/N/4:compound lid/N/0:root", ["his tea pot lid"]),
        ("big/A/3:amod ,/X/3:punct cats/N/0:root", ["big , cats"]),
        ("``/X/2:punct cats/N/0:root", ["cats"]),
        ("there/P/2:expl is/V/0:root tea/N/2:nsubj", ["tea"]),
        ("tea/N/0:root and/X/3:cc milk/N/1:conj", ["tea", "milk"]),
        # What is not beside the noun belongs to another phrase.
        ("old/A/3:amod saw/V/0:root men/N/2:obj", ["men"]),
    ],
)  # fmt: skip
def test_noun_chunks(sentence, chunks):
    words, arcs, upos = arcs_of(sentence)
    found = [" ".join(words[start:end]) for start, end, _ in noun_chunks(arcs, upos)]
    assert found == chunks


@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_subtrees_and_chunks_of_random_trees(random, n):
    order = random.sample(range(n), n)
    heads = [0] * n
    for i, word in enumerate(order[1:], start=1):
        heads[word] = random.choice(order[:i]) + 1
    arcs = [Arc(head, random.choice(["det", "amod", "nsubj", "flat"])) for head in heads]
    below = dependents(arcs)
    assert sorted(child for row in below for child in row) == sorted(set(range(n)) - {order[0]})
    for word in range(n):
        expected = {word}
        for other in order:  # heads first
            if heads[other] - 1 in expected:
                expected.add(other)
        assert subtree(below, word) == sorted(expected)
    phrases = noun_chunks(arcs, random.choices(["NOUN", "VERB"], k=n))
    assert all(a.end <= b.end and a.start <= b.start for a, b in pairwise(phrases))


def own_heads(arcs: list[Arc]) -> NDArray[np.float64]:
    """Scores of heads, (n, n + 1), of which those of a tree are the best, whatever units add."""
    scores = np.zeros((len(arcs), len(arcs) + 1))
    scores[np.arange(len(arcs)), [arc.head for arc in arcs]] = 2 * UNIT
    return scores


def punctuated(text: str, heads: str, relations: str) -> list[int]:
    arcs = [Arc(int(h), r) for h, r in zip(heads.split(), relations.split(), strict=True)]
    new = with_punctuation(text.split(), arcs, own_heads(arcs))
    assert [arc.relation for arc in new] == relations.split()
    return [arc.head for arc in new]


def test_signs_of_a_pair_have_the_head_of_what_they_enclose():
    relations = "nsubj root punct case obl punct punct"
    assert punctuated("He said ( in Leeds ) .", "2 0 2 5 2 2 2", relations) == [2, 0, 5, 5, 2, 5, 2]
    relations = "nsubj root punct nsubj cop ccomp punct punct"
    heads = punctuated('He said " all is well " .', "2 0 2 6 6 2 4 2", relations)
    assert heads == [2, 0, 6, 6, 6, 2, 6, 2]


def test_a_sign_that_would_cross_an_arc_is_attached_to_a_neighbour():
    # The comma under *slept* crosses the arc from *saw* to *dog*.
    relations = "nsubj root det obj punct nsubj conj"
    heads = punctuated("Ann saw the dog , she slept", "2 0 4 2 4 7 2", relations)
    assert heads[4] == 4  # it crosses nothing: it stays
    relations = "det nsubj punct root punct nsubj ccomp punct"
    heads = punctuated("The man , said , he left .", "2 4 1 0 4 7 4 4", relations)
    assert heads[2] == 2


def test_of_heads_whose_arcs_cross_nothing_the_best_is_taken_and_units_are_favoured():
    relations = "nsubj root det obj punct nsubj conj punct".split()
    words = "Ann saw the dog , she slept .".split()
    arcs = [Arc(h, r) for h, r in zip([2, 0, 4, 2, 2, 7, 2, 2], relations, strict=True)]
    scores = own_heads(arcs)
    scores[4] = [0, 9, 1, 0, 1, 0, 0, 0.5, 0]  # *Ann* scores most, but that arc crosses
    new = with_punctuation(words, arcs, scores)
    assert new[4] == Arc(7, "punct")  # the clause that begins at the comma: 0.5 and `UNIT`
    scores[4, 2] = 2
    assert with_punctuation(words, arcs, scores)[4] == Arc(2, "punct")


def test_what_is_right_stays():
    relations = "nsubj punct appos punct root punct"
    assert punctuated("Ann , Bo , left .", "5 3 1 3 0 5", relations) == [5, 3, 1, 3, 0, 5]
    assert punctuated("Ann left", "2 0", "nsubj root") == [2, 0]
    assert punctuated("...", "0", "root") == [0]
    assert punctuated(") (", "2 0", "punct root") == [2, 0]


def test_a_sign_with_dependents_stays_where_it_is():
    # *left* hangs on the sign that opens the pair: under *left* the sign would close a circle.
    relations = "root punct dep punct"
    assert punctuated('He " left "', "0 1 2 1", relations) == [0, 1, 2, 1]


@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_a_tree_remains_a_tree(random, n):
    order = random.sample(range(1, n + 1), n)
    heads = {word: random.choice(order[:i]) if i else 0 for i, word in enumerate(order)}
    arcs = [Arc(heads[i], random.choice(["punct", "dep"])) for i in range(1, n + 1)]
    forms = [random.choice(['"', "(", ")", ",", "he"]) for _ in arcs]
    new = with_punctuation(forms, arcs, own_heads(arcs))
    words = np.array([[arc.head for arc in new]])
    assert are_trees(words, np.array([n])).all()
    assert [arc.relation for arc in new] == [arc.relation for arc in arcs]


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
