"""Files in, an output format out: what `senna.convert` and `senna tag` do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

from senna.errors import SennaError
from senna.files import ending
from senna.pipeline.format import Piece, format_of, input_of, tasks_for
from senna.pipeline.models import finder_of, tasks_of
from senna.pipeline.options import TABULAR, Conversion, OptionError, Reading, check_format
from senna.pipeline.pipeline import Pipeline, Tagged, check_separated, read_files, tag_pieces
from senna.registry import READERS
from senna.settings import options_of, unknown
from senna.tasks import TASKS

SUFFIXES = {"htm": "html", "conllup": "conllu"} | {
    name: name for name in ("csv", "jsonl", "parquet", "html", "conllu")
}
T = TypeVar("T")
Files = str | Path | Sequence[str | Path]


def convert(
    files: Files,
    format: str | None = None,
    *,
    jobs: int = 1,
    tagged: Callable[[Piece], object] = lambda piece: None,
    **options: Any,
) -> Iterator[bytes]:
    """Tag files ("-" is standard input) and yield the output of `senna tag` in pieces.

    >>> b"".join(senna.convert("data/sample.txt", "conllu", tasks="pos"))  # doctest: +SKIP

    `options` are those of `senna.load`, and `input`, `scheme`, `offsets`, `offset_unit`, `column`,
    `keep` and `errors`: see `senna tag --help`. `jobs` is the number of processes. `tagged` is
    called with each piece of the input when its output has been taken.
    Raises SennaError for options that do not fit together, and for input that cannot be read.
    """
    names = [*map(str, [files] if isinstance(files, (str, Path)) else files)]
    reading = checked(names, format, options)
    return output(names, reading, jobs, tagged)


def checked(files: Sequence[str], format: str | None, options: Mapping[str, Any]) -> Conversion:
    """The options for files of one input format, complete; SennaError where they do not fit."""
    known = options_of(Conversion)
    for name in options:
        if name not in known:
            raise unknown(name, known)
    asked = Conversion(**with_defaults(files, {**options, "format": format}))
    reading = completed(asked)
    check_places(reading, asked.tasks)
    if reading.format == "brat" and len(files) > 1:
        remedy = "Use --output-dir, which gives each text its own file, or tag one by one."
        raise OptionError("brat has one file of annotations per text", "format", remedy=remedy)
    if reading.listed:
        check_separated(reading)
    return reading


def output(
    files: Sequence[str],
    reading: Conversion,
    jobs: int = 1,
    tagged: Callable[[Piece], object] = lambda piece: None,
    load: Callable[[], Pipeline] | None = None,
) -> Iterator[bytes]:
    """The output for some files; `load` gives the models, by default those that are named."""
    form = format_of(reading.format)
    if form.convert is not None:
        return form.convert(files, reading, jobs, tagged, load)
    texts = tag_files(files, reading, partial(Tagged.write, reading=reading), jobs, tagged, load)
    # A surrogate can only have come from the input's own escapes: let it out.
    return (part.encode("utf-8", "surrogatepass") for part in form.stream(texts, reading.style))


def tag_files(
    files: Sequence[str],
    reading: Conversion,
    make: Callable[[Tagged], T],
    jobs: int = 1,
    tagged: Callable[[Piece], object] = lambda piece: None,
    load: Callable[[], Pipeline] | None = None,
    piped: TextIO | None = None,
) -> Iterator[T]:
    """Yield what `make` makes of the tagged sentences of each piece of some files.

    piped: standard input, if it is open.
    """
    pieces = read_files(files, reading, piped)
    if reading.listed:
        pieces = _with_predicates(pieces, check_separated(reading), reading.listed)
    with closing(tag_pieces(pieces, reading, make, jobs, load)) as results:
        for piece, made in results:
            yield made
            tagged(piece)


def _with_predicates(
    pieces: Iterable[Piece], sentences: Callable[[Any], Sequence[Any]], file: str
) -> Iterator[Piece]:
    """Pieces with the predicates that a file lists for their sentences, in order.

    sentences: the separator of those in the content of a piece.
    """
    remedy = "It needs one entry for each sentence of the input."
    entries = READERS["predicates"].listed_predicates(file)
    for piece in pieces:
        needed = len(sentences(piece.content))
        listed = list(islice(entries, needed))
        if len(listed) < needed:
            what = "ends before the input does: too few sentences"
            raise SennaError(what, where=file, remedy=remedy)
        yield piece._replace(predicates=listed)
    rest = next(entries, None)
    if rest is not None:
        raise SennaError("the input has no more sentences", where=rest.where, remedy=remedy)


def with_defaults(files: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Options completed by the names of files and by the model.

    A model whose only task is label gives a line of text one label, as it learnt it.
    """
    complete = dict(options)
    complete["guessed"] = complete.get("input") is None
    if complete["guessed"]:
        complete["input"] = input_by_suffix(files)
    named = {name: complete[name] for name in ("tasks", "model") if name in complete}
    labels = any(named.values()) and Reading(**named).run() == ["label"]
    if complete.get("format") is None:
        columns = complete.get("offsets") or complete.get("n_best", 1) > 1
        complete["format"] = "tsv" if labels and not columns else "columns"
    complete["whole"] = labels and input_of(complete["input"]).offsets
    return complete


