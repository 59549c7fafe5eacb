"""Tables: texts in a column of CSV, Parquet or lines of JSON, and what is found as rows.

`spans` and `csv` have a row for each phrase or role, with the columns `file`, `line` of the input
or `row` of a table, `start`, `end`, `task`, `label`, `text`, `score` (where scores were asked for),
`predicate` (of a role: where its predicate starts), and then those of the input that are kept.
`parquet` has a row per sentence, here as a line of JSON (see `senna.extras.parquet`), in which
trees are texts. `tsv` has a sentence per line: its label, a tab, its probability where scores were
asked for, and its text, as `senna train --task label` reads it.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any

from senna.annotation.schemes import Phrase
from senna.document.serialise import to_json
from senna.drawing.parts import on_one_line
from senna.errors import SennaError
from senna.files import Arriving
from senna.kinds import output_of
from senna.kinds.answer import Answers, Line, Output
from senna.pipeline.format import LINES, Format, Input, Piece, as_lines, together
from senna.pipeline.options import TABULAR, Options

CHARACTERS = 1 << 16  # of the rows of a table in a piece, about
ROWS = 1_024  # of Parquet that are read together
DIGITS = 3  # of a probability
NAMES = ("start", "end", "task", "label", "text", "score", "predicate")
Keep = Sequence[str]  # names of columns
# The number of the row, from 1, its text, and its cells of other columns that are kept.
Record = tuple[int, str, Sequence[str]]

# --------------------------------------------------------------------------- reading


def read_csv(lines: Iterable[str], column: str, keep: Keep = (), *, name: str) -> Iterator[Record]:
    """The texts of a column, by its name in the first row.

    Cells stand apart by tabs if the first row has one, else by commas, else by semicolons. Rows
    with nothing in them are not counted; those too short have no text. Raises SennaError, with the
    line, where there is no such column, or two, a row has more cells than the first one, or a
    quotation is not closed.
    """
    rows = csv_rows(lines, name)
    names = next(rows, [])
    if not names:
        return
    place, *kept = _places(names, column, keep, f"{name}:1")
    for number, row in enumerate(rows, start=1):
        if len(row) > place:
            yield number, row[place], [row[i] if i < len(row) else "" for i in kept]


def csv_rows(lines: Iterable[str], name: str) -> Iterator[list[str]]:
    """The names of the columns, then the cells of each row that has any: see `read_csv`."""
    rest = iter(lines)
    first = next(rest, "").removeprefix("\ufeff")  # byte order mark
    delimiter = next((sign for sign in "\t,;" if sign in first), ",")
    rows = csv.reader(chain([first], rest), delimiter=delimiter, strict=True)
    try:
        names = _next(rows) or []
        yield names
        while (row := _next(rows)) is not None:
            if any(row[len(names) :]):
                what = f"the row has {len(row)} cells, and the first row has {len(names)}"
                remedy = f"A cell with {delimiter!r} in it needs quotation marks."
                raise SennaError(what, where=f"{name}:{rows.line_num}", remedy=remedy)
            if row:
                yield row
    except csv.Error as error:
        what, remedy = f"not valid CSV: {error}", "If it is not a table, give --input text."
        raise SennaError(what, where=f"{name}:{rows.line_num}", remedy=remedy) from None


def _next(rows: Any) -> list[str] | None:
    """The next row, with cells of any length; Python's limit stays as it was."""
    limit = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(limit)


