"""Texts in one column of a table: CSV, or Parquet where pyarrow or pandas is installed."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain
from typing import Any, TypeVar

from senna.errors import SennaError

T = TypeVar("T")
Keep = Sequence[str]  # names of columns
# The number of the row, from 1, its text, and its cells of other columns that are kept.
Record = tuple[int, str, Sequence[str]]
ROWS = 1_024  # of Parquet that are read together


def read_csv(lines: Iterable[str], column: str, keep: Keep = (), *, name: str) -> Iterator[Record]:
    """The texts of a column, by its name in the first row.

    Cells stand apart by tabs if the first row has one, else by commas, else by semicolons. Rows
    with nothing in them are not counted; those too short have no text. Raises SennaError, with the
    line, where there is no such column, a row has more cells than the first one, or a quotation is
    not closed.
    """
    rows = csv_rows(lines, name)
    names = next(rows, [])
    if not names:
        return
    place, *kept = [_place(names, each, f"{name}:1") for each in (column, *keep)]
    for number, row in enumerate(rows, start=1):
        if len(row) > place:
            yield number, row[place], [row[i] if i < len(row) else "" for i in kept]


def csv_rows(lines: Iterable[str], name: str) -> Iterator[list[str]]:
    """The names of the columns, then the cells of each row that has any: see `read_csv`."""
    rest = iter(lines)
    first = next(rest, "").removeprefix("\ufeff")  # byte order mark
    delimiter = next((sign for sign in "\t,;" if sign in first), ",")
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    rows = csv.reader(chain([first], rest), delimiter=delimiter, strict=True)
    try:
        names = next(rows, [])
        yield names
        for row in rows:
            if any(row[len(names) :]):
                what = f"the row has {len(row)} cells, and the first row has {len(names)}"
                mend = f"A cell with {delimiter!r} in it needs quotation marks."
                raise SennaError(what, where=f"{name}:{rows.line_num}", mend=mend)
            if row:
                yield row
    except csv.Error as error:
        raise SennaError(f"not valid CSV: {error}", where=f"{name}:{rows.line_num}") from None


def read_parquet(file: str, column: str, keep: Keep = ()) -> Iterator[Record]:
    """The texts of a column of a Parquet file; rows that are null have none.

    Raises SennaError where there is no such column, or it is not text, or no package reads Parquet.
    """
    rows = chain.from_iterable(_batches(file, column, keep))
    for number, (text, *kept) in enumerate(rows, start=1):
        if isinstance(text, str):
            yield number, text, ["" if cell is None else str(cell) for cell in kept]


def _batches(file: str, column: str, keep: Keep) -> Iterator[Iterable[Sequence[Any]]]:
    if file == "-":
        raise SennaError("Parquet cannot be read from a pipe", where="<stdin>", mend="Name a file.")
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        yield _by_pandas(file, column, keep)
        return
    arrow: Any = import_module("pyarrow")
    try:
        with parquet.ParquetFile(file) as table:
            schema = table.schema_arrow
            for name in (column, *keep):
                _place(schema.names, name, file)
                if schema.names.count(name) > 1:
                    raise SennaError(f"two columns are called {name!r}", where=file)
            kind = schema.field(column).type
            if not is_text(kind):
                raise SennaError(f"column {column!r} holds {kind}, not text", where=file)
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
        mend = "pip install pyarrow, or give CSV."
        raise SennaError("Parquet needs pyarrow, or pandas", where=file, mend=mend) from None
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    for name in (column, *keep):
        _place(list(table.columns), name, file)
    return zip(*(table[name].tolist() for name in (column, *keep)), strict=True)


def is_text(kind: Any) -> bool:
    """Whether a column of this type of Arrow holds texts, as they are, encoded or extended."""
    if str(kind).startswith(("dictionary", "run_end_encoded", "extension")):
        return is_text(getattr(kind, "storage_type", None) or kind.value_type)
    return str(kind) in ("string", "large_string", "string_view", "null")


def _unreadable(file: str, error: Exception) -> SennaError:
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    return SennaError(f"not valid Parquet: {reason}", where=file)


def _place(names: list[str], column: str, where: str) -> int:
    if column not in names:
        mend = f"Choose with --column: {', '.join(map(str, names))}."
        raise SennaError(f"no column {column!r}", where=where, mend=mend)
    return names.index(column)


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