def input_by_suffix(files: Sequence[str]) -> str:
    """The input format of files, by their suffixes; SennaError where these differ."""
    formats = {SUFFIXES.get(ending(file)[1:], "text"): file for file in files}
    if len(formats) > 1:
        what = f"{' and '.join(map(repr, formats.values()))} have different formats"
        raise OptionError(what, "input", remedy="Tag them one by one, or name the format.")
    return next(iter(formats), "text")


def completed(asked: Conversion) -> Conversion:
    """The options with the tasks that the format needs, and the finder of predicates or a file."""
    finder, listed = asked.predicates, ""
    if isinstance(finder, str) and finder != "given":
        finder, listed = finder_of(finder)
    own = isinstance(asked.model, (str, Path))
    tasks = tasks_for(asked.format, asked.tasks or (), own)
    if tasks is None and (more := format_of(asked.format).more) and not own:
        tasks = tasks_of(None, asked.folder, more)
    input = "lines" if asked.whole and asked.input == "text" else asked.input
    return replace(asked, tasks=tasks, predicates=finder, input=input, listed=listed)


def check_places(reading: Conversion, asked: Sequence[str] | None = None) -> None:
    """Raise SennaError where the output has no place for what is asked for."""
    form = format_of(reading.format)
    named = set(asked or ()) - {"all"} if "all" not in (asked or ()) else ()
    if dropped := [task for task in TASKS if task in named and not form.shows(task)]:
        what = f"{reading.format} has no place for {' and '.join(dropped)}"
        remedy = "Leave them out of --task, or choose columns, conllu or jsonl."
        raise OptionError(what, "tasks", remedy=remedy)
    utf16 = reading.offset_unit == "utf16"
    if reading.offsets and not form.offsets:
        raise OptionError(f"{reading.format} has no offsets", "offsets")
    if reading.offsets and not input_of(reading.input).offsets:
        raise OptionError(f"{reading.input} have no offsets", "offsets")
    if reading.format == "brat" and reading.input in ("html", *TABULAR):
        remedy = "Choose jsonl or spans."
        raise OptionError(
            f"brat annotates text files, not {reading.input}", "format", remedy=remedy
        )
    if reading.format == "parquet" and reading.input in TABULAR and utf16:
        raise OptionError("columns of tables count characters", "offset_unit")
    for name, wanted in (
        ("scores", reading.scores), ("n_best", reading.n_best > 1), ("offset_unit", utf16)
    ):  # fmt: skip
        if wanted:
            check_format(name, reading.format)
