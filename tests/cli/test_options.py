"""Tables of options as Typer's parameters, the values they get, and `senna tag` without Typer."""

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner, Result

from senna.cli.app import Commands, app
from senna.cli.options import Program
from senna.cli.tag import OPTIONS, tag_values
from senna.settings import Option, switch

LETTERS = ("alpha", "beta")
TABLE = {
    "name": Option("", default="none"),
    "place": Option("", Path),
    "out": Option("", Path, default=Path("map.svg")),
    "jobs": Option("", int, least=1, default=1),
    "size": Option("", int, least=1),
    "top": Option("", int, least=1, most=5, default=5),
    "share": Option("", float, default=0),
    "letter": Option("The letter.", choices={"alpha": "first", "beta": "second"}, short="-l",
                     default="alpha"),
    "more": Option("", choices=LETTERS),
    "settings": Option("", list, flag="--set"),
    "quiet": switch(""),
    "memory": Option("", bool),
}  # fmt: skip

got: dict[str, Any] = {}


def from_table(
    word: Annotated[str, typer.Argument()],
    paths: Annotated[list[Path] | None, typer.Argument()] = None,
    **options: Any,
) -> None:
    got.update(options, word=word, paths=paths)


def run(*given: str) -> Result:
    program = Program()
    program.command("x", TABLE)(from_table)
    got.clear()
    return CliRunner().invoke(program, list(given))


DEFAULTS = {"paths": None, **{name: option.default for name, option in TABLE.items()}}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a", {}),
        ("a x y/z", {"paths": [Path("x"), Path("y/z")]}),
        ("a --place . --out o.png --jobs 3", {"place": Path(), "out": Path("o.png"), "jobs": 3}),
        ("a --share 0.5 -l beta --no-memory", {"share": 0.5, "letter": "beta", "memory": False}),
        ("a --set x=1 --set y --quiet", {"settings": ["x=1", "y"], "quiet": True}),
    ],
)
def test_options_have_the_values_of_their_kinds(given, expected):
    assert run(*given.split()).exit_code == 0
    assert got == {"word": "a", **DEFAULTS, **expected}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((), "word"),
        (("a", "--jobs", "0"), "--jobs"),
        (("a", "--jobs", "many"), "--jobs"),
        (("a", "--size", "-1"), "--size"),
        (("a", "--top", "9"), "--top"),
        (("a", "--letter", "gamma"), "'gamma' is not one of 'alpha', 'beta'."),
        (("a", "--bogus"), "--bogus"),
        (("a", "--name"), "--name"),
    ],
)
def test_values_that_an_option_does_not_take_are_refused(given, message):
    result = run(*given)
    assert (result.exit_code, got) == (2, {}), repr(result.exception)
    assert message in result.stderr


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_number_is_finite(value):
    result = run("a", "--share", value)
    assert result.exit_code == 2
    assert "--share" in result.output and not got


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("tg", "no such command 'tg'. Did you mean 'tag'? See senna -h."),
        ("evl", "no such command 'evl'. Did you mean 'eval'? See senna -h."),
        ("lm none", "no such command 'none'. See senna lm -h."),
        ("train --epochs 3", "no such option: --epochs. See senna train -h."),
        ("eval", "missing option '--task'. See senna eval -h."),
        ("tag --task", "option '--task' requires an argument. See senna tag -h."),
        ("tag -q --resume a", "--resume: needs --output-dir"),
        ("tag -q -o b --skip-errors a", "--skip-errors: needs --output-dir"),
        ("tag -q -o b --output-dir c a", "--output: does not go with --output-dir. Give one."),
    ],
)
def test_a_command_line_that_is_wrong_is_refused_on_one_line(senna, arguments, message):
    done = senna(*arguments.split())
    assert (done.code, done.out, done.err) == (2, b"", f"senna: {message}\n")


def test_an_option_json_where_a_format_is_meant(senna):
    done = senna("tag", "--json")
    assert (done.code, "--format jsonl" in done.err, "--jobs" in done.err) == (2, True, False)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_has_the_value_that_typer_makes(name):
    option = OPTIONS[name]
    values: list[list[str]] = [[value] for value in option.choices] or [["2"], ["x"]]
    values = [[]] if option.kind is bool else values
    for flag in filter(None, (option.flag, option.short, option.negation)):
        for value in values:
            plain = tag_values([flag, *value])
            command = app_command()
            context = command.make_context("tag", [flag, *value]) if plain else None
            assert context is None or plain == {name: context.params[name]}, flag
    assert tag_values([option.flag, *values[0]]) is not None, option


def app_command() -> Any:
    from typer.main import get_command

    program = get_command(app)
    assert isinstance(program, Commands)
    return program.get_command(None, "tag")


def test_what_it_reads():
    arguments = "a.txt --task pos,ner -q --format jsonl - --jobs 2 -o out.txt --no-memory".split()
    assert tag_values(arguments) == {
        **{"files": ["a.txt", "-"], "tasks": "pos,ner", "quiet": True, "format": "jsonl"},
        **{"jobs": 2, "output": Path("out.txt"), "memory": False},
    }
    assert tag_values([]) == {}
    assert tag_values("--model a --model b".split()) == {"model": ["a", "b"]}


@pytest.mark.parametrize(
    "arguments",
    [
        *("--help", "-h", "--task", "--task --scores", "--task=pos", "--format xml", "--jobs 0"),
        *("--jobs x", "--nbest 0", "--nbest 101", "--unknown x", "-- a.txt", "-oout.txt"),
    ],
)
def test_what_it_leaves_to_typer(arguments):
    assert tag_values(arguments.split()) is None
