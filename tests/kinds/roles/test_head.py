"""What a predicate sees of a tree; costs of arguments beside it, and of roles of no sense."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import all_tags
from senna.annotation.trees import constituents, leaves_of
from senna.decoding.requests import Asked
from senna.formats.brackets import read_trees
from senna.kinds.roles.head import (
    BEGIN,
    END,
    INSIDE,
    SINGLE,
    STEPS,
    Costs,
    Inventory,
    Pairs,
    bases,
    labels_of,
    sizes,
    view,
)
from senna.pipeline.pipeline import Pipeline
from tests import toys

TREE = (
    "(TOP (S (NP (DT the) (NN man)) (VP (VBZ sees) (NP (DT a) (JJ red) (NN fox)) (ADVP (RB now)))))"
)
TAGS = all_tags(["A0", "A1"])
VERB = 2


def costs(paths: list[list[str]]) -> list[float]:
    """What is taken off the score of each path, for the predicate `VERB`."""
    [tree] = read_trees(TREE, "-")
    n = tree.leaves().__len__()
    views = np.array(view(VERB, constituents(tree), {"NP": 1, "VP": 2, "S": 3, "ADVP": 4}, n))
    zero = np.zeros(1, np.int64)
    pairs = Pairs(zero, zero + VERB, zero, zero + n, views)
    scores = np.zeros((n, len(TAGS)), np.float32)
    Costs(2.0, 6.0, TAGS).take(scores, pairs)
    return [-float(sum(scores[i, TAGS.index(tag)] for i, tag in enumerate(path))) for path in paths]


def test_constituents_beside_the_way_cost_nothing():
    free = [
        ["O"] * 7,
        ["B-A0", "E-A0", "O", "B-A1", "I-A1", "E-A1", "S-A0"],
        ["O", "O", "O", "B-A1", "I-A1", "I-A1", "E-A1"],  # two that hang on the same one
    ]
    assert costs(free) == [0, 0, 0]


def test_ends_inside_a_constituent_cost_each():
    assert costs([["O", "S-A0", "O", "O", "O", "O", "O"]]) == [2]
    assert costs([["O", "O", "O", "O", "S-A1", "O", "O"]]) == [4]
    assert costs([["O", "O", "O", "B-A1", "E-A1", "O", "O"]]) == [2]


def test_going_on_to_what_hangs_elsewhere_costs():
    assert costs([["B-A0", "I-A0", "E-A0", "O", "O", "O", "O"]]) == [6]


def test_the_last_word_of_one_predicate_is_not_beside_the_first_of_the_next():
    views = np.array([[3, 3], [8, 16]])
    zero = np.zeros(2, np.int64)
    pairs = Pairs(zero, zero, zero, zero + 1, views)
    scores = np.zeros((2, len(TAGS)), np.float32)
    Costs(2.0, 6.0, TAGS).take(scores, pairs)
    assert not scores.any()


# Core roles that no sense of a verb has.

NAMES = ["O", "B-A0", "S-A1", "B-C-A1", "I-R-A2", "E-AM-TMP", "S-V"]
LINES = ["A0 A1\tlie love went", "A1 A2\tfall ly"]


def barred(inventory: Inventory, form: str) -> list[str]:
    costs = inventory.of(form)
    assert set(costs.tolist()) <= {0.0, -1e4}
    assert (costs.dtype, costs.shape) == (np.float32, (len(NAMES),))
    return [name for name, cost in zip(NAMES, costs, strict=True) if cost]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("loves", ["I-R-A2"]),
        ("Loved", ["I-R-A2"]),
        ("went", ["I-R-A2"]),
        ("falling", ["B-A0"]),
        ("lying", []),  # of lie, or of ly: what one of them may have
        ("AM-TMP", []),
        ("xyzzy", []),  # no verb that is known
    ],
)
def test_what_a_verb_may_not_have(form, expected):
    assert barred(Inventory(LINES, NAMES), form) == expected


@pytest.mark.parametrize(
    "inflected",
    [
        "try tries tried trying",
        "stop stops stopped stopping",
        "love loves loved loving",
        "kiss kisses kissed kissing",
        "die dies died dying",
        "go goes going",
        "see sees seeing",
    ],
)
def test_regular_forms_lead_to_their_verb(inflected):
    verb, *forms = inflected.split()
    for form in (verb, *forms):
        assert verb in bases(form)


@pytest.mark.parametrize("asked", [Asked(), Asked(scores=True)])
def test_a_model_with_an_inventory_finds_no_other_core_roles(asked):
    pipeline = Pipeline.load(["srl"], asked=asked)
    words = "Anna gave Tom a book yesterday and she showed him the shop .".split()

    def labels() -> list[set[str]]:
        [predicates] = pipeline.annotate([words], predicates=[[1, 8]])["srl"]
        return [{span.label for span in predicate.arguments} for predicate in predicates]

    head = pipeline.owners["srl"].heads["srl"]
    head.inventory = None
    gave, showed = labels()
    assert {"A0", "A1", "A2"} <= gave & showed
    head.inventory = Inventory(["A0 A2\tgave"], head.names)
    less, same = labels()
    assert {"A0", "A2"} <= less
    assert not less & {"A1", "A3", "A4"}
    assert same == showed


ROWS = {"NP": 1, "PP": 2, "S": 3, "VP": 4}


def test_constituents_beside_the_way_up():
    inner = "(NP (NP (DT the) (NN man)) (PP (IN at) (NN home)))"
    text = f"(TOP (S (NP (NNP Ann)) (VP (VBZ sees) {inner})))"
    [tree] = read_trees(text, "-")
    beside, above = view(1, constituents(tree), ROWS, 6)
    np_ = 4 * ROWS["NP"]
    assert beside.tolist() == [
        np_ + SINGLE,
        SINGLE,
        np_ + BEGIN,
        np_ + INSIDE,
        np_ + INSIDE,
        np_ + END,
    ]
    vp, s = STEPS * ROWS["VP"], STEPS * ROWS["S"]
    assert above.tolist() == [s + 1, vp, vp, vp, vp, vp]


def test_a_chain_is_its_highest_label_beside_and_its_lowest_above():
    [tree] = read_trees("(TOP (NP (S (VP (TO to) (VP (VB go) (S (VP (VBG running))))))))", "-")
    beside, above = view(1, constituents(tree), ROWS, 3)
    assert beside.tolist() == [SINGLE, SINGLE, 4 * ROWS["S"] + SINGLE]
    vp = STEPS * ROWS["VP"]
    assert above.tolist() == [vp + 1, vp, vp]


def test_words_without_a_tree():
    beside, above = view(1, [], ROWS, 3)
    assert beside.tolist() == [SINGLE] * 3
    assert above.tolist() == [0] * 3


def test_labels_that_training_had_not_are_none():
    [tree] = read_trees("(TOP (XX (YY (A a) (B b)) (C c)))", "-")
    beside, above = view(2, constituents(tree), ROWS, 3)
    assert beside.tolist() == [BEGIN, END, SINGLE]
    assert above.tolist() == [0, 0, 0]


@given(st.integers(1, 12), st.integers(0, 999))
def test_the_constituents_beside_part_the_sentence(n, seed):
    random = np.random.default_rng(seed)
    tree = toys.tree(random, leaves_of(["w"] * n, ["X"] * n))
    found = constituents(tree)
    rows = {label: i for i, label in enumerate(sorted(labels_of(found)), start=1)}
    place = int(random.integers(0, n))
    beside, above = view(place, found, rows, n)
    most = sizes(len(rows))
    assert beside.min() >= 0 and beside.max() < most[0]
    assert above.min() >= 0 and above.max() < most[1]
    spans = {(own.start, own.end) for own in found}
    start = 0
    while start < n:  # each is a constituent, or a word, without the predicate
        end = start + 1
        if beside[start] % 4 == BEGIN:
            while beside[end] % 4 == INSIDE:
                end += 1
            assert beside[end] % 4 == END
            end += 1
            assert (start, end) in spans and not start <= place < end
        else:
            assert beside[start] % 4 == SINGLE
        wider = [s for s in spans if s[0] <= start and s[1] >= end and s != (start, end)]
        assert all(a <= place < b for a, b in wider)
        start = end
