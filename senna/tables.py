"""A column of text in a table of Apache Arrow, tagged: what Spark, Polars and DuckDB hand over.

Needs pyarrow: ``pip install 'senna[spark]'``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import senna
from senna.document.nlp import Nlp
from senna.errors import SennaError
from senna.outputs import output_of
from senna.outputs.base import Line, Record
from senna.text import schemes, sentences
from senna.writing.jsonl import records

try:
    import pyarrow as pa
except ImportError:
    raise SennaError("tables need pyarrow", mend="pip install 'senna[spark]'") from None

CHARACTERS = 1 << 16  # of rows that are tagged together; a longer row is tagged by itself


@dataclass(frozen=True)
class Tagger:
    """How a column is tagged. It can be sent to other processes, and loads its models there."""

    column: str
    tasks: tuple[str, ...] | None = None
    model: str | Path | None = None
    scheme: str = "iobes"
    into: str = "sentences"  # the column that is added
    convention: str = "modern"
    line_breaks: str = "auto"
    predicates: str | Path = "auto"

    @property
    def nlp(self) -> Nlp:
        """The models, loaded once a process."""
        return _loaded(self.tasks, self.model, self.convention, self.line_breaks, self.predicates)

    @property
    def kind(self) -> pa.DataType:
        """The type of the column that is added; raises SennaError for what is not known."""
        if self.scheme not in schemes.SCHEMES:
            mend = f"Choose {' or '.join(schemes.SCHEMES)}."
            raise SennaError(f"scheme = {self.scheme!r} is not known", mend=mend)
        return kind_of(self.nlp.tasks)

    def check(self, columns: dict[str, bool]) -> None:
        """Raise SennaError if a table cannot be tagged; `columns`: which of them are text."""
        if not columns.get(self.column, False):
            what = "is no text" if self.column in columns else "no such column"
            texts = ", ".join(name for name, text in columns.items() if text)
            raise SennaError(what, where=self.column, mend=f"Columns of text: {texts or 'none'}.")
        if self.into in columns:
            what = "the table has this column already"
            raise SennaError(what, where=self.into, mend="Name the new one with `into`.")

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches of rows with the new column at their end, in order; smaller ones than came."""
        kind = self.kind
        for batch in batches:
            texts = batch.column(batch.schema.names.index(self.column)).to_pylist()
            for start, end in _runs(texts):
                found = pa.array(self._tagged(texts[start:end]), kind)
                own = batch.slice(start, end - start)
                schema = batch.schema.append(pa.field(self.into, kind))
                yield pa.RecordBatch.from_arrays([*own.columns, found], schema=schema)

    def _tagged(self, texts: Sequence[str | None]) -> list[list[Record] | None]:
        """What is found in each text: its sentences, as `senna tag --format jsonl` writes them."""
        nlp = self.nlp
        split = [sentences.split(text or "", self.convention, self.line_breaks) for text in texts]
        lines = [
            Line(text[own[0].start : own[-1].end], own[0].start, own)
            for text, rows in zip(texts, split, strict=True)
            if text is not None
            for own in rows
        ]
        found = nlp.pipeline.annotate([[token.text for token in line.tokens] for line in lines])
        rest = records(lines, found, self.scheme, flat=True)
        return [
            None if text is None else [next(rest) for _ in rows]
            for text, rows in zip(texts, split, strict=True)
        ]


def tag(
    table: Any, column: str, tasks: str | Sequence[str] | None = None, **settings: Any
) -> pa.Table:
    """A table with one column more: the sentences of each text in `column`, tagged.

    `table` is anything with Arrow's interface: of pyarrow, Polars, DuckDB, pandas. Settings are
    those of `Tagger`. A null has null for its sentences.
    """
    tagger = tagger_of(column, tasks, **settings)
    source = pa.table(table)
    tagger.check({field.name: _is_text(field.type) for field in source.schema})
    schema = source.schema.append(pa.field(tagger.into, tagger.kind))
    return pa.Table.from_batches(tagger(source.to_batches()), schema=schema)


def tagger_of(column: str, tasks: str | Sequence[str] | None, **settings: Any) -> Tagger:
    """A tagger of tasks that are named in a list, or in a text with commas."""
    if isinstance(tasks, str):
        tasks = [task.strip() for task in tasks.split(",")]
    return Tagger(column, None if tasks is None else tuple(tasks), **settings)


def kind_of(tasks: Sequence[str]) -> pa.DataType:
    """The type of a text's sentences: a list of what `records` gives for such tasks."""
    record: dict[str, Any] = {
        "text": str,
        "start": int,
        "tokens": [_TOKEN],
        "tags": {},
        "spans": {},
    }
    for task in tasks:
        for name, kind in output_of(task).types(task).items():
            record[name] = record.get(name, {}) | kind if isinstance(kind, dict) else kind
    # Parquet has no structs without fields.
    return _type_of([{name: kind for name, kind in record.items() if kind != {}}])


_TOKEN = {"text": str, "start": int, "end": int}


def _type_of(kind: Any) -> pa.DataType:
    """The type of a value of JSON: see `senna.outputs.base.SPAN`."""
    if isinstance(kind, list):
        return pa.list_(_type_of(kind[0]))
    if isinstance(kind, dict):
        return pa.struct([(name, _type_of(inner)) for name, inner in kind.items()])
    return pa.int32() if kind is int else pa.string()


# A worker of Spark serves one task after another, and each brings its tagger anew.
@lru_cache(maxsize=2)
def _loaded(
    tasks: tuple[str, ...] | None,
    model: str | Path | None,
    convention: str,
    line_breaks: str,
    predicates: str | Path,
) -> Nlp:
    return senna.load(
        tasks, model, convention=convention, line_breaks=line_breaks, predicates=predicates
    )


def _runs(texts: Sequence[str | None]) -> Iterator[tuple[int, int]]:
    """Rows, as (start, end), that are tagged together: none is left out, and none too many."""
    start = size = 0
    for i, text in enumerate(texts):
        size += len(text or "")
        if size >= CHARACTERS:
            yield start, i + 1
            start, size = i + 1, 0
    if start < len(texts):
        yield start, len(texts)


def _is_text(kind: pa.DataType) -> bool:
    return str(kind) in ("string", "large_string", "string_view")