def read_jsonl(
    lines: Iterable[str], column: str, keep: Keep = (), *, name: str
) -> Iterator[Record]:
    """The texts of a member of objects, one a line; rows are lines, and nulls are left out.

    Raises SennaError, with the line, for what is no object, has no such text or is tagged already.
    """
    for number, line in enumerate(lines, start=1):
        where = f"{name}:{number}"
        if not line.strip("\ufeff \t\r\n"):
            continue
        try:
            row = json.loads(line.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            remedy = "If the file is not JSON Lines, give --input text."
            raise SennaError("the line is not a JSON object", where=where, remedy=remedy)
        if {"tokens", "tags", "spans"} <= row.keys() or {"tasks", "sentences"} <= row.keys():
            remedy = "senna match and senna.read take tagged files."
            raise SennaError("this is tagged already", where=where, remedy=remedy)
        _places([*row], column, (), where, "member")
        text, cells = row[column], [row.get(each) for each in keep]
        if not isinstance(text, str | None):
            what, remedy = f"{column!r} is {text!r:.40}, not a text", "Make it a string."
            raise SennaError(what, where=where, remedy=remedy)
        if text is not None:
            yield (
                number,
                text,
                ["" if c is None else c if isinstance(c, str) else to_json(c) for c in cells],
            )


def read_parquet(file: str, column: str, keep: Keep = ()) -> Iterator[Record]:
    """The texts of a column of a Parquet file, by pyarrow or pandas; rows that are null have none.

    Raises SennaError where there is no such column, or it is not text, or no package reads Parquet.
    """
    rows = chain.from_iterable(_batches(file, column, keep))
    for number, (text, *kept) in enumerate(rows, start=1):
        if isinstance(text, str):
            yield number, text, ["" if cell is None else str(cell) for cell in kept]


def _batches(file: str, column: str, keep: Keep) -> Iterator[Iterable[Sequence[Any]]]:
    if file == "-":
        raise SennaError(
            "Parquet cannot be read from a pipe", where="<stdin>", remedy="Name a file."
        )
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        yield _by_pandas(file, column, keep)
        return
    arrow: Any = import_module("pyarrow")
    try:
        with parquet.ParquetFile(file) as table:
            schema = table.schema_arrow
            _places(schema.names, column, keep, file)
            kind = schema.field(column).type
            if not is_text(kind):
                what, remedy = f"column {column!r} holds {kind}, not text", "Choose with --column."
                raise SennaError(what, where=file, remedy=remedy)
            for batch in table.iter_batches(ROWS, columns=list({column: 0, **dict.fromkeys(keep)})):
                yield zip(
                    *(batch.column(name).to_pylist() for name in (column, *keep)), strict=True
                )
    except UnicodeDecodeError:
        raise SennaError("a text in it is not UTF-8", where=file) from None
    except (arrow.ArrowException, OSError) as error:
        raise _unreadable(file, error) from None


def _by_pandas(file: str, column: str, keep: Keep) -> Iterable[Sequence[Any]]:
    """The whole columns, by whatever pandas reads Parquet with."""
    try:
        pandas: Any = import_module("pandas")
        table = pandas.read_parquet(file)
    except ImportError:
        remedy = "pip install pyarrow, or give CSV."
        raise SennaError("Parquet needs pyarrow, or pandas", where=file, remedy=remedy) from None
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    _places(list(table.columns), column, keep, file)
    return zip(*(table[name].tolist() for name in (column, *keep)), strict=True)


def is_text(kind: Any) -> bool:
    """Whether a column of this type of Arrow holds texts, as they are, encoded or extended."""
    if str(kind).startswith(("dictionary", "run_end_encoded", "extension")):
        return is_text(getattr(kind, "storage_type", None) or kind.value_type)
    return str(kind) in ("string", "large_string", "string_view", "null")


def _unreadable(file: str, error: Exception) -> SennaError:
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    return SennaError(f"not valid Parquet: {reason}", where=file)


def _places(
    names: list[str], column: str, keep: Keep, where: str, kind: str = "column"
) -> list[int]:
    """The places of the column of the text, and of those that are kept."""
    for name, flag in ((column, "--column"), *((name, "--keep") for name in keep)):
        if names.count(name) > 1:
            what, remedy = f"two {kind}s are called {name!r}", "Rename one of them."
            raise SennaError(what, where=where, remedy=remedy)
        if name not in names:
            remedy = f"Choose with {flag}: {', '.join(map(str, names))}."
            raise SennaError(f"no {kind} {name!r}", where=where, remedy=remedy)
    return [names.index(name) for name in (column, *keep)]


def _cut(
    read: Callable[..., Iterator[Record]], source: Arriving, name: str, options: Options
) -> Iterator[Piece]:
    lines = (line for block in source.lines() for line in block)
    return _pieces(read(lines, options.column, options.keep, name=name))


def _pieces(records: Iterable[Record]) -> Iterator[Piece]:
    """Rows of a table, some in a piece."""
    for held in together(records, lambda record: len(record[1]), CHARACTERS, LINES):
        yield Piece(0, sum(len(text) for _, text, _ in held), held)


def _lines(piece: Piece, options: Options) -> list[Line]:
    split = options.split([text for _, text, _ in piece.content])
    return [
        line._replace(row=row, opens=i == 0, kept=dict(zip(options.keep, kept, strict=True)))
        for (row, text, kept), sentences in zip(piece.content, split, strict=True)
        for i, line in enumerate(as_lines(text, sentences))
    ]


# --------------------------------------------------------------------------- writing


def has_spans(task: str) -> bool:
    """Whether answers of a task have spans with labels."""
    return type(output_of(task)).spans is not Output.spans


def phrases_of(answers: Answers) -> Iterator[Phrase]:
    """The spans of answers, one task after another."""
    for task, answer in answers.items():
        yield from (labelled.phrase for labelled in output_of(task).spans(answer))


def names(options: Options) -> list[str]:
    """The names of the columns of spans."""
    return ["file", "row" if options.input in TABULAR else "line", *NAMES, *options.keep]


def _rows(line: Line, answers: Answers) -> Iterator[list[str]]:
    number = line.row or line.line
    for task, answer in answers.items():
        for labelled in output_of(task).spans(answer):
            phrase, predicate = labelled
            span, score = line.span("label", phrase), labelled.score(answer)
            yield [
                line.file,
                str(number) if number else "",
                str(span["start"]),
                str(span["end"]),
                task,
                phrase.label,
                span["text"],
                "" if score is None else str(round(score, DIGITS)),
                "" if predicate is None else str(line.place(predicate, predicate + 1)[0]),
                *(line.kept or {}).values(),
            ]


def _tabbed(rows: Iterable[list[str]]) -> str:
    return "".join("\t".join(map(on_one_line, row)) + "\n" for row in rows)


def _quoted(rows: Iterable[list[str]]) -> str:
    """Rows of CSV, in which a cell keeps its line ends."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _labelled(line: Line, answers: Answers, options: Options) -> str:
    label = answers["label"]
    score = "" if label.score is None else f"\t{label.score:.3f}"
    return f"{label}{score}\t{on_one_line(line.text)}\n"


def _of_spans(about: str, write: Callable[[Iterable[list[str]]], str]) -> Format:
    """A format with a row per span, whose rows are written so."""
    return Format(
        lambda line, answers, options: write(_rows(line, answers)),
        about=about,
        tasks=("ner",),
        shows=has_spans,
        head=lambda options: write([names(options)]),
    )


INPUTS = {
    "csv": Input(_lines, about="a column of raw text (see --column)", cut=partial(_cut, read_csv)),
    "jsonl": Input(
        _lines, about="a text of each line of JSON (see --column)", cut=partial(_cut, read_jsonl)
    ),
    "parquet": Input(
        _lines,
        about="a text column of a Parquet file (see --column)",
        load=lambda file, options: _pieces(read_parquet(file, options.column, options.keep)),
    ),
}
FORMATS = {
    "spans": _of_spans("one row per phrase or role, tab-separated", _tabbed),
    "csv": _of_spans("the same rows as CSV", _quoted),
    "parquet": Format(
        lambda line, answers, options: "",
        convert=lambda *run: import_module("senna.extras.parquet").convert(*run),
        about="the same objects as Parquet, or a table with one more column",
        is_text=False,
        offsets=True,
    ),
    "tsv": Format(
        _labelled,
        about="label, tab, text",
        tasks=("label",),
        needs=True,
        shows=("label",).__contains__,
    ),
}
