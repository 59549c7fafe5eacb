"""Texts to tag in tables, and what the command finds in each."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.program import program

TEXTS = (
    "Anna Weber flew to Lisbon on Monday. Her brother, who works for Alpine Rail Ltd., didn't.",
    None,
    " \n\n",
    "",
    "😀 It rained in Zürich \U0001d4b3.\nThe trains\nwere late.\r\n\r\nNobody\tknew (why)?",
    "The committee told the mayor that the bridge near Basel would be closed in May.",
)
TASKS = "pos,chunk,ner,srl"
LABELS = ["bad", "good", "neither"]


@cache
def by_command(text: str, *options: str) -> list[dict[str, Any]]:
    """The sentences that `senna tag` finds in a text."""
    with pytest.MonkeyPatch.context() as patch:
        done = program(patch, "tag", "--format", "jsonl", *options, data=text.encode())
    assert done.code == 0, done.err
    sentences = [json.loads(line) for line in done.out.decode().splitlines()]
    # A table has no lines, and no field for tags or spans where no task gives any.
    return [
        {name: own for name, own in made.items() if own != {} and name != "line"}
        for made in sentences
    ]


def expected(texts: Sequence[str | None] = TEXTS, *options: str) -> list[Any]:
    """What a table must hold for some texts; null for a null."""
    return [
        None if text is None else by_command(text, *(options or ("--task", TASKS)))
        for text in texts
    ]


def label_model(folder: Path) -> Path:
    """A network of labels with random weights."""
    from tests import toys

    assert toys.LABELS == LABELS
    network = toys.gated(12, 1, 2)
    return toys.model(folder / "model", "label", network=network)
