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
from senna.reading.options import TABLES, Conversion, OptionError, options_of
from senna.reading.stream import read_files, tag_pieces, with_predicates
from senna.writing.output import Format, Style, format_of, head_of, tasks_for

PACKED = ("gz", "xz", "bz2")
SUFFIXES = {"htm": "html"} | {name: name for name in ("csv", "parquet", "html", "conllu")}
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
    names = [*map(str, [files] if isinstance(files, (str, Path)) else files)]
    if options.get("input") is None:
        options["input"] = input_of(names)
    asked = Conversion(format=format, **options)
    form = format_of(format)
    reading, listed = completed(asked, form)
    check_places(reading, form)
    pieces = read_files(names, reading.errors, reading)
    if listed:
        pieces = with_predicates(pieces, listed, reading)
    for note in reading.notes():
        tell(note)
    table = reading.input in TABLES
    style = Style(reading.scheme or form.scheme, reading.offsets, reading.keep, table)
    return _parts(tag_pieces(pieces, reading, format, style, jobs), form, style, tagged)


def input_of(files: Sequence[str]) -> str:
    """The input format of files, by their suffixes; SennaError where these differ."""
    formats = {_by_suffix(file): file for file in files}
    if len(formats) > 1:
        what = f"{' and '.join(map(repr, formats.values()))} have different formats"
        raise OptionError(what, "input", mend="Tag them one by one, or name the format.")
    return next(iter(formats), "text")


def _by_suffix(file: str) -> str:
    stem, dot, suffix = file.lower().rpartition(".")
    if dot and suffix in PACKED:
        suffix = stem.rpartition(".")[2]
    return SUFFIXES.get(suffix, "text")


def completed(asked: Conversion, form: Format) -> tuple[Conversion, str]:
    """What is asked for with the tasks that a format needs, and a file that lists predicates."""
    finder, listed = asked.predicates, ""
    if isinstance(finder, str) and finder != "given":
        finder, listed = finder_of(finder)
    lines = (asked.input, asked.unit) == ("text", "document")
    return (
        replace(
            asked,
            tasks=tasks_for(asked.format, asked.tasks or (), isinstance(asked.model, (str, Path))),
            predicates=finder,
            input="lines" if lines else asked.input,
        ),
        listed,
    )


def _parts(
    pieces: Generator[tuple[Piece, str], None, None],
    form: Format,
    style: Style,
    tagged: Callable[[Piece], object],
) -> Iterator[bytes]:
    """What is written: the head of the format, pieces, the end of the last document, the foot."""
    started = False
    # Written once the first piece has been tagged: much can go wrong until then.
    before = head_of(form, style)
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
    for name, wanted in (("scores", reading.scores), ("n_best", reading.n_best > 1)):
        fitting = options_of(Conversion)[name].formats
        if wanted and reading.format not in fitting:
            what = f"{reading.format} has no place for this"
            raise OptionError(what, name, mend=f"Choose {' or '.join(fitting)}.")
