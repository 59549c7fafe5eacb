"""A column of text in a table of Apache Arrow, tagged: what Spark, Polars and DuckDB hand over.

Needs pyarrow: ``pip install pyarrow``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from senna.document.serialise import records
from senna.errors import SennaError
from senna.formats.stored import types_of
from senna.formats.tables import is_text
from senna.kinds.answer import Record
from senna.pipeline.format import as_lines, together
from senna.pipeline.jobs import in_order
from senna.pipeline.options import Options, chosen, loading
from senna.pipeline.pipeline import Pipeline

try:
    import pyarrow as pa
except ImportError:
    raise SennaError("tables need pyarrow", remedy="pip install pyarrow") from None

CHARACTERS = 1 << 16  # of rows that are tagged together; a longer row is tagged by itself


@dataclass(frozen=True)
class Column:
    """How a column is tagged. It can be sent to other processes, and loads its models there."""

    name: str
    options: Options
    into: str = "sentences"  # the column that is added

    def __post_init__(self) -> None:
        if self.options.n_best > 1:
            what, remedy = "a table has no place for several taggings", "Leave it out."
            raise SennaError(what, where="--nbest", remedy=remedy)

    @property
    def pipeline(self) -> Pipeline:
        """The models, loaded once per process."""
        return loaded(self.options)

    @property
    def kind(self) -> pa.DataType:
        """The type of the column that is added."""
        return kind_of(self.pipeline.tasks, self.options.scores)

    def check(
        self,
        columns: Mapping[str, bool],
        file: str = "",
        remedy: str = "Name the new one with `into`.",
    ) -> None:
        """Raise SennaError if a table cannot be tagged; `columns`: which of them are text."""
        place = f"{file}: column " if file else ""
        if not columns.get(self.name, False):
            what = "is not text" if self.name in columns else "no such column"
            texts = ", ".join(name for name, text in columns.items() if text) or "none"
            how = f"Choose with --column: {texts}." if file else f"Columns of text: {texts}."
            raise SennaError(what, where=f"{place}{self.name}", remedy=how)
        if self.into in columns:
            what = "the table has this column already"
            raise SennaError(what, where=f"{place}{self.into}", remedy=remedy)

    def __call__(
        self, batches: Iterable[pa.RecordBatch], jobs: int = 1
    ) -> Iterator[pa.RecordBatch]:
        """Batches of rows with the new column at their end, in order; smaller ones than came."""
        with closing(in_order(partial(_tagger, self), self._parts(batches), jobs)) as results:
            yield from (tagged for _, tagged in results)

    def _parts(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows that are tagged together."""
        for batch in batches:
            start = 0
            for texts in together(self._texts(batch), lambda text: len(text or ""), CHARACTERS):
                yield batch.slice(start, len(texts))
                start += len(texts)

    def _texts(self, rows: pa.RecordBatch) -> list[str | None]:
        texts: list[str | None] = rows.column(rows.schema.names.index(self.name)).to_pylist()
        return texts

    def tagged(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Some rows with the new column."""
        texts = self._texts(rows)
        given = [text for text in texts if text is not None]
        split = self.options.split(given)
        words = [[row.words for row in rows] for rows in split]
        found = self.pipeline.annotate_documents(words, self.options.remembers)
        parts = zip(given, split, found, strict=True)
        written = (
            records(as_lines(text, rows), answers, self.options.scheme, flat=True)
            for text, rows, answers in parts
        )
        sentences: list[list[Record] | None] = [
            None if text is None else next(written) for text in texts
        ]
        column = pa.array(sentences, self.kind)
        schema = rows.schema.append(pa.field(self.into, self.kind))
        return pa.RecordBatch.from_arrays([*rows.columns, column], schema=schema)


def tag(
    table: Any,
    column: str,
    tasks: str | Sequence[str] | None = None,
    *,
    jobs: int = 1,
    **settings: Any,
) -> pa.Table | pa.RecordBatchReader:
    """Return the table with one more column: the tagged sentences of each text in `column`.

    `table` is any table with Arrow's interface: of pyarrow, Polars, DuckDB or pandas, or a dataset
    of Hugging Face. For a pyarrow.RecordBatchReader the result is another reader, which tags batch
    by batch. `jobs` is the number of processes. The settings are `scheme`, `into` (the name of the
    new column) and those of `senna.load`. The sentences of a null are null.
    """
    tagger = column_of(column, tasks, **settings)
    streams = isinstance(table, pa.RecordBatchReader)
    source = table if streams else _as_arrow(table)
    if source.schema.names.count(column) > 1:
        remedy = "Rename one of them."
        raise SennaError("the table has two columns of this name", where=column, remedy=remedy)
    tagger.check(texts_in(source.schema))
    schema = source.schema.append(pa.field(tagger.into, tagger.kind))
    if streams:
        return pa.RecordBatchReader.from_batches(schema, tagger(source, jobs))
    return pa.Table.from_batches(tagger(source.to_batches(), jobs), schema=schema)


loaded = lru_cache(maxsize=2)(Pipeline.of)  # workers get one task after another


def _tagger(column: Column) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    _ = column.pipeline  # loaded
    return column.tagged


def _as_arrow(table: Any) -> pa.Table:
    name = type(table).__name__
    try:
        if hasattr(table, "with_format"):  # Hugging Face's, which may show only some of its rows
            table = table.with_format("arrow")[:]
        elif name == "LazyFrame":
            table = table.collect()
        elif type(table).__module__.startswith("pyarrow") and hasattr(table, "to_table"):
            table = table.to_table()
        return pa.table(table)
    except pa.ArrowException as error:
        what = str(error).splitlines()[0]
        remedy = "Give a table. A column has values of one type."
        raise SennaError(f"{name}: {what}", remedy=remedy) from None
    except (TypeError, ValueError, KeyError):
        remedy = "Give one of pyarrow, Polars, DuckDB, pandas; Spark has senna.spark.tag."
        raise SennaError(f"a {name} is not a table", remedy=remedy) from None


def column_of(
    name: str, tasks: str | Sequence[str] | None = None, *, into: str = "sentences", **settings: Any
) -> Column:
    """A column to tag, from the settings of `tag`."""
    known = ["scheme", "into", *loading()]
    for setting in settings:
        if setting not in known:
            raise SennaError("no such setting", where=setting, remedy=f"Known: {', '.join(known)}.")
    return Column(name, chosen({"tasks": tasks, **settings}, ("text",)), into)


def kind_of(tasks: Sequence[str], scores: bool = False) -> pa.DataType:
    """The type of a text's sentences: a list of what `records` gives for such tasks."""
    record: dict[str, Any] = {
        "text": str,
        "start": int,
        "tokens": [{"text": str, "start": int, "end": int}],
        "tags": {},
        "spans": {},
    }
    for task in tasks:
        for name, kind in types_of(task).items():
            record[name] = record.get(name, {}) | kind if isinstance(kind, dict) else kind
    probabilities = record.pop("scores", {})
    record["scores"] = probabilities if scores else {}
    # Parquet has no structs without fields.
    return _type_of([{name: kind for name, kind in record.items() if kind != {}}], scores)


def _type_of(kind: Any, scores: bool) -> pa.DataType:
    if isinstance(kind, list):
        return pa.list_(_type_of(kind[0], scores))
    if isinstance(kind, dict):
        fields = kind | {"score": float} if scores and "first" in kind else kind
        return pa.struct([(name, _type_of(inner, scores)) for name, inner in fields.items()])
    return {int: pa.int32(), float: pa.float64(), str: pa.string()}[kind]


def texts_in(schema: pa.Schema) -> dict[str, bool]:
    """The columns of a table: whether each holds texts."""
    return {field.name: is_text(field.type) for field in schema}
