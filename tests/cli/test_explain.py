"""`senna explain`: a line per meaning; an unknown tag is an error before anything is printed."""

from __future__ import annotations

import senna as package
from tests.program import Senna


def test_each_tag_has_a_line(senna: Senna) -> None:
    done = senna("explain", "AM-DIS", "nsubj:pass", "WP$")
    lines = done.out.decode().splitlines()
    assert done.code == 0
    assert [line.split(" ")[0] for line in lines] == ["AM-DIS", "nsubj:pass", "WP$"]
    assert lines[1] == ("nsubj:pass (dep): subject of a passive. For example: The [boat] was sold.")


def test_an_unknown_tag_prints_nothing_but_one_line(senna: Senna) -> None:
    done = senna("explain", "NP", "nsub:pass")
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1 and "Close to it: nsubj:pass" in done.err


def test_without_a_tag_all_of_a_task_are_printed(senna: Senna) -> None:
    done = senna("explain", "--task", "ner")
    assert [line.split(" ")[0] for line in done.out.decode().splitlines()] == [
        "O", "LOC", "MISC", "ORG", "PER"
    ]  # fmt: skip
    every = senna("explain").out.decode().splitlines()
    assert every == [str(own) for own in package.explain()]
