"""What is found, written: each kind of output has its writer."""

from __future__ import annotations

from senna.outputs import output_of
from senna.tasks import TASKS
from senna.text.roles import Predicate
from senna.writing.output import WRITERS, as_columns


def test_every_task_has_a_writer() -> None:
    assert {output_of(task).gives for task in TASKS} <= set(WRITERS)


def test_a_document_mark_is_as_wide_as_the_rows() -> None:
    found = {
        "pos": [["NNP", "VBZ"]],
        "ner": [["S-PER", "O"]],
        "srl": [[Predicate(1, ["S-A0", "S-V"])]],
    }
    text = as_columns([[["Ann", "runs"], ["x", "y"]]], found, "bracket", [("-DOCSTART-",)])
    assert [line.split("\t") for line in text.split("\n")] == [
        ["-DOCSTART-", "O", "-X-", "O", "-", "O"],
        [""],
        ["Ann", "x", "NNP", "(PER*)", "-", "(A0*)"],
        ["runs", "y", "VBZ", "*", "runs", "(V*)"],
        [""],
        [""],
    ]
