"""senna as a program: help, version, how errors and interruptions end."""

import os
import signal
from typing import Any

import pytest
import typer
from typer.main import get_command

import senna as package
from senna.cli import app as module
from senna.inference.kernel.library import level
from tests.processes import ROOT, python


def commands() -> list[tuple[str, ...]]:
    """All commands of the program, as their names."""
    found: list[tuple[str, ...]] = []

    def walk(command: Any, path: tuple[str, ...]) -> None:
        if not hasattr(command, "list_commands"):
            found.append(path)
            return
        for name in command.list_commands(None):
            walk(command.get_command(None, name), (*path, name))

    walk(get_command(module.app), ())
    return found


def test_version(senna):
    said = f"senna {package.__version__} (kernel: {level()})\n"
    assert senna("--version") == (0, said.encode(), "")


@pytest.mark.parametrize("given", [(), ("data",)], ids=["senna", "senna data"])
def test_without_a_command_it_helps(senna, given):
    done = senna(*given)
    assert (done.code, done.out) == (2, b"")
    assert done.err == senna(*given, "--help").out.decode()


COMMANDS = commands()
GROUPS = sorted({command[:n] for command in COMMANDS for n in range(len(command) + 1)})


@pytest.mark.parametrize("command", GROUPS, ids=lambda command: " ".join(command) or "senna")
def test_help(senna, monkeypatch, command):
    """It is uncut at 80 columns, and has an example of each command."""
    monkeypatch.setenv("COLUMNS", "80")
    done = senna(*command, "--help")
    lines = done.out.decode().splitlines()
    assert done.code == 0 and max(map(len, lines)) <= 80
    cut = [line for line in lines if line.endswith("...") and not line.startswith("Usage: ")]
    assert not cut and not any("…" in line for line in lines)
    text = " ".join(done.out.decode().split())
    if command not in COMMANDS:  # a list of commands, whose lines end at a full stop, as in "al."
        assert text.count("(") == text.count(")")
    else:
        assert "Example: " in text and f"senna {' '.join(command)}" in text
        if command != ("classic",):  # whose -h is an option of the original
            assert senna(*command, "-h").out == done.out


def test_a_reader_that_goes_under_typer_is_no_fault(senna, monkeypatch):
    program = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

    @program.command()
    def fail() -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(module, "app", program)
    assert senna() == (141, b"", "")


def test_one_thread_a_process_unless_told_otherwise():
    for command, given, expected in (
        ("tag", None, "1"), ("tag", "2", "2"), ("train", None, "None"), ("ensemble", None, "None"),
        ("lm", None, "None"),
    ):  # fmt: skip
        code = f"import sys; sys.argv = ['senna', '{command}']; import senna.cli.main, os; "
        code += "print(os.environ.get('OPENBLAS_NUM_THREADS'))"
        environment = {k: v for k, v in os.environ.items() if not k.endswith("NUM_THREADS")}
        if given:
            environment["OPENBLAS_NUM_THREADS"] = given
        done = python("-c", code, cwd=ROOT, env=environment, check=True)
        assert done.stdout.decode().strip() == expected


_INTERRUPTED = """
import os, signal, sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.{name})
signal.signal(signal.SIGHUP, signal.{hup})
sys.meta_path.insert(0, Finder)
sys.argv = ["senna", "--version"]
from senna.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("module", "name", "hup", "code"),
    [
        ("senna.cli.main", "SIGINT", "SIG_DFL", 130),
        ("senna.cli.app", "SIGTERM", "SIG_DFL", 143),
        ("typer", "SIGINT", "SIG_DFL", 130),
        ("typer", "SIGHUP", "SIG_DFL", 129),
        ("senna.cli.main", "SIGHUP", "SIG_IGN", 0),  # with nohup
    ],
)
def test_signals_while_it_loads(module, name, hup, code):
    program = _INTERRUPTED.format(module=module, name=name, hup=hup)
    done = python("-c", program, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert (done.returncode, done.stderr) == (code, b"")


def test_ctrl_c_that_an_import_turns_into_another_error():
    """NumPy says that its installation is damaged."""
    program = _INTERRUPTED.format(module="typer", name="SIGINT", hup="SIG_DFL").replace(
        "            os.kill(os.getpid(), signal.SIGINT)\n",
        "            try:\n"
        "                os.kill(os.getpid(), signal.SIGINT)\n"
        "                list(range(10))\n"
        "            except KeyboardInterrupt:\n"
        "                raise ImportError('damaged')\n",
    )
    assert "damaged" in program
    done = python("-c", program)
    assert (done.returncode, done.stderr) == (130, b"")


def test_output_is_utf8_with_line_feeds_whatever_the_system_would_choose():
    """Python writes to a file of Windows in its own code page, and with its line ends."""
    code = (
        "import io, sys, typer; from senna.cli import app, main\n"
        "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, 'cp1252', newline='\\r\\n')\n"
        "app.app = lambda **_: typer.echo('Zürich → 日本')\n"
        "main.main()"
    )
    assert python("-c", code, check=True).stdout == "Zürich → 日本\n".encode()
