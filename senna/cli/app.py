"""The `senna` program: its commands, and how errors reach the terminal."""

from __future__ import annotations

import io
import os
import sys

# One thread a process: set before NumPy loads. Tags then do not depend on the machine's cores,
# and --jobs is what uses them.
if len(sys.argv) > 1 and sys.argv[1] not in ("train", "pretrain"):
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("MKL_NUM_THREADS", "1")

import typer

from senna.cli import eval as eval_module
from senna.cli import models, neighbors, pretrain, tag, train
from senna.cli.data import data_app
from senna.cli.vectors import vectors_app
from senna.errors import SennaError

app = typer.Typer(
    name="senna",
    help="Tag English text: parts of speech, chunks, names, semantic roles. Train and score.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("tag", epilog=tag.EXAMPLE)(tag.tag_command)
app.command("train", epilog=train.EXAMPLE)(train.train_command)
app.command("pretrain", epilog=pretrain.EXAMPLE)(pretrain.pretrain_command)
app.command("eval", epilog=eval_module.EXAMPLE)(eval_module.eval_command)
app.command("neighbors", epilog=neighbors.EXAMPLE)(neighbors.neighbors_command)
app.add_typer(vectors_app, name="vectors")
app.add_typer(models.models_app, name="models")
app.add_typer(data_app, name="data")


def _version(shown: bool) -> None:
    if shown:
        from senna import __version__

        typer.echo(f"senna {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Tag English text: parts of speech, chunks, named entities. Train and score taggers."""


def main() -> None:
    """Run the program; one line on stderr and exit code 2 for what the user can mend."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")  # a path may be no UTF-8
    try:
        app()
    except SennaError as error:
        print(f"senna: {error}", file=sys.stderr)
        _drop_unwritten()
        sys.exit(2)
    except BrokenPipeError:
        # The reader has gone (`senna tag | head`): nothing more to say.
        _drop_unwritten()
        sys.exit(141)
    except OSError as error:  # standard output on a full disk
        print(f"senna: {error.filename or '<stdout>'}: {error.strerror}", file=sys.stderr)
        _drop_unwritten()
        sys.exit(2)
    except KeyboardInterrupt:
        print("senna: interrupted", file=sys.stderr)
        sys.exit(130)


def _drop_unwritten() -> None:
    """Forget output that cannot be written: Python would try once more at its end, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
