"""Spark itself, in two threads and four tries a task: the rows that `senna tag` prints."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from senna.errors import SennaError
from tests.clients.texts import TASKS, TEXTS, by_command, expected

pytest.importorskip("pyspark")
pytest.importorskip("pandas")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("needs Java", allow_module_level=True)

from pyspark.sql import DataFrame, SparkSession

import senna.spark
from senna import tables
from senna.spark import submit

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.filterwarnings("ignore")  # Spark's own


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
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


@pytest.fixture(scope="module")
def df(spark: SparkSession) -> DataFrame:
    """The texts in four parts, with a column that has nulls."""
    rows = [(None if i == 2 else i, text, [i]) for i, text in enumerate(TEXTS)]
    return spark.createDataFrame(rows, "id int, text string, more array<int>").repartition(4)


def plain(rows: list[Any]) -> list[dict[str, Any]]:
    return sorted((row.asDict(recursive=True) for row in rows), key=lambda row: row["more"])


def test_rows_are_those_of_the_command(df: DataFrame) -> None:
    tagged = senna.spark.tag(df, "text", TASKS)
    found = plain(tagged.collect())
    assert tagged.columns == ["id", "text", "more", "sentences"]
    assert [row["id"] for row in found] == [0, 1, None, 3, 4, 5]
    assert [row["text"] for row in found] == list(TEXTS)
    assert [row["sentences"] for row in found] == expected()


def test_texts_are_named_as_spark_names_columns(spark: SparkSession) -> None:
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
        with pytest.raises(SennaError, match="is no text. Columns of text: text, my.text"):
            senna.spark.tag(df, column, "ner")
    with pytest.raises(SennaError, match="page.x: no such column"):
        senna.spark.tag(df, "page.x", "ner")


def test_a_python_without_senna_is_told(
    df: DataFrame, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in ("false", "no-such-python"):
        monkeypatch.setattr(spark.sparkContext, "pythonExec", program)
        message = (
            f"PYSPARK_PYTHON: Spark's Python, {program}, .*export PYSPARK_PYTHON={sys.executable}"
        )
        with pytest.raises(SennaError, match=message):
            senna.spark.tag(df, "text", "ner")
    monkeypatch.setattr(spark.sparkContext, "pythonExec", sys.executable)
    senna.spark.tag(df, "text", "ner")


def test_streams_are_tagged(spark: SparkSession, articles: Path, tmp_path: Path) -> None:
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


def test_columns_have_types(df: DataFrame) -> None:
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


def test_sql_reaches_into_them(df: DataFrame, spark: SparkSession) -> None:
    senna.spark.tag(df, "text", "ner").createOrReplaceTempView("tagged")
    names = spark.sql(
        "select span.text from (select explode(sentences) s from tagged) "
        "lateral view explode(s.spans.ner) as span where span.label = 'LOC'"
    )
    assert {row.text for row in names.collect()} >= {"Lisbon", "Zürich"}


def test_models_are_loaded_once_a_process(df: DataFrame) -> None:
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


def test_a_killed_worker_loses_nothing(df: DataFrame, tmp_path: Path) -> None:
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
        ("id", {}, "id: is no text. Columns of text: text."),
        ("text", {"into": "more"}, "more: the table has this column already."),
        ("text", {"tasks": "nouns"}, "nouns"),
    ],
)
def test_faults_are_told_before_spark_starts_work(
    df: DataFrame, column: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(SennaError, match=re.escape(message)):
        senna.spark.tag(df, column, **settings)


# --------------------------------------------------------------------------- the script


@pytest.fixture
def program(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script in this process, with the session that there is."""
    monkeypatch.setattr(SparkSession, "stop", lambda self: None)

    def run(*arguments: object) -> int:
        return submit.main([str(argument) for argument in arguments])

    return run


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """The objects in Spark's JSON files."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("part-*.json"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    path = tmp_path / "articles.jsonl"
    rows = [{"id": i, "text": text} for i, text in enumerate(TEXTS)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_spark_submit_prints_the_sentences_of_the_command(articles: Path, tmp_path: Path) -> None:
    command = [
        str(shutil.which("spark-submit", path=str(Path(sys.executable).parent))),
        *("--master", "local[2]", "--conf", "spark.ui.enabled=false", str(submit.__file__)),
        *("--input", "jsonl", "--format", "jsonl", "--task", TASKS, "--sentences"),
        *(str(articles), str(tmp_path / "out")),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["PYSPARK_PYTHON"] = sys.executable
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    wanted = [
        {"id": i, **sentence}
        for i, sentences in enumerate(expected())
        for sentence in sentences or ()
    ]
    assert lines_of(tmp_path / "out") == wanted


def test_parquet_to_parquet(
    program: Any, spark: SparkSession, df: DataFrame, tmp_path: Path
) -> None:
    df.write.parquet(str(tmp_path / "in"))
    assert program("--task", "ner", "--partitions", 3, tmp_path / "in", tmp_path / "out") == 0
    found = spark.read.parquet(str(tmp_path / "out"))
    assert found.schema == senna.spark.tag(df, "text", "ner").schema
    assert plain(found.collect()) == plain(senna.spark.tag(df, "text", "ner").collect())


def test_a_document_a_line(program: Any, tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("Anna flew. He sat.\nIt rained.\n", encoding="utf-8")
    options = ("--input", "lines", "--task", "pos", "--format", "jsonl")
    assert program(*options, path, tmp_path / "out") == 0
    found = lines_of(tmp_path / "out")
    assert [row["text"] for row in found] == ["Anna flew. He sat.", "It rained."]
    assert [len(row["sentences"]) for row in found] == [2, 1]


def test_a_document_a_file(program: Any, tmp_path: Path) -> None:
    texts = {"a.txt": "Anna flew to\nLisbon.\n\nIt rained.\n", "b.txt": "He sat.\r\n"}
    (tmp_path / "in").mkdir()
    for name, text in texts.items():
        (tmp_path / "in" / name).write_text(text, encoding="utf-8", newline="")
    options = ("--input", "files", "--task", "pos,chunk", "--format", "jsonl")
    assert program(*options, tmp_path / "in", tmp_path / "out") == 0
    found = {row["file"].rpartition("/")[2]: row["sentences"] for row in lines_of(tmp_path / "out")}
    assert found == {name: by_command(t, "--task", "pos,chunk") for name, t in texts.items()}


def test_what_stands_there_is_replaced_only_where_asked(
    program: Any, articles: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ("--input", "jsonl", "--format", "jsonl", "--task", "pos", articles, tmp_path / "out")
    assert program(*command) == 0
    capfd.readouterr()
    assert program(*command) == 2
    error = capfd.readouterr().err
    assert "senna: Spark says: [PATH_ALREADY_EXISTS]" in error and "Traceback" not in error
    assert program("--overwrite", *command) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--input", "jsonl", "--column", "body", "{articles}"), "body: no such column."),
        (("--input", "jsonl", "--task", "nouns", "{articles}"), "nouns"),
        (("--input", "jsonl", "{articles}.gone"), "Spark says: [PATH_NOT_FOUND]"),
    ],
)
def test_faults_are_told_in_a_line(
    program: Any,
    articles: Path,
    capfd: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    named = [argument.format(articles=articles) for argument in arguments]
    assert program(*named, articles.parent / "out") == 2
    error = capfd.readouterr().err
    assert "Traceback" not in error
    assert message in error.splitlines()[-1]
    assert not (articles.parent / "out").exists()


def test_a_column_that_sentences_have_too(
    program: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"start": 1, "text": "Anna flew."}\n', encoding="utf-8")
    options = ("--input", "jsonl", "--task", "pos", "--sentences", path, tmp_path / "out")
    assert program(*options) == 2
    assert "start: a column that sentences have too" in capfd.readouterr().err
