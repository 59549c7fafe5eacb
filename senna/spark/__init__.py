"""Text in tables of Apache Spark, tagged on all its machines.

>>> import senna.spark
>>> tagged = senna.spark.tag(df, "text", ["pos", "ner"])  # doctest: +SKIP

Needs pyspark: ``pip install 'senna[spark]'``, here and on the machines that compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from senna.errors import SennaError
from senna.tables import column_of

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, types
except ImportError:
    raise SennaError("no pyspark here", mend="pip install 'senna[spark]'") from None


def tag(
    df: DataFrame, column: str, tasks: str | Sequence[str] | None = None, **settings: Any
) -> DataFrame:
    """A data frame with one column more: the sentences of each text in `column`, tagged.

    Settings are those of `senna.tables.tag`. Nothing is computed
    before Spark is asked for rows; but what cannot be tagged raises SennaError immediately.
    """
    tagger = column_of(column, tasks, **settings)
    tagger.check({field.name: field.dataType == types.StringType() for field in df.schema})
    fields = [*df.schema.fields, types.StructField(tagger.into, _kind(tagger.kind))]
    return df.mapInArrow(tagger, types.StructType(fields))


def _kind(kind: pa.DataType) -> types.DataType:
    """A type of Arrow as one of Spark."""
    if pa.types.is_struct(kind):
        return types.StructType(
            [types.StructField(field.name, _kind(field.type)) for field in kind]
        )
    if pa.types.is_list(kind):
        return types.ArrayType(_kind(kind.value_type))
    return {
        pa.string(): types.StringType(),
        pa.int32(): types.IntegerType(),
        pa.float64(): types.DoubleType(),
    }[kind]
