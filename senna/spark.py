"""Text in tables of Apache Spark, tagged on all its machines.

>>> import senna.spark
>>> tagged = senna.spark.tag(df, "text", ["pos", "ner"])  # doctest: +SKIP

Needs pyspark: ``pip install '.[spark]'``, here and on the machines that compute.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from senna.errors import SennaError
from senna.tables import column_of

try:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, functions, types
except ImportError:
    raise SennaError("pyspark is not installed", remedy="pip install 'pyspark[sql]'") from None


TEXT = "senna_text"  # the name of the column while it is tagged


def tag(
    df: DataFrame, column: str | Column, tasks: str | Sequence[str] | None = None, **settings: Any
) -> DataFrame:
    """Return the data frame with one more column: the tagged sentences of each text in `column`.

    `column` is a name, a field of a struct ("page.body"), or a Column. The settings are
    those of `senna.tables.tag`. Spark computes nothing before rows are requested, but a table that
    cannot be tagged raises SennaError immediately.
    """
    _check_python(df)
    tagger = column_of(TEXT, tasks, **settings)
    names = df.columns
    # Spark takes a point in a name for that of a field: columns go by numbers meanwhile.
    numbers = [f"c{i}" for i in range(len(names))]
    numbered = df.select("*", _column(df, column).alias(TEXT)).toDF(*numbers, TEXT)
    fields = [*numbered.schema.fields, types.StructField(tagger.into, _kind(tagger.kind))]
    texts = {field.name: _is_text(field) for field in df.schema}
    shown = column if isinstance(column, str) else str(column)
    replace(tagger, name=shown).check({**texts, shown: _is_text(numbered.schema[TEXT])})
    tagged = numbered.mapInArrow(tagger, types.StructType(fields))
    return tagged.drop(TEXT).toDF(*names, tagger.into)


def _check_python(df: DataFrame) -> None:
    """Raise SennaError where Spark computes on this machine, with a Python that cannot tag."""
    context = getattr(df.sparkSession, "_sc", None)  # not there where Spark is another machine's
    if context is not None and context.master.startswith("local"):
        program = context.pythonExec
        if not _can_tag(program):
            what = f"Spark's Python, {program}, does not have senna"
            remedy = f"Before Spark starts: export PYSPARK_PYTHON={sys.executable}"
            raise SennaError(what, where="PYSPARK_PYTHON", remedy=remedy)


@cache
def _can_tag(program: str) -> bool:
    path = shutil.which(program)
    if path is None or os.path.abspath(path) == os.path.abspath(sys.executable):
        return path is not None
    same = f"sys.version_info[:2] == {sys.version_info[:2]}"
    code = f"import sys, senna.tables, pyarrow; sys.exit(not {same})"
    return not subprocess.run([path, "-c", code], capture_output=True).returncode


def _column(df: DataFrame, column: str | Column) -> Column:
    """A column of a frame by its name, in whatever case, or by its path; or as it is."""
    if not isinstance(column, str):
        return column
    kind: types.DataType = df.schema
    # Spark's own answer to a name that is not there comes with pages of its log.
    for part in [column] if column in df.columns else column.split("."):
        fields = {field.name.lower(): field for field in getattr(kind, "fields", ())}
        if isinstance(kind, types.MapType):
            kind = kind.valueType
        elif (name := part.strip("`").lower()) in fields:
            kind = fields[name].dataType
        else:
            names = ", ".join(field.name for field in df.schema if _is_text(field))
            remedy = f"Columns of text: {names or 'none'}."
            raise SennaError("no such column", where=column, remedy=remedy)
    return df[f"`{column}`"] if column in df.columns else functions.col(column)


def _is_text(field: types.StructField) -> bool:
    return isinstance(field.dataType, types.StringType | types.VarcharType | types.CharType)


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
