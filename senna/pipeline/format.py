"""The base of input and output formats: `senna.formats` is the table of all.

A format has one module, with its reader and its writer, which is loaded where the format is asked
for; formats that are much alike share one. What a module needs except this one is imported in its
functions: the command's quick start loads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from senna.errors import SennaError
from senna.files import Arriving
from senna.kinds.answer import Annotation, Answers, Line, of_sentence
from senna.pipeline.options import Options
from senna.registry import FORMATS, INPUTS

if TYPE_CHECKING:
    from io import RawIOBase
    from pathlib import Path

    from senna.text.tokens import Tokens

T = TypeVar("T")
_WIDE = re.compile("[\U00010000-\U0010ffff]")
LINES = 256  # lines, sentences of columns or rows of a table, per piece


def input_of(name: str) -> Input:
    """The input format of a name."""
    known: Input = INPUTS[name]
    return known


def format_of(name: str) -> Format:
    """The output format of a name."""
    known: Format = FORMATS[name]
    return known


# --------------------------------------------------------------------------- input


class Piece(NamedTuple):
    """Some of the input, which holds whole sentences; its format says what `content` is.

    `start` is its offset in the input, `size` its length, roughly, both in characters. `file` is
    where it is from, if that has a name, and `opens` whether it is the first of it. `predicates`
    are those of its sentences, where a file lists them. If places count UTF-16 code units, `wide`
    has the places of its characters of two units, and `before` is the number of earlier ones.
    """

    start: int
    size: int
    content: Any
    line: int = 1  # of the input, from 1, with which it begins
    file: str = ""
    opens: bool = False
    predicates: list[Any] | None = None  # see `senna.formats.gold`
    wide: Sequence[int] = ()
    before: int = 0


class Input(NamedTuple):
    """An input format.

    `cut` makes pieces of an open text, whose name is for messages; `load`, in its place, of a file
    that is not text. `lines` are the sentences of a piece. `sentences` are those of its content
    where the format separates them; without it text is split. `pos` is the part-of-speech column
    of some of them, or nothing.
    """

    lines: Callable[[Piece, Options], list[Line]]
    about: str  # for help
    cut: Callable[[Arriving, str, Options], Iterator[Piece]] | None = None
    load: Callable[[str, Options], Iterator[Piece]] | None = None
    sentences: Callable[[Any], Sequence[Any]] | None = None
    pos: Callable[[Any], list[list[str]]] = lambda content: []
    offsets: bool = True  # whether its tokens have places in the input
    documents: bool = True  # whether sentences that follow one another belong together


def batches(source: Arriving, blocks: Iterator[list[T]]) -> Iterator[list[T]]:
    """The lines of the blocks, `LINES` at a time, or fewer where the source pauses."""
    held: list[T] = []
    for block in blocks:
        held += block
        while len(held) >= LINES or (held and source.pausing):
            yield held[:LINES]
            del held[:LINES]
    if held:
        yield held


def together(
    items: Iterable[T], size: Callable[[T], int], limit: int, most: int = 1 << 30
) -> Iterator[list[T]]:
    """Items that are tagged together: as many as reach a size, and at most so many."""
    held: list[T] = []
    total = 0
    for item in items:
        held.append(item)
        total += size(item)
        if total >= limit or len(held) == most:
            yield held
            held, total = [], 0
    if held:
        yield held


def as_lines(text: str, sentences: Iterable[Tokens], piece: Piece | None = None) -> list[Line]:
    """Sentences of a text; of that of a piece with their file and the numbers of their lines."""
    start, number, file = (piece.start, piece.line, piece.file) if piece else (0, 0, "")
    lines, place = list[Line](), 0
    for tokens in sentences:
        begin = tokens.start - start
        if piece:
            number += text.count("\n", place, begin)
            place = begin
        part = text[begin : tokens.end - start]
        lines.append(Line(part, begin + start, tokens, file, line=number))
    return lines


def wide_in(text: str, start: int = 0) -> list[int]:
    """The places of the characters that are two units of UTF-16; the text begins at `start`."""
    return [] if text.isascii() else [start + match.start() for match in _WIDE.finditer(text)]


def n_words(content: Any) -> int:
    """How many words the content of a piece has, roughly, for those who wait."""
    if isinstance(content, list):
        return sum(map(n_words, content))
    rows = getattr(content, "rows", None)
    if rows is not None:
        return len(rows)
    if isinstance(content, str):
        return len(content.split())
    return len((content.text if hasattr(content, "text") else content[1]).split())


# --------------------------------------------------------------------------- output


class Format(NamedTuple):
    """An output format.

    `sentence` writes one with its answers. `head` and `foot` are written before the first and after
    the last, `end` after each document. `tasks` are run where none is named; where it `needs` them,
    no less. Without `tasks` the usual ones are run, and of `more` those that have a model.
    """

    sentence: Callable[[Line, Answers, Options], str]
    about: str  # for help
    tasks: tuple[str, ...] = ()
    needs: bool = False
    more: tuple[str, ...] = ()
    shows: Callable[[str], bool] = lambda task: True  # whether it has a place for a task
    scheme: str = "iobes"  # where none is named
    offsets: bool = False  # whether it can show them
    head: str | Callable[[Options], str] = ""
    foot: str = ""
    end: str = ""
    between: str = ""  # written between two sentences
    is_text: bool = True  # whether its output is one text
    into: Callable[[Path | None], RawIOBase] | None = None  # the files of a folder, as one output
    finish: Callable[[Iterator[str]], Iterator[str]] = iter  # what becomes of all parts
    convert: Callable[..., Iterator[bytes]] | None = None  # in place of `pipeline.files.output`

    def missing(self, tasks: Sequence[str]) -> list[str]:
        """The tasks that it needs and that are not among these."""
        return [task for task in self.tasks if task not in tasks] if self.needs else []

    def write(self, lines: Sequence[Line], answers: Annotation, options: Options) -> str:
        """Sentences; before each that opens a document, the end of the one before."""
        return "".join(
            self.between
            + self.end * line.opens
            + self.sentence(line, of_sentence(answers, i), options)
            for i, line in enumerate(lines)
        )

    def stream(self, texts: Iterable[str], options: Options) -> Iterator[str]:
        """The whole output: sentences as `write` has them, part by part, with head and foot."""
        return self.finish(self._parts(texts, options))

    def _parts(self, texts: Iterable[str], options: Options) -> Iterator[str]:
        started, first = False, self.between + self.end
        # Written once the first part is there: much can go wrong until then.
        before = self.head(options) if callable(self.head) else self.head
        for text in texts:
            text, started = text.removeprefix("" if started else first), started or bool(text)
            yield before + text
            before = ""
        yield before + self.end * started + self.foot


def tasks_for(name: str, asked: Sequence[str], own_model: bool) -> list[str] | None:
    """The tasks to run for a format where a user names some; None: all of the model, or package.

    Raises SennaError where they are not what the format needs.
    """
    form = format_of(name)
    if asked and "all" not in asked and (missing := form.missing(asked)):
        remedy = f"Add it to --task: {','.join([*asked, *missing])}."
        raise SennaError(f"needs task {missing[0]}", where=f"--format {name}", remedy=remedy)
    if asked or (own_model and not form.needs):
        return [*asked] or None
    return [*form.tasks] or None


def check_tasks(name: str, tasks: Sequence[str], remedy: str = "Choose another format.") -> None:
    """Raise SennaError where a format needs other tasks than are tagged, or shows none of them."""
    form, where = format_of(name), f"--format {name}"
    if missing := form.missing(tasks):
        raise SennaError(f"needs task {missing[0]}", where=where, remedy=remedy)
    if tasks and not any(map(form.shows, tasks)):
        what, remedy = f"has no place for {' and '.join(tasks)}", "Choose columns, conllu or jsonl."
        raise SennaError(what, where=where, remedy=remedy)
