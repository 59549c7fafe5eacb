"""What scripts share: how they end, sets of corpora, tables in Markdown, environments."""

import argparse
import json
import os
import sys
import venv
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, Self

import senna
from senna.corpora.store import find, split_file
from senna.errors import SennaError
from senna.files import forget_output, open_text
from senna.formats.conllu_lines import ConlluSentence, read_conllu
from senna.formats.gold import read_gold
from senna.kinds.answer import Gold, GoldOptions

P = ParamSpec("P")


def command(main: Callable[P, int | None], continues: bool = False) -> Callable[P, int]:
    """A main function that gives an exit code, as `senna` does, also for what ends it early.

    `continues`: the same command goes on where it was stopped.
    """

    @wraps(main)
    def ended(*given: P.args, **named: P.kwargs) -> int:
        name = Path(main.__code__.co_filename).stem
        try:
            status = main(*given, **named)
            sys.stdout.flush()
        except SennaError as error:
            print(f"{name}: {error.line}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            rest = "; the same command continues" if continues else ""
            print(f"{name}: stopped{rest}", file=sys.stderr)
            return 130
        except BrokenPipeError:  # `| head`
            forget_output()
            return 141
        except OSError as error:
            if error.filename is None:
                raise
            print(f"{name}: {error.filename}: {error.strerror}", file=sys.stderr)
            return 2
        return status or 0

    return ended


def parser_of(about: str | None) -> argparse.ArgumentParser:
    """A parser for the options of a script, whose docstring is the help."""
    kind = argparse.RawDescriptionHelpFormatter
    return argparse.ArgumentParser(description=about, formatter_class=kind)


def data_folder() -> Path:
    """$SENNA_DATA; SennaError where it is not set."""
    if not os.environ.get("SENNA_DATA"):
        remedy = "Set it to the folder of your corpora."
        raise SennaError("the variable is not set", where="$SENNA_DATA", remedy=remedy)
    return Path(os.environ["SENNA_DATA"])


def lines_of(corpus: str, split: str) -> Iterator[str]:
    """The lines of a set of a corpus."""
    with open_text(split_file(find(corpus), split)) as lines:
        yield from lines


def gold_of(task: str, corpus: str, split: str, options: GoldOptions) -> list[Gold]:
    """The sentences of a set of a corpus, with their answers to a task."""
    path = split_file(find(corpus), split)
    with open_text(path) as lines:
        return list(read_gold(task, lines, str(path), options))


def treebank(corpus: str, split: str) -> Iterator[ConlluSentence]:
    """The sentences of a set of a treebank."""
    return read_conllu(lines_of(corpus, split), name=corpus)


def tokenized(name: str) -> Iterator[dict[str, Any]]:
    """Documents of $SENNA_DATA/tokenization: "text", and "sentences" and "tokens" as [start, end].

    name: "ewt-train", for example.
    """
    path = Path(data_folder(), "tokenization", f"{name}.jsonl.xz")
    if not path.exists():
        remedy = "Write these documents of UD English-EWT or GUM there, one JSON object per line."
        raise SennaError("no such file", where=str(path), remedy=remedy)
    with open_text(path) as lines:
        yield from map(json.loads, lines)


class Program(NamedTuple):
    """A Python, and the checkout whose package it runs, if that is not installed."""

    python: str
    root: Path | None

    @classmethod
    def of(cls, other: Path) -> Self:
        """Another release: a checkout, or the Python of its environment."""
        return (
            cls(sys.executable, other.resolve())
            if other.is_dir()
            else cls(str(other.absolute()), None)
        )

    @property
    def name(self) -> str:
        """The name of the checkout, or the path of the Python."""
        return self.python if self.root is None else self.root.name

    @property
    def folder(self) -> Path:
        """Where its processes run: Python looks for packages in the folder at hand first."""
        return self.root or Path(self.python).absolute().parent

    @property
    def environment(self) -> dict[str, str]:
        """The variables of its processes: one thread, the kernel that is chosen for this one."""
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
        left_out = {"PYTHONDONTWRITEBYTECODE", *(["SENNA_KERNEL"] if self is not OURS else [])}
        variables = {k: v for k, v in os.environ.items() if k not in left_out} | threads
        if self.root is None:
            variables.pop("PYTHONPATH", None)
            return variables
        given = os.environ.get("PYTHONPATH")
        path = [str(self.root), str(self.root / "scripts"), *([given] if given else [])]
        return variables | {"PYTHONPATH": os.pathsep.join(path)}


OURS = Program(sys.executable, Path(senna.__file__).parents[1])


def fresh_python(folder: Path) -> Path:
    """The Python of a new environment in a folder."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def table_row(*cells: object) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def table_head(*names: str) -> str:
    """The first two lines of a table of numbers, whose first column are names."""
    return f"{table_row(*names)}\n|---{'|---:' * (len(names) - 1)}|"
