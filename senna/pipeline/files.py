"""Files in, an output format out: what `senna.convert` and `senna tag` do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

from senna.errors import SennaError
from senna.files import TO_UTF8, Arriving, ending, open_text
from senna.pipeline.format import Piece, format_of, input_of, tasks_for
from senna.pipeline.models import finder_of, tasks_of
from senna.pipeline.options import TABULAR, Options, check_format, chosen
from senna.pipeline.pipeline import Pipeline, Tagged, check_separated, tag_pieces
from senna.registry import READERS
from senna.tasks import TASKS

SUFFIXES = {"htm": "html", "conllup": "conllu", "tsv": "csv"} | {
    name: name for name in ("csv", "jsonl", "parquet", "html", "conllu")
}
BEGINNING = 4_096  # characters of a file that are looked at before the first is tagged
T = TypeVar("T")


def convert(
    files: str | Path | Sequence[str | Path],
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
    return output(names, options_for(names, {**options, "format": format}), jobs, tagged)


# --------------------------------------------------------------------------- options


def options_for(files: Sequence[str], given: Mapping[str, Any]) -> Options:
    """The options for files of one input format, complete; SennaError where they do not fit.

    A model whose only task is label gives a line of text one label, as it learnt it.
    """
    guessed = given.get("input") is None
    asked = chosen({**given, "input": input_by_suffix(files) if guessed else given["input"]})
    labels = bool(asked.tasks or asked.model) and asked.run() == ["label"]
    format = given.get("format") or "columns"
    if labels and given.get("format") is None and not (asked.offsets or asked.n_best > 1):
        format = "tsv"
    whole = labels and input_of(asked.input).offsets
    options = completed(replace(asked, guessed=guessed, format=format, whole=whole))
    if options.format == "brat" and len(files) > 1:
        remedy = "Use --output-dir, which gives each text its own file, or tag one by one."
        what = "brat has one file of annotations per text"
        raise SennaError(what, where="--format", remedy=remedy)
    if options.listed:
        check_separated(options)
    return options


def input_by_suffix(files: Sequence[str]) -> str:
    """The input format of files, by their suffixes; SennaError where these differ."""
    formats = {SUFFIXES.get(ending(file)[1:], "text"): file for file in files}
    if len(formats) > 1:
        what = f"{' and '.join(map(repr, formats.values()))} have different formats"
        remedy = "Tag them one by one, or name the format."
        raise SennaError(what, where="--input", remedy=remedy)
    return next(iter(formats), "text")


def completed(asked: Options) -> Options:
    """The options with the tasks that the format needs, and the finder of predicates or a file.

    Raises SennaError where the output has no place for what is asked for.
    """
    finder, listed = asked.predicates, ""
    if isinstance(finder, str) and finder != "given":
        finder, listed = finder_of(finder)
    own = isinstance(asked.model, (str, Path))
    tasks = tasks_for(asked.format, asked.tasks or (), own)
    if tasks is None and (more := format_of(asked.format).more) and not own:
        tasks = tasks_of(None, asked.folder, more)
    _check_places(asked)
    input = "lines" if asked.whole and asked.input == "text" else asked.input
    return replace(asked, tasks=tasks, predicates=finder, input=input, listed=listed)


def _check_places(asked: Options) -> None:
    form, utf16 = format_of(asked.format), asked.offset_unit == "utf16"
    named = () if "all" in (asked.tasks or ()) else asked.tasks or ()
    if dropped := [task for task in TASKS if task in named and not form.shows(task)]:
        what = f"has no place for {' and '.join(dropped)}"
        remedy = f"Leave {' and '.join(dropped)} out of --task, or choose columns, conllu or jsonl."
        raise SennaError(what, where=f"--format {asked.format}", remedy=remedy)
    if asked.offsets and not form.offsets:
        remedy = "Choose --format columns, conllu or jsonl."
        raise SennaError(f"{asked.format} has no offsets", where="--offsets", remedy=remedy)
    if asked.offsets and not input_of(asked.input).offsets:
        remedy = "Leave it out, or give text."
        raise SennaError(f"{asked.input} have no offsets", where="--offsets", remedy=remedy)
    if (asked.keep or asked.column != "text") and asked.input not in TABULAR:
        what, remedy = f"only tables have names of columns, not {asked.input}", "Give --input csv."
        raise SennaError(what, where="--keep" if asked.keep else "--column", remedy=remedy)
    if asked.format == "brat" and asked.input in ("html", *TABULAR):
        what, remedy = f"brat annotates text files, not {asked.input}", "Choose jsonl or spans."
        raise SennaError(what, where="--format", remedy=remedy)
    if asked.format == "parquet" and asked.input in TABULAR and utf16:
        remedy = "Leave it out."
        raise SennaError("columns of tables count characters", where="--offset-unit", remedy=remedy)
    for name, wanted in (
        ("scores", asked.scores), ("n_best", asked.n_best > 1), ("offset_unit", utf16)
    ):  # fmt: skip
        if wanted:
            check_format(name, asked.format)


# --------------------------------------------------------------------------- reading


def check_files(files: Sequence[str], options: Options) -> None:
    """SennaError for a file that is missing, cannot be read, or begins with unexpected markup."""
    for file in files:
        if file == "-" or (os.path.exists(file) and not os.path.isfile(file)):
            continue  # a pipe can be read once
        if " " in file.strip() and not os.path.exists(file):
            import shlex  # not needed to tag, and not free to load

            remedy = f"For a text: echo {shlex.quote(file)} | senna tag"
            raise SennaError("no such file", where=file, remedy=remedy)
        with _opened(file, options) as stream:
            start = "" if input_of(options.input).load else stream.read(BEGINNING)
        _check_plain(start, file, options)


def _check_plain(text: str, name: str, options: Options) -> None:
    """SennaError where a file is only taken for raw text and begins with this, which is markup."""
    if (
        options.guessed
        and options.input == "text"
        and (found := READERS["columns"].markup_of(text))
    ):
        form, _, kind = found.partition(" ")
        table = ", or csv for a table with a row of names" if form == "columns" else ""
        reads = (
            f"Say --input {form}{table}" if form else "senna match and senna.read take tagged files"
        )
        remedy = f"{reads}; --input text tags it as text."
        raise SennaError(f"this looks like {kind}, not like text", where=name, remedy=remedy)


def read_files(
    files: Sequence[str], options: Options, piped: TextIO | None = None
) -> Iterator[Piece]:
    """The pieces of all files ("-": standard input), which are checked before the first."""
    check_files(files, options)
    load = input_of(options.input).load
    for file in files:
        pieces = load(file, options) if load else _read_text(file, options, piped)
        opens, named = True, file if file != "-" else ""
        for piece in pieces:
            if opens and not named:
                _check_plain(piece.content, "<stdin>", options)
            yield piece._replace(file=named, opens=opens)
            opens = False


def _opened(file: str, options: Options) -> TextIO:
    return open_text(file, options.errors, f"{TO_UTF8[:-1]}, or use --errors replace.")


def _read_text(file: str, options: Options, piped: TextIO | None) -> Iterator[Piece]:
    with piped or _opened(file, options) as stream:
        yield from read_pieces(stream, "<stdin>" if file == "-" else file, options)


def read_pieces(stream: TextIO, name: str, options: Options) -> Iterator[Piece]:
    """Cut the input into pieces of whole sentences; where it pauses none is held back."""
    cut = input_of(options.input).cut
    assert cut is not None
    yield from cut(Arriving(stream), name, options)


# --------------------------------------------------------------------------- tagging


def output(
    files: Sequence[str],
    options: Options,
    jobs: int = 1,
    tagged: Callable[[Piece], object] = lambda piece: None,
    load: Callable[[], Pipeline] | None = None,
) -> Iterator[bytes]:
    """The output for some files; `load` gives the models, by default those that are named."""
    form = format_of(options.format)
    if form.convert is not None:
        return form.convert(files, options, jobs, tagged, load)
    texts = tag_files(files, options, partial(Tagged.write, options=options), jobs, tagged, load)
    # A surrogate can only have come from the input's own escapes: let it out.
    return (part.encode("utf-8", "surrogatepass") for part in form.stream(texts, options))


def tag_files(
    files: Sequence[str],
    options: Options,
    make: Callable[[Tagged], T],
    jobs: int = 1,
    tagged: Callable[[Piece], object] = lambda piece: None,
    load: Callable[[], Pipeline] | None = None,
    piped: TextIO | None = None,
) -> Iterator[T]:
    """Yield what `make` makes of the tagged sentences of each piece of some files.

    piped: standard input, if it is open.
    """
    pieces = read_files(files, options, piped)
    if options.listed:
        pieces = _with_predicates(pieces, check_separated(options), options.listed)
    with closing(tag_pieces(pieces, options, make, jobs, load)) as results:
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
