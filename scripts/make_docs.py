"""Write the pages that follow from the code.

usage: python scripts/make_docs.py [--check]

docs/cli.md from the `--help` of every command, docs/settings.toml and docs/pretraining.toml from
the configuration classes and their comments, docs/example.svg from the tags of one sentence,
senna/models/ATTRIBUTION.md from the data of the models and of recipe/open_sources/sources.toml.
The head of docs/cli.md is written by hand. With --check it writes nothing, names stale pages and
exits with 1.
"""

import ast
import dataclasses
import inspect
import json
import re
import sys
import textwrap
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common import parser_of
from typer.main import get_command

import senna
from senna.atomic import put_text
from senna.cli.app import app
from senna.drawing.parts import parts_of
from senna.drawing.svg import drawing
from senna.model.folder import read_model
from senna.pretraining.config import Pretraining
from senna.settings import fields_of, read_table
from senna.training.config import Config, Source

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 80
SETTINGS_INTRODUCTION = """\
# Every key of a configuration of `{command}`, its default, choices and meaning.
# Made from the configuration classes by scripts/make_docs.py: do not edit."""


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its whole name ("senna data get"), groups before what is in them."""
    waiting: list[tuple[str, Any]] = [("senna", get_command(app))]
    while waiting:
        name, command = waiting.pop(0)
        yield name, command
        inner = command.list_commands(None) if hasattr(command, "list_commands") else []
        waiting = [(f"{name} {sub}", command.get_command(None, sub)) for sub in inner] + waiting


def help_of(name: str, command: Any) -> str:
    """The text of `--help`, in 80 columns on every terminal."""
    context = command.make_context(
        name,
        [],
        resilient_parsing=True,
        max_content_width=WIDTH,
        terminal_width=WIDTH,
        help_option_names=["-h", "--help"],  # inherited from the root on the command line
    )
    lines = command.get_help(context).splitlines()
    text = "\n".join(line.rstrip() for line in lines)
    return re.sub(r"(\n\nOptions:)?\n  -h, --help +Show this message and exit.", "", text)


def head_of(page: str) -> str:
    """The part that is written by hand: all before the first section."""
    return page.partition("\n\n## ")[0]


def cli_page(page: str) -> str:
    """docs/cli.md: what each command does, and an example."""
    parts = [head_of(page)]
    leaves = ((name, leaf) for name, leaf in commands() if not hasattr(leaf, "commands"))
    for name, command in leaves:
        about, *rest = help_of(name, command).split("\n\n")[1:]
        example = next(part for part in rest if part.lstrip().startswith("Example: "))
        parts += [
            f"## {name}",
            _joined(about),
            f"```\n{_joined(example).removeprefix('Example: ')}\n```",
        ]
    return "\n\n".join(parts) + "\n"


def _joined(text: str) -> str:
    return " ".join(text.split())


# --------------------------------------------------------------------------- settings


def settings_page() -> str:
    """docs/settings.toml: a configuration of bare defaults, with the comment of each key."""
    head = SETTINGS_INTRODUCTION.format(command="senna train")
    sources = (
        '# An entry of train, dev and test is a name ("ner/docred", for example), or a table of:'
    )
    source = [f"# {line}" for key in keys(Source) for line in key.splitlines()]
    return "\n".join([head, *tables("", Config), "", sources, *source]) + "\n"


def pretraining_page() -> str:
    """docs/pretraining.toml: the same of `senna pretrain`, whose defaults are those of ranking."""
    head = SETTINGS_INTRODUCTION.format(command="senna pretrain")
    return "\n".join([head, *keys(Pretraining)]) + "\n"


def tables(path: str, kind: type) -> Iterator[str]:
    """The keys of a configuration class, then its tables, those of one class side by side."""
    yield from keys(kind)
    inner: dict[type, list[str]] = {}
    for name, table in typing.get_type_hints(kind).items():
        if typing.get_origin(table) is dict:  # by task
            name, table = f"{name}.TASK", typing.get_args(table)[1]
        if dataclasses.is_dataclass(table):
            inner.setdefault(typing.cast(type, table), []).append(f"{path}.{name}".lstrip("."))
    for table, names in inner.items():
        also = f"also {', '.join(names[1:])}: " if names[1:] else ""
        if any(is_value(field.default) for field in dataclasses.fields(table)):
            summary = (table.__doc__ or "").split("\n")[0].rstrip(".")
            yield from ("", commented(f"[{names[0]}]", also + summary))
        yield from tables(names[0], table)


def keys(kind: type) -> Iterator[str]:
    """The keys of one table: `key = default  # comment`."""
    about = comments(kind)
    for field in dataclasses.fields(kind):
        if is_value(field.default):
            setting = fields_of(kind)[field.name].option
            _, _, choices = setting.wanted.partition("is not one of ")
            parts = [part for part in (choices, about[field.name]) if part]
            yield commented(f"{field.name} = {json.dumps(field.default)}", "; ".join(parts))


def commented(line: str, comment: str) -> str:
    """A line with a comment, which goes on below where it is long."""
    line += f"  # {comment}" if comment else ""
    return "\n".join(textwrap.wrap(line, 100, subsequent_indent="    # ", break_on_hyphens=False))


def is_value(default: Any) -> bool:
    return isinstance(default, str | bool | int | float | tuple)


def comments(kind: type) -> dict[str, str]:
    """The comment of each field of a class or of its bases: above it, or on its lines."""
    about: dict[str, str] = {}
    for own in reversed(kind.__mro__):
        if dataclasses.is_dataclass(own):
            about |= _own_comments(own)
    return about


def _own_comments(kind: type) -> dict[str, str]:
    try:
        lines = textwrap.dedent(inspect.getsource(kind)).splitlines()
    except OSError:  # a class made of others, which has no source of its own
        return {}
    [node] = ast.parse("\n".join(lines)).body
    assert isinstance(node, ast.ClassDef)
    about = {}
    for field in node.body:
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            above = field.lineno - 1
            while lines[above - 1].lstrip().startswith("#"):
                above -= 1
            text = [
                re.search(r"(?:^ *|  )# (.*)", line) for line in lines[above : field.end_lineno]
            ]
            about[field.target.id] = " ".join(match[1] for match in text if match)
    return about


# --------------------------------------------------------------------------- the picture


EXAMPLE = "Marie Curie was born in Warsaw and won the Nobel Prize in 1903."


def example_picture() -> str:
    """docs/example.svg: a sentence as `senna tag --format svg` draws it, on white."""
    [sentence] = senna.load()(EXAMPLE)
    return drawing(parts_of(sentence.words, sentence.answers), background="#fff")


# --------------------------------------------------------------------------- attribution


# What is called so in the notes of the models: two parts of the table of open sources.
OPEN_TEXT = """\
## Open English text

