"""The `senna` program: its commands, and how errors reach the terminal."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import Any, NoReturn

# One thread a process: set before NumPy loads. Tags then do not depend on the machine's cores,
# and --jobs is what uses them.
if len(sys.argv) > 1 and sys.argv[1] not in ("train", "pretrain"):
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("MKL_NUM_THREADS", "1")

import typer
from typer.main import get_command

from senna.cli.options import COMPLETING, Group, Program
from senna.cli.terminal import Terminal
from senna.errors import SennaError, plain
from senna.tasks import TASKS

COMMANDS = (
    "tag",
    "classic",
    "train",
    "pretrain",
    "eval",
    "neighbors",
    "vectors",
    "models",
    "data",
    "completion",
)


class Commands(Group):
    """The commands, each imported and built only when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        # A name that is none gets all of them, to be told which are near.
        for name in (cmd_name,) if cmd_name in COMMANDS else COMMANDS:
            self.commands[name] = _built(name)
        return self.commands.get(cmd_name)


def _built(name: str) -> Any:
    module = import_module(f"senna.cli.{name}")
    if hasattr(module, f"{name}_app"):
        return get_command(getattr(module, f"{name}_app"))
    alone = Program()
    alone.command(name, epilog=module.EXAMPLE)(getattr(module, f"{name}_command"))
    return get_command(alone)


app = Program(
    name="senna",
    cls=Commands,
    help=f"Tag English text: {', '.join(task.about for task in TASKS.values())}. Train and score.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(shown: bool) -> None:
    if shown:
        from senna.kernel.library import level
        from senna.version import __version__

        typer.echo(f"senna {__version__} (kernel: {level()})")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False,
        "--version",
        callback=_version,
        is_eager=True,
        help="Print the version, and the kernel in use.",
    ),
) -> None:
    pass


def main() -> None:
    """Run the program; one line on stderr and exit code 2 for what the user can mend."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout = io.TextIOWrapper(Terminal(sys.stdout.buffer), line_buffering=True)
        # The same bytes everywhere, Windows too; a path may be no UTF-8.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        if COMPLETING in os.environ:
            from typer import completion

            # typer's own answers, without its options to install them
            completion.completion_init()  # type: ignore[attr-defined]
        app(complete_var=COMPLETING)
    except SennaError as error:
        _end(2, str(error))
    except OSError as error:  # standard output on a full disk
        _end(2, plain(f"{error.filename or '<stdout>'}: {error.strerror}"))
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        _end(141)  # the reader has gone (`senna tag | head`): nothing more to say


def _end(code: int, line: str = "") -> NoReturn:
    """Tell why, and forget output that cannot be written: Python would try again, and complain."""
    if line and sys.stderr is not None:
        sys.stderr.write(f"senna: {line}\n")  # in one piece, beside other processes
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


if __name__ == "__main__":
    main()
