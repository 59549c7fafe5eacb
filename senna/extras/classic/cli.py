"""`senna classic`: the command line of the original SENNA."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import Program
from senna.cli.terminal import report_no_kernel, report_waiting

EXAMPLE = "Example: echo 'She sells tea .' | senna classic -usrtokens -pos -chk"

classic_app = Program()


@classic_app.command(
    "classic",
    epilog=EXAMPLE,
    # All that has one hyphen is for the original's own rules, -h too.
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
)
def classic_command(
    options: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="OPTION", help="The original's options, for example -pos; see above."
        ),
    ] = None,
    install: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            show_default=False,
            help="Write programs with the names of the original's executables into DIR, and exit.",
        ),
    ] = None,
) -> None:
    """Stand in for the original SENNA: its options, columns and exit codes.

    The command reads one sentence per line and prints one token per line. Tasks: -pos -chk -ner
    -srl -psg; without these, all of them. Tags: -iobtags -brackettags. Columns: -offsettags
    -notokentags. Tokens: -usrtokens. Verbs: -posvbs, -usrvbs FILE. Messages: -verbose.
    `senna classic -h` lists all options.

    If -path DIR/ has the original's own hash/ and data/, the command computes the original's
    networks. Otherwise the models of the package tag.
    """
    if install is not None:
        from senna.extras.classic.program import install as write

        for path in write(install):
            typer.echo(path)
        return
    from senna.extras.classic.program import run

    report_waiting("-", "classic", "one sentence per line")
    if "-h" not in (options or []):
        report_no_kernel()
    if code := run(options or []):
        sys.exit(code)
