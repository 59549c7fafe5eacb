"""`senna tag`: options without effect are told; `senna.convert` writes the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from senna import convert
from tests.cli.conftest import Senna

TEXT = b"Anna saw London.\n"


@pytest.mark.parametrize(
    ("arguments", "option", "where"),
    [
        ("--task pos --predicates pos", "--predicates", "task pos. It applies to srl"),
        ("--task pos --scheme iob2", "--scheme", "task pos"),
        ("--task psg --scheme iob2", "--scheme", "task psg"),
        ("--format inline --scheme iob2", "--scheme", "format inline"),
        ("--format html --task ner --scheme iob2", "--scheme", "format html"),
        ("--format ansi --task ner --scheme iob2", "--scheme", "format ansi"),
        ("--format trees --scheme iob2", "--scheme", "format trees"),
        ("--task pos --column body", "--column", "input text. It applies to csv, parquet"),
        ("--task pos --input tokens --line-breaks space", "--line-breaks", "input tokens"),
        ("--task pos --input html --line-breaks space", "--line-breaks", "input html"),
        ("--task pos --input tokens --convention classic", "--convention", "input tokens"),
        ("--task pos --input columns --convention classic", "--convention", "input columns"),
        ("--task pos --min-confidence 0.5", "--min-confidence", "task pos"),
        ("--task pos,chunk --memory", "--memory", "task pos, chunk. It applies to ner"),
        ("--task srl --nbest 2", "--nbest", "task srl"),
        ("--task psg --scores", "--scores", "task psg"),
    ],
)
def test_an_option_that_changes_nothing_is_told_once(
    senna: Senna, arguments: str, option: str, where: str
) -> None:
    done = senna("tag", *arguments.split(), data=TEXT)
    [line] = done.err.splitlines()
    assert done.code == 0
    assert line.startswith(f"senna: {option}: this option has no effect for {where}")


@pytest.mark.parametrize("arguments", ["", "--task pos --predicates auto", "--task ner --memory"])
def test_other_options_are_not_told(senna: Senna, arguments: str) -> None:
    assert senna("tag", *arguments.split(), data=TEXT).err == ""


@pytest.mark.parametrize("tasks", ["", "pos,,"])
def test_a_task_without_a_name_is_refused(senna: Senna, tasks: str) -> None:
    error = senna("tag", "--task", tasks, data=TEXT).error
    assert error.startswith("--task: a task has no name. Known: pos,")


def test_convert_writes_what_the_command_writes(senna: Senna, tmp_path: Path) -> None:
    text = tmp_path / "in.txt"
    text.write_bytes(TEXT + b"\nLondon is old. Anna said so.\n")
    for format in ("columns", "conllu", "html", "conll2012"):
        done = senna("tag", "--format", format, "--task", "pos,ner", text)
        assert b"".join(convert(text, format, tasks="pos,ner")) == done.out
        assert b"".join(convert([text, text], format, tasks="pos,ner", jobs=2)).startswith(
            done.out[: done.out.index(b"London")]
        )
