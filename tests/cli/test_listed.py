"""Commands whose options are those of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from senna.cli.listed import with_options
from senna.pipeline.options import option


@dataclass
class Listed:
    """Options of all kinds."""

    shape: str = option("round", "The shape.", choices={"round": "no corner", "square": "four"})
    number: int = option(1, "The number.", int, least=1, most=3)
    quiet: bool = option(False, "Say nothing.", bool)
    memory: bool | None = option(None, "Remember.", bool)
    names: Any = option(None, "Names.", list, flag="--name")


def run(*arguments: str) -> tuple[dict[str, Any], str]:
    """What a command with these options gets, and what it prints."""
    got: dict[str, Any] = {}

    def command(
        text: Annotated[str, typer.Argument()], own: Annotated[int, typer.Option()] = 7, **more: Any
    ) -> None:
        got.update(more, text=text, own=own)

    app = typer.Typer(add_completion=False)
    app.command()(with_options(command, Listed))
    return got, CliRunner().invoke(app, [*arguments]).output


def test_the_list_stands_between_the_argument_and_the_command_s_own_options() -> None:
    assert run("x")[0] == {
        **{"text": "x", "shape": "round", "number": 1, "quiet": False, "memory": None},
        **{"names": None, "own": 7},
    }
    given = ("--shape=square", "--number=3", "--quiet", "--no-memory", "--name=a", "--name=b")
    assert run("x", *given, "--own=8")[0] == {
        **{"text": "x", "shape": "square", "number": 3, "quiet": True, "memory": False},
        **{"names": ["a", "b"], "own": 8},
    }
    said = run("--help")[1]
    places = [said.index(flag) for flag in ("--shape", "--number", "--memory", "--name", "--own")]
    assert places == sorted(places)
    assert all(about in said for about in ("round: no", "square: four.", "The number."))


@pytest.mark.parametrize("wrong", ["--number=4", "--shape=flat"])
def test_what_is_not_in_the_list_is_refused(wrong: str) -> None:
    got, said = run("x", wrong)
    assert not got and "Invalid value" in said