The vectors that all models start from are made from this text, and teachers have labelled parts \
of it; `recipe/build_text.py` cleans and cuts it. The teachers began as MPNet-base (Song et al. \
2020, NeurIPS; all-mpnet-base-v2, Apache-2.0): docs/teacher.md."""


def attribution_page(models: Path) -> str:
    """The list of what each shipped model learnt from, and on what terms."""
    parts = [
        "# What the models learnt from",
        "Made from the model folders by `scripts/make_docs.py`: do not edit.",
        "The models are under CC BY-SA 4.0 (see [LICENSE](LICENSE)). They learnt from these "
        "sources, whose authors are to be credited when a model is passed on.",
    ]
    for path in sorted(path.parent for path in models.rglob("model.toml")):
        about = read_model(path).about
        parts += [f"## {path.relative_to(models).as_posix()}", *about.get("notes", ())]
        lines = [_credit(name, entry) for name, entry in about.get("data", {}).items()]
        parts += ["\n".join(lines)] if lines else []
    table = read_table(ROOT / "recipe/open_sources/sources.toml")
    sources = [item for part in ("text", "news", "web") for item in table[part].items()]
    parts += [OPEN_TEXT, "\n".join(_open_credit(*item) for item in sources)]
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
    docs, models = ROOT / "docs", ROOT / "senna" / "models"
    return {
        docs / "cli.md": cli_page((docs / "cli.md").read_text("utf-8")),
        docs / "settings.toml": settings_page(),
        docs / "pretraining.toml": pretraining_page(),
        docs / "example.svg": example_picture(),
        models / "ATTRIBUTION.md": attribution_page(models),
    }


def main() -> int:
    parser = parser_of(__doc__)
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
        put_text(path, text)
        print(path.relative_to(ROOT))
    return status


if __name__ == "__main__":
    sys.exit(main())
