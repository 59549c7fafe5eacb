"""Spark itself, in two threads and four tries a task: the rows that `senna tag` prints."""

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from senna.errors import SennaError
from tests.clients.texts import TASKS, TEXTS, expected
from tests.processes import ROOT

pytest.importorskip("pyspark")
pytest.importorskip("pandas")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("needs Java", allow_module_level=True)

from pyspark.sql import DataFrame, SparkSession

import senna.spark
from senna import tables

pytestmark = pytest.mark.filterwarnings("ignore")  # Spark's own


@pytest.fixture(scope="module")
def spark(tmp_path_factory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.chdir(folder)
        builder = SparkSession.builder.master("local[2,4]")
        for name, value in (
            ("spark.ui.enabled", "false"),
            ("spark.sql.shuffle.partitions", "2"),
            ("spark.sql.warehouse.dir", str(folder / "warehouse")),
            ("spark.local.dir", str(folder)),
        ):
            builder = builder.config(name, value)
        own = builder.getOrCreate()
        own.sparkContext.setLogLevel("OFF")
        yield own
        own.stop()


@pytest.fixture
def articles(as_file) -> Path:
    rows = [{"id": i, "text": text} for i, text in enumerate(TEXTS)]
    path = as_file("articles.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def df(spark) -> DataFrame:
    """The texts in four parts, with a column that has nulls."""
    rows = [(None if i == 2 else i, text, [i]) for i, text in enumerate(TEXTS)]
    return spark.createDataFrame(rows, "id int, text string, more array<int>").repartition(4)


def plain(rows: list[Any]) -> list[dict[str, Any]]:
    return sorted((row.asDict(recursive=True) for row in rows), key=lambda row: row["more"])


def test_rows_are_those_of_the_command(df):
    tagged = senna.spark.tag(df, "text", TASKS)
    found = plain(tagged.collect())
    assert tagged.columns == ["id", "text", "more", "sentences"]
    assert [row["id"] for row in found] == [0, 1, None, 3, 4, 5]
    assert [row["text"] for row in found] == list(TEXTS)
    assert [row["sentences"] for row in found] == expected()


def test_texts_are_named_as_spark_names_columns(spark):
    text = "It rained in Basel."
    rows = [(1, text, (text.upper(), 2), text)]
    kind = "`a.id` int, text string, page struct<body:string,n:int>, `my.text` string"
    df = spark.createDataFrame(rows, kind)
    [wanted] = expected([text], "--task", "ner")
    for column in ("text", "TEXT", df.text, df["text"], "my.text"):
        tagged = senna.spark.tag(df, column, "ner")
        assert tagged.columns == [*df.columns, "sentences"]
        [row] = tagged.collect()
        assert row["a.id"] == 1 and row["my.text"] == text
        assert row.asDict(recursive=True)["sentences"] == wanted
    for column in ("page.body", df.page.body):
        [row] = senna.spark.tag(df, column, "ner").collect()
        assert row["sentences"][0]["text"] == text.upper()
    for column in ("page.n", "page", df.page.n):
        with pytest.raises(SennaError, match="is not text. Columns of text: text, my.text"):
            senna.spark.tag(df, column, "ner")
    with pytest.raises(SennaError, match="page.x: no such column"):
        senna.spark.tag(df, "page.x", "ner")


def test_a_python_without_senna_is_told(df, spark, monkeypatch):
    for program in ("false", "no-such-python"):
        monkeypatch.setattr(spark.sparkContext, "pythonExec", program)
        message = (
            f"PYSPARK_PYTHON: Spark's Python, {program}, .*export PYSPARK_PYTHON={sys.executable}"
        )
        with pytest.raises(SennaError, match=message):
            senna.spark.tag(df, "text", "ner")
    monkeypatch.setattr(spark.sparkContext, "pythonExec", sys.executable)
    senna.spark.tag(df, "text", "ner")


def test_streams_are_tagged(spark, articles, tmp_path):
    """As docs/spark.md has it."""
    page = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    [code] = [
        code for code in re.findall(r"```python\n(.*?)```", page, re.S) if "readStream" in code
    ]
    (tmp_path / "texts").mkdir()
    shutil.copy(articles, tmp_path / "texts")
    names: dict[str, Any] = {"spark": spark, "senna": senna}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for folder in ("texts", "tagged", "checkpoint"):
            code = code.replace(f'"{folder}"', repr(str(tmp_path / folder)))
        exec(code, names)
    found = spark.read.parquet(str(tmp_path / "tagged"))
    rows = sorted(found.collect(), key=lambda row: row["id"])
    wanted = expected(list(TEXTS), "--task", "ner")
    assert [row.asDict(recursive=True)["sentences"] for row in rows] == wanted


def test_columns_have_types(df):
    kind = senna.spark.tag(df, "text", "pos,ner,srl").schema["sentences"].dataType.simpleString()
    place = "text:string,start:int,end:int"
    phrase = "first:int,last:int,start:int,end:int,text:string"
    assert kind == (
        f"array<struct<text:string,start:int,tokens:array<struct<{place}>>,"
        "tags:struct<pos:array<string>,ner:array<string>>,"
        f"spans:struct<ner:array<struct<label:string,{phrase}>>>,"
        f"predicates:array<struct<index:int,{place},"
        f"arguments:array<struct<role:string,{phrase}>>>>>>"
    )


def test_models_are_loaded_once_a_process(df):
    tagger = tables.column_of("text", "pos")

    def counting(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for _ in tagger(batches):
            pass
        row = [os.getpid(), tables.loaded.cache_info().misses]
        yield pa.RecordBatch.from_arrays([pa.array([own]) for own in row], names=["id", "loads"])

    counted = df.mapInArrow(counting, "id bigint, loads bigint")
    found = [(row.id, row.loads) for _ in range(2) for row in counted.collect()]
    processes = {own for own, _ in found}
    assert len(found) > len(processes), "some process has had several tasks"
    assert len(set(found)) == len(processes), "and loaded nothing for the later ones"


def test_a_killed_worker_loses_nothing(df, tmp_path):
    tagger = tables.column_of("text", "pos")
    marker = str(tmp_path / "killed")
    kill = int(signal.SIGKILL)

    def dying(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in tagger(batches):
            yield batch
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), kill)

    whole = senna.spark.tag(df, "text", "pos")
    survived = df.mapInArrow(dying, whole.schema)
    assert plain(survived.collect()) == plain(whole.collect())
    assert os.path.exists(marker)


@pytest.mark.parametrize(
    ("column", "settings", "message"),
    [
        ("body", {}, "body: no such column. Columns of text: text."),
        ("id", {}, "id: is not text. Columns of text: text."),
        ("text", {"into": "more"}, "more: the table has this column already."),
        ("text", {"tasks": "nouns"}, "nouns"),
    ],
)
def test_faults_are_told_before_spark_starts_work(df, column, settings, message):
    with pytest.raises(SennaError, match=re.escape(message)):
        senna.spark.tag(df, column, **settings)
