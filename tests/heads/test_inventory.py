"""Core roles that no sense of a verb has."""

from __future__ import annotations

import numpy as np
import pytest

from senna.heads.inventory import Inventory, bases
from senna.paths.confidence import Asked
from senna.pipeline.pipeline import Pipeline

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
def test_what_a_verb_may_not_have(form: str, expected: list[str]) -> None:
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
def test_regular_forms_lead_to_their_verb(inflected: str) -> None:
    verb, *forms = inflected.split()
    for form in (verb, *forms):
        assert verb in bases(form)


@pytest.mark.parametrize("asked", [Asked(), Asked(scores=True)])
def test_a_model_with_an_inventory_finds_no_other_core_roles(asked: Asked) -> None:
    pipeline = Pipeline.load(["srl"], asked=asked)
    words = "Anna gave Tom a book yesterday and she showed him the shop .".split()

    def labels() -> list[set[str]]:
        [predicates] = pipeline.roles([words], [[1, 8]])
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
