"""Files to pieces, pieces to sentences, and sentences between processes: see `Pipeline`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TextIO

from senna.annotation.columns import markup_of
from senna.errors import SennaError
from senna.files import TO_UTF8, Arriving, open_text
from senna.kinds.answer import Annotation, Line
from senna.pipeline.format import Piece, as_lines, format_of, input_of, wide_in
from senna.pipeline.memory import Memory
from senna.pipeline.models import Given, Models, Places
from senna.pipeline.options import TABULAR, Conversion, OptionError
from senna.registry import INPUTS

BEGINNING = 4_096  # characters of a file that are looked at before the first is tagged
# Between two sentences of raw text, what ends a document, by the option of this name.
GAPS = {"line": r"\n", "blank": r"\n[ \t\r]*\n"}


def check_files(files: Sequence[str], reading: Conversion) -> None:
    """SennaError for a file that is missing, cannot be read, or begins with unexpected markup."""
    for file in files:
        if file == "-" or (os.path.exists(file) and not os.path.isfile(file)):
            continue  # a pipe can be read once
        if " " in file.strip() and not os.path.exists(file):
            import shlex  # not needed to tag, and not free to load

            remedy = f"For a text: echo {shlex.quote(file)} | senna tag"
            raise SennaError("no such file", where=file, remedy=remedy)
        with _opened(file, reading) as stream:
            start = "" if input_of(reading.input).load else stream.read(BEGINNING)
        _check_plain(start, file, reading)


def _check_plain(text: str, name: str, reading: Conversion) -> None:
    """SennaError where a file is only taken for raw text and begins with this, which is markup."""
    if reading.guessed and reading.input == "text" and (found := markup_of(text)):
        form, _, kind = found.partition(" ")
        table = ", or csv for a table with a row of names" if form == "columns" else ""
        reads = (
            f"Say --input {form}{table}" if form else "senna match and senna.read take tagged files"
        )
        remedy = f"{reads}; --input text tags it as text."
        raise SennaError(f"this looks like {kind}, not like text", where=name, remedy=remedy)


def read_files(
    files: Sequence[str], reading: Conversion, piped: TextIO | None = None
) -> Iterator[Piece]:
    """The pieces of all files ("-": standard input), which are checked before the first."""
    check_files(files, reading)
    load = input_of(reading.input).load
    for file in files:
        pieces = load(file, reading) if load else _read_text(file, reading, piped)
        opens, named = True, file if file != "-" else ""
        for piece in pieces:
            if opens and not named:
                _check_plain(piece.content, "<stdin>", reading)
            yield piece._replace(file=named, opens=opens)
            opens = False


def _opened(file: str, reading: Conversion) -> TextIO:
    return open_text(file, reading.errors, f"{TO_UTF8} Or use --errors replace.")


def _read_text(file: str, reading: Conversion, piped: TextIO | None) -> Iterator[Piece]:
    with piped or _opened(file, reading) as stream:
        yield from read_pieces(stream, "<stdin>" if file == "-" else file, reading)


def read_pieces(stream: TextIO, name: str, reading: Conversion) -> Iterator[Piece]:
    """Cut the input into pieces of whole sentences; where it pauses none is held back."""
    cut = input_of(reading.input).cut
    assert cut is not None
    yield from cut(Arriving(stream), name, reading)


def check_separated(reading: Conversion) -> Callable[[Any], Sequence[Any]]:
    """The separator of the sentences of the input; SennaError where they are not separated."""
    sentences = input_of(reading.input).sentences
    if sentences is None:
        names = [name for name in INPUTS if input_of(name).sentences]
        what = "a list of predicates needs sentences that are separated already"
        raise OptionError(what, "predicates", remedy=f"Input with them: {', '.join(names)}.")
    return sentences


def lines_of(piece: Piece, reading: Conversion) -> list[Line]:
    """The sentences of a piece, and where they are from."""
    return _placed(input_of(reading.input).lines(piece, reading), piece, reading)


def lines_of_texts(texts: Sequence[str], reading: Conversion) -> Iterator[list[Line]]:
    """The sentences of raw texts, as each alone in the input has them; all are split together."""
    for text, sentences in zip(texts, reading.split(texts), strict=True):
        wide = wide_in(text) if reading.offset_unit == "utf16" else []
        piece = Piece(0, len(text), text, opens=True, wide=wide)
        yield _placed(as_lines(text, sentences, piece), piece, reading)


def _placed(lines: list[Line], piece: Piece, reading: Conversion) -> list[Line]:
    if reading.input == "text" and reading.document in GAPS:
        lines = _opening(lines, piece, re.compile(GAPS[reading.document]))
    elif reading.document == "file" and reading.input not in TABULAR:
        lines = [line._replace(opens=False) if line.opens else line for line in lines]
    if piece.opens and lines:
        lines[0] = lines[0]._replace(opens=True)
    if reading.offset_unit == "utf16":
        lines = _in_utf16(lines, piece, reading)
    file = piece.file
    return [line if line.file == file else line._replace(file=file) for line in lines]


def _opening(lines: list[Line], piece: Piece, gap: re.Pattern[str]) -> list[Line]:
    """Sentences of raw text; a document begins with the first, and after each gap."""
    opening, end = list[Line](), 0
    for line in lines:
        start = line.start - piece.start
        opens = not opening or gap.search(piece.content, end, start) is not None
        opening.append(line._replace(opens=opens))
        end = line.tokens[-1].end - piece.start
    return opening


def _in_utf16(lines: list[Line], piece: Piece, reading: Conversion) -> list[Line]:
    """Sentences whose places, in the input, its row or their text, count UTF-16 code units."""
    if reading.input in TABULAR:
        of_rows = {row: wide_in(text) for row, text, _ in piece.content}
        return [line.in_utf16(of_rows[line.row]) for line in lines]
    if input_of(reading.input).offsets:
        return [line.in_utf16(piece.wide, piece.before) for line in lines]
    return [line.in_utf16(wide_in(line.text)) for line in lines]


def new_memory(reading: Conversion) -> Memory:
    """The memory of a document before its first name."""
    if not reading.force:
        return Memory()
    from senna.pipeline.phrases import always

    return Memory(always(dict(reading.gazetteer or {})))


class Tagged(NamedTuple):
    """The sentences of a piece and what is found in them, still to be written."""

    lines: list[Line]
    annotation: Annotation

    def remembering(self, memory: Memory) -> Tagged:
        """The same; names are amended by those of the document's earlier sentences."""
        words = [line.words for line in self.lines]
        memory.recall(words, [line.opens for line in self.lines], self.annotation)
        return self

    def write(self, reading: Conversion) -> str:
        """The output for the piece."""
        return format_of(reading.format).write(self.lines, self.annotation, reading.style)


def given_of(
    piece: Piece, forms: list[list[str]], models: Models, reading: Conversion
) -> tuple[Given, Places | None]:
    """The input's own columns for a piece: parts of speech, listed predicates."""
    pos = input_of(reading.input).pos(piece.content) if models.needs_pos_column else None
    given = {"pos": pos} if pos else {}
    if piece.predicates is None:
        return given, None
    if len(piece.predicates) != len(forms):
        remedy = "A line of blanks is not a sentence."
        raise SennaError("lines without tokens", where=piece.predicates[0].where, remedy=remedy)
    return given, [entry.of(words) for entry, words in zip(piece.predicates, forms, strict=True)]
