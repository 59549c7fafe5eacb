"""Files in, an output format out: what `senna.convert` and `senna tag` do."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from senna.pipeline.pipeline import finder_of
from senna.reading.formats import INPUTS, Piece
from senna.reading.options import Conversion, OptionError
from senna.reading.stream import read_files, tag_pieces, with_predicates
from senna.writing.output import Format, Style, format_of, tasks_for

Files = str | Path | Sequence[str | Path]


def convert(
    files: Files,
    format: str = "columns",
    *,
    jobs: int = 1,
    tell: Callable[[OptionError], object] = lambda note: warnings.warn(str(note), stacklevel=3),
    tagged: Callable[[Piece], object] = lambda piece: None,
    **options: Any,
) -> Iterator[bytes]:
    """Tag files ("-" is standard input) and give what `senna tag` writes, part by part.

    >>> b"".join(senna.convert("data/sample.txt", "conllu", tasks="pos"))  # doctest: +SKIP

    `options` are those of `senna.load` and `input`, `scheme`, `offsets`, `column` and `errors`:
    see `senna tag --help`. `jobs` processes share the work. `tell` gets each option that changes
    nothing, `tagged` each piece of the input when its part has been taken. Raises SennaError for
    options that do not fit, and for what cannot be read.
    """
    asked = Conversion(format=format, **options)
    form = format_of(format)
    reading, listed = completed(asked, form)
    check_places(reading, form)
    names = [files] if isinstance(files, (str, Path)) else files
    pieces = read_files([*map(str, names)], reading.errors, reading)
    if listed:
        pieces = with_predicates(pieces, listed, reading)
    for note in reading.notes():
        tell(note)
    style = Style(reading.scheme or form.scheme, reading.offsets)
    return _parts(tag_pieces(pieces, reading, format, style, jobs), form, tagged)


def completed(asked: Conversion, form: Format) -> tuple[Conversion, str]:
    """What is asked for with the tasks that a format needs, and a file that lists predicates."""
    finder, listed = asked.predicates, ""
    if isinstance(finder, str) and finder != "given":
        finder, listed = finder_of(finder)
    lines = (asked.input, asked.unit) == ("text", "document")
    return (
        replace(
            asked,
            tasks=tasks_for(asked.format, asked.tasks or (), asked.model is not None),
            predicates=finder,
            input="lines" if lines else asked.input,
        ),
        listed,
    )


def _parts(
    pieces: Generator[tuple[Piece, str], None, None],
    form: Format,
    tagged: Callable[[Piece], object],
) -> Iterator[bytes]:
    """What is written: the head of the format, pieces, the end of the last document, the foot."""
    started = False
    before = form.head  # once the first piece has been tagged: much can go wrong until then
    with closing(pieces):
        for piece, text in pieces:
            text, started = text.removeprefix("" if started else form.end), started or bool(text)
            # A surrogate can only have come from the input's own escapes: let it out.
            yield (before + text).encode("utf-8", "surrogatepass")
            before = ""
            tagged(piece)
    yield (before + form.end * started + form.foot).encode()


def check_places(reading: Conversion, form: Format) -> None:
    """Raise SennaError where the output has no place for what is asked for."""
    if reading.offsets and not form.offsets:
        raise OptionError(f"{reading.format} has no offsets", "offsets")
    if reading.offsets and not INPUTS[reading.input].offsets:
        raise OptionError(f"{reading.input} have no offsets", "offsets")
    if (reading.scores or reading.n_best > 1) and reading.format not in ("columns", "jsonl"):
        what = "only columns and jsonl have a place for scores and for several taggings"
        raise OptionError(what, "format", mend=f"Choose another one than {reading.format}.")
