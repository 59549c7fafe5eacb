"""Tagged text as Parquet: a row per sentence, or the rows of a table with one more column."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from senna.document.serialise import records
from senna.errors import SennaError
from senna.files import open_text
from senna.formats.tables import csv_rows
from senna.kinds.answer import Record
from senna.pipeline.files import tag_files
from senna.pipeline.format import Piece
from senna.pipeline.options import TABULAR, Options
from senna.pipeline.pipeline import Pipeline, Tagged

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise SennaError("Parquet needs pyarrow", remedy="pip install pyarrow") from None

from senna.tables import Column, kind_of, texts_in

ROWS = 1_024  # of CSV that are read together
BEFORE = {"file": pa.string(), "row": pa.int32(), "line": pa.int32()}  # of a sentence


def convert(
    files: Sequence[str],
    options: Options,
    jobs: int,
    tagged: Callable[[Piece], object],
    load: Callable[[], Pipeline] | None,
) -> Iterator[bytes]:
    """Files as Parquet: see `senna.pipeline.files.output`."""
    if options.input in TABULAR:
        return rows(files, options, jobs)
    record = kind_of(options.run(), options.scores).value_type
    schema = pa.schema([*BEFORE.items(), *((field.name, field.type) for field in record)])
    make = partial(_records, options.scheme)
    tags = tag_files(files, options, make, jobs, tagged, load)
    return written(schema, (pa.RecordBatch.from_pylist(some, schema) for some in tags))


def _records(scheme: str, tagged: Tagged) -> list[Record]:
    return records(tagged.lines, tagged.annotation, scheme, flat=True)


def rows(files: Iterable[str], options: Options, jobs: int) -> Iterator[bytes]:
    """A file with the rows of a table, with one more column, the sentences."""
    names = list(files)
    if len(names) != 1:
        what = f"{len(names)} tables do not make one"
        raise SennaError(what, where="--format", remedy="Give one file, or --output-dir.")
    column = Column(options.column, replace(options, input="text"))
    schema, batches = _read(names[0], options)
    column.check(texts_in(schema), names[0], "Rename it in the input.")
    new = schema.append(pa.field(column.into, column.kind))
    return written(new, column(batches, jobs))


def _read(file: str, options: Options) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """The columns and the rows of a file, those of CSV as texts."""
    if options.input == "parquet":
        try:
            table = pq.ParquetFile(file)
        except (pa.ArrowException, OSError) as error:
            raise SennaError(f"not valid Parquet: {error}", where=file) from None
        return table.schema_arrow, table.iter_batches()
    lines = csv_rows(_lines(file, options.errors), file)
    names = next(lines)
    schema = pa.schema([(name, pa.string()) for name in names])
    return schema, _csv_batches(lines, schema)


def _lines(file: str, errors: str) -> Iterator[str]:
    with open_text(file, errors) as lines:
        yield from lines


def _csv_batches(lines: Iterator[list[str]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Rows of CSV; cells that a row lacks are null."""
    width = len(schema.names)
    while some := list(islice(lines, ROWS)):
        full = [(line + [None] * width)[:width] for line in some]
        columns = [pa.array(column, pa.string()) for column in zip(*full, strict=True)]
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


class _Sink(io.BytesIO):
    """Bytes that are taken out part by part as they are written; places count all of them."""

    before = 0

    def tell(self) -> int:
        return self.before + super().tell()

    def taken(self) -> bytes:
        """The bytes written since the last call."""
        part = self.getvalue()
        self.before += len(part)
        self.seek(0)
        self.truncate(0)
        return part


def written(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    """The bytes of a Parquet file."""
    sink = _Sink()
    with pq.ParquetWriter(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            yield sink.taken()
    yield sink.taken()
