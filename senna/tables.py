"""A column of text in a table of Apache Arrow, tagged: what Spark, Polars and DuckDB hand over.

Needs pyarrow: ``pip install 'senna[spark]'``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from senna.document.nlp import Nlp, loaded
from senna.errors import SennaError
from senna.infer.pipeline import Annotation
from senna.reading.formats import as_lines
from senna.reading.texts import Reading, known_value
from senna.tasks import TASKS
from senna.text.schemes import SCHEMES
from senna.text.tokenizer import Token
from senna.writing.output import Entries, entries

try:
    import pyarrow as pa
except ImportError:
    raise SennaError("tables need pyarrow", mend="pip install 'senna[spark]'") from None

CHARACTERS = 1 << 16  # of rows that are tagged together; a longer row is tagged by itself


@dataclass(frozen=True)
class Column:
    """How a column is tagged. It can be sent to other processes, and loads its models there."""

    name: str
    reading: Reading
    scheme: str = "iobes"
    into: str = "sentences"  # the column that is added

    def __post_init__(self) -> None:
        known_value("scheme", self.scheme, SCHEMES)
        known_value("input", self.reading.input, ("text",))
        if self.reading.n_best > 1:
            raise SennaError("a table has no place for several taggings", where="n_best")

    @property
    def nlp(self) -> Nlp:
        """The models, loaded once a process."""
        return loaded(self.reading)

    @property
    def kind(self) -> pa.DataType:
        """The type of the column that is added."""
        return kind_of(self.nlp.tasks, self.reading.scores)

    def check(self, columns: dict[str, bool]) -> None:
        """Raise SennaError if a table cannot be tagged; `columns`: which of them are text."""
        if not columns.get(self.name, False):
            what = "is no text" if self.name in columns else "no such column"
            texts = ", ".join(name for name, text in columns.items() if text)
            raise SennaError(what, where=self.name, mend=f"Columns of text: {texts or 'none'}.")
        if self.into in columns:
            what = "the table has this column already"
            raise SennaError(what, where=self.into, mend="Name the new one with `into`.")

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches of rows with the new column at their end, in order; smaller ones than came."""
        kind = self.kind
        for batch in batches:
            texts = batch.column(batch.schema.names.index(self.name)).to_pylist()
            for start, end in _runs(texts):
                tagged = pa.array(self._tagged(texts[start:end]), kind)
                rows = batch.slice(start, end - start)
                schema = batch.schema.append(pa.field(self.into, kind))
                yield pa.RecordBatch.from_arrays([*rows.columns, tagged], schema=schema)

    def _tagged(self, texts: Sequence[str | None]) -> list[list[Entries] | None]:
        """What is found in each text: its sentences, as `senna tag --format jsonl` writes them."""
        parts = iter(self.nlp.parts([text for text in texts if text is not None]))
        return [None if text is None else self._sentences(text, *next(parts)) for text in texts]

    def _sentences(
        self, text: str, rows: list[list[Token]], annotation: Annotation
    ) -> list[Entries]:
        sentences = list(entries(as_lines(text, rows), annotation, self.scheme))
        for task, trees in annotation.items():
            if TASKS[task].output == "trees":  # nested as deep as they like, which no type is
                for sentence, tree in zip(sentences, trees, strict=True):
                    sentence["tree"] = str(tree)
        return sentences


def tag(
    table: Any, column: str, tasks: str | Sequence[str] | None = None, **settings: Any
) -> pa.Table:
    """A table with one column more: the sentences of each text in `column`, tagged.

    `table` is anything with Arrow's interface: of pyarrow, Polars, DuckDB, pandas. Settings are
    `scheme`, `into` (the new column's name) and those of `senna.load`. A null has null for its
    sentences.
    """
    tagger = column_of(column, tasks, **settings)
    source = pa.table(table)
    tagger.check({field.name: _is_text(field.type) for field in source.schema})
    schema = source.schema.append(pa.field(tagger.into, tagger.kind))
    return pa.Table.from_batches(tagger(source.to_batches()), schema=schema)


def column_of(
    name: str,
    tasks: str | Sequence[str] | None = None,
    *,
    scheme: str = "iobes",
    into: str = "sentences",
    **settings: Any,
) -> Column:
    """A column to tag, from the settings of `tag`."""
    return Column(name, Reading(tasks, **settings), scheme, into)


def kind_of(tasks: Sequence[str], scores: bool = False) -> pa.DataType:
    """The type of a text's sentences: a list of what `entries` gives for such tasks."""
    text, number = pa.string(), pa.int32()
    probability = [("score", pa.float64())] if scores else []

    def spans(label: str) -> pa.DataType:
        places = [(name, number) for name in ("first", "last", "start", "end")]
        return pa.list_(pa.struct([(label, text), *places, ("text", text), *probability]))

    place = [("text", text), ("start", number), ("end", number)]
    frame = pa.struct([("index", number), *place, ("arguments", spans("role"))])
    tagging = [task for task in tasks if TASKS[task].is_tagging]
    phrases = [task for task in tasks if TASKS[task].output == "phrases"]
    by_task = {
        "tags": [(task, pa.list_(text)) for task in tagging],
        "spans": [(task, spans("label")) for task in phrases],
        "scores": [(task, pa.list_(pa.float64())) for task in tagging if scores],
    }
    fields = [("text", text), ("start", number), ("tokens", pa.list_(pa.struct(place)))]
    # Parquet has no structs without fields.
    fields += [(name, pa.struct(inner)) for name, inner in by_task.items() if inner]
    others = {"roles": ("predicates", pa.list_(frame)), "trees": ("tree", text)}
    fields += [others[output] for task in tasks if (output := TASKS[task].output) in others]
    return pa.list_(pa.struct(fields))


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
