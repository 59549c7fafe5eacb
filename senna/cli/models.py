"""`senna models`: list the models of the package, show a card, check a folder."""

from __future__ import annotations

from typing import Annotated

import typer

from senna.cli.options import Program
from senna.registry import MODEL_COMMANDS

models_app = Program(invoke_without_command=True)


@models_app.callback()
def _list(context: typer.Context) -> None:
    """List the models of the package, show a model's card, check a folder."""
    if context.invoked_subcommand is None:
        list_models()


@models_app.command("list", epilog="Example: senna models list")
def list_models() -> None:
    """List the models of the package: task, name, size and scores."""
    from senna.model.folder import MODELS, read_model, shipped
    from senna.tasks import NAMES

    typer.echo("task\tmodel\tsize\tscores")
    others = sorted({path.parent.parent for path in MODELS.glob("*/*/model.toml")})
    rows = [(task, path.name, path) for task, path in shipped().items()]
    rows += [(task, one.name, path) for one in others for task, path in shipped(one).items()]
    for task, name, path in rows:
        folder = read_model(path)
        size = sum(file["bytes"] for file in folder.meta["files"].values()) / 1e6
        scores = folder.about.get("scores", {}).get(task, {})
        shown = ", ".join(f"{k} {v:.2f}" for k, v in scores.items() if k != "measure")
        shown += " (without the memory of names)" if task == NAMES and shown else ""
        typer.echo(f"{task}\t{name}\t{size:.1f} MB\t{scores.get('measure', '')} {shown}".rstrip())


@models_app.command("show", epilog="Example: senna models show ner")
def show_model(
    model: Annotated[
        str,
        typer.Argument(
            metavar="NAME|DIR", help="A model of the package, for example ner, or a folder."
        ),
    ],
) -> None:
    """Print a model's card: its data, licences and scores, and the command that made it."""
    from senna.model.folder import is_model, model_path, read_model, shipped
    from senna.model.writing import model_card

    place = model_path(model)
    several = [] if is_model(place) else sorted(set(shipped(place).values()))
    for path in several or [place]:
        folder = read_model(path)
        typer.echo(model_card(folder.tasks, folder.about), nl=False)


@models_app.command("check", epilog="Example: senna models check runs/ner/model")
def check_models(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|DIR", help="Default: all models of the package."),
    ] = None,
) -> None:
    """Compare every file of model folders with its sha256."""
    from senna.model.folder import MODELS, is_model, model_path
    from senna.model.writing import check

    named = [model_path(name) for name in names or ()]
    for path in named or sorted(p for p in MODELS.iterdir() if p.is_dir()):
        inner = sorted(p.parent for p in path.glob("*/model.toml"))
        number = sum(map(check, [path, *inner] if is_model(path) or not inner else inner))
        typer.echo(f"{path}: {number} files, OK")


for _name, _module in MODEL_COMMANDS.items():
    models_app.command(_name, epilog=_module.EXAMPLE)(getattr(_module, f"{_name}_command"))
