"""Make the pages that follow from the code: the command line's, and who the models owe credit to.

usage: python scripts/make_docs.py [--check]

Writes docs/cli.md from the `--help` of every command, and senna/models/ATTRIBUTION.md from the data
tables of senna/models/*/model.toml and from scripts/open_sources/sources.toml. With --check it
writes nothing, names what is stale and exits with 1.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from typer.main import get_command

from senna.cli.app import app
from senna.model.folder import read_model

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 80
EXIT_CODES = """\
| exit code | |
|---|---|
| 0 | done |
| 2 | something that the user can mend, told in one line on stderr |
| 130 | Ctrl-C |
| 141 | who reads the output has gone, as `senna tag \\| head -1` |
| 128 + n | signal n: 143 for SIGTERM, 129 for SIGHUP; nothing half-written is left behind |"""

SETTINGS = """\
**Your own defaults** for the options of `senna tag` stand in `~/.config/senna/config.toml` (in
`$XDG_CONFIG_HOME` where that is set, in Windows in `%APPDATA%`), under the options' long names:

```toml
[tag]
task = "pos,ner"
format = "jsonl"
offsets = true
```

What is given on the command line goes before. `SENNA_CONFIG` names another file; where it is
empty, none is read, as a script may wish.

**Your own models**: `SENNA_MODELS` names a folder of model folders, searched before the package's.
One called `ner` is then what tags names, one called `pos-chunk` both tasks; any other is
`--model NAME`.

**Completion** of commands, options and their values: `senna completion bash`, `zsh` or `fish`
prints what the shell needs; its help says where to put it."""


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its whole name ("senna data get"), groups before what is in them."""
    waiting: list[tuple[str, Any]] = [("senna", get_command(app))]
    while waiting:
        name, command = waiting.pop(0)
        yield name, command
        inner = command.list_commands(None) if hasattr(command, "list_commands") else []
        waiting = [
            (f"{name} {subcommand}", command.get_command(None, subcommand)) for subcommand in inner
        ] + waiting


def help_of(name: str, command: Any) -> str:
    """What `--help` prints, in 80 columns on every terminal.

    Releases of typer show arguments otherwise: here by name, with dots where there may be more.
    """
    for param in command.params:
        if param.param_type_name == "argument":
            param.get_usage_pieces = partial(usage_of, param)
            param.get_help_record = partial(record_of, param)
    context = command.make_context(
        name,
        [],
        resilient_parsing=True,
        max_content_width=WIDTH,
        terminal_width=WIDTH,
        help_option_names=["-h", "--help"],  # inherited from the root on the command line
    )
    lines = command.get_help(context).splitlines()
    return "\n".join(line.rstrip() for line in lines)


def usage_of(param: Any, context: Any) -> list[str]:
    """An argument in the line of usage."""
    name = param.metavar if param.required else f"[{param.metavar}]"
    return [name + "..." * (param.nargs < 0)]


def record_of(param: Any, context: Any) -> tuple[str, str]:
    """An argument's name and its help."""
    return param.metavar, type(param).get_help_record(param, context)[1]


def cli_page() -> str:
    """docs/cli.md."""
    parts = [
        "# Commands",
        "Made from `--help` by `scripts/make_docs.py`: do not edit.",
        "Progress goes to stderr. How a command ends:",
        EXIT_CODES,
        SETTINGS,
    ]
    for name, command in commands():
        parts += [f"## {name}", f"```\n{help_of(name, command)}\n```"]
    return "\n\n".join(parts) + "\n"


# By what is called so in the notes of the models: parts of the table of open sources.
OPEN_SOURCES = {
    "Open English text": (
        ("text", "news"),
        "The vectors that all models start from and the silver data are made from this text, "
        "cleaned and cut by `scripts/build_text.py`.",
    ),
    "Open phrase lists": (
        ("phrases",),
        "The teacher of the model of names looked its words up in these lists, chosen and cut by "
        "`scripts/build_lists.py`, with some names of our own.",
    ),
}


def attribution_page(models: Path) -> str:
    """The list of what each shipped model learnt from, and on what terms."""
    parts = [
        "# What the models learnt from",
        "Made from the model folders by `scripts/make_docs.py`: do not edit.",
        "The models are under CC BY-SA 4.0 (see [LICENSE](LICENSE)). They learnt from these "
        "sources, whose authors are to be credited when a model is passed on.",
    ]
    for path in sorted(models.glob("*/model.toml")):
        about = read_model(path.parent).about
        parts += [f"## {path.parent.name}", *about.get("notes", ())]
        lines = [_credit(name, entry) for name, entry in about.get("data", {}).items()]
        parts += ["\n".join(lines)] if lines else []
    table = tomllib.loads((ROOT / "scripts/open_sources/sources.toml").read_text(encoding="utf-8"))
    for title, (kinds, about) in OPEN_SOURCES.items():
        sources = [item for kind in kinds for item in table[kind].items()]
        parts += [f"## {title}", about, "\n".join(_open_credit(*item) for item in sources)]
    return "\n\n".join(parts) + "\n"


def _credit(name: str, entry: dict[str, Any]) -> str:
    licence = entry.get("licence", "a file of its maker's own")
    return f"* **{name}**: {licence}. {entry.get('attribution', '')}".rstrip()


def _open_credit(name: str, entry: dict[str, Any]) -> str:
    first, *others = (line.split()[0] for line in entry["repositories"])
    copy = f"https://github.com/{first}" + (f" and {len(others)} others" if others else "")
    return f"* **{name}**: {entry['licence']}. {entry['credit']} Copy: {copy}."


def pages() -> dict[Path, str]:
    """Every generated page and what should stand in it."""
    models = ROOT / "senna" / "models"
    return {
        ROOT / "docs" / "cli.md": cli_page(),
        models / "ATTRIBUTION.md": attribution_page(models),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say what is stale")
    chosen = parser.parse_args()
    status = 0
    for path, text in pages().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if chosen.check:
            print(f"{path.relative_to(ROOT)} is stale: run scripts/make_docs.py", file=sys.stderr)
            status = 1
            continue
        temporary = path.with_name(f"{path.name}.tmp")
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
        print(path.relative_to(ROOT))
    return status


if __name__ == "__main__":
    sys.exit(main())
