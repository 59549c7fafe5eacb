"""`senna completion`: what a shell needs to complete commands, options and their values."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.cli.main import COMPLETING

SHELLS = ("bash", "zsh", "fish")
EXAMPLE = "Example: senna completion bash > senna.bash"


def completion_command(
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), help="The shell.")],
) -> None:
    """Print a shell script that completes commands, options and their values.

    For bash, source the script from ~/.bashrc. For zsh, save it as _senna in a folder of $fpath.
    For fish, save it as ~/.config/fish/completions/senna.fish.
    """
    from typer import completion

    if shell not in SHELLS:
        raise typer.BadParameter(f"{shell!r} is not one of {', '.join(SHELLS)}.")
    script = completion.get_completion_script  # type: ignore[attr-defined]
    typer.echo(script(prog_name="senna", complete_var=COMPLETING, shell=shell))
