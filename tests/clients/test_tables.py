"""A column of text in tables of Arrow: what `senna tag` says, for pyarrow, Polars and DuckDB."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import senna
from senna.errors import SennaError
from tests.clients.texts import TASKS, TEXTS, expected, label_model

pytest.importorskip("pyarrow")

import pyarrow as pa

from senna import tables

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
DOCUMENTATION = Path(__file__).parents[2] / "docs" / "spark.md"


@pytest.fixture(scope="module")
def table() -> Any:
    return pa.table({"id": pa.array(range(len(TEXTS)), pa.int8()), "text": pa.array(TEXTS)})


@pytest.fixture(scope="module")
def wanted() -> list[Any]:
    return expected()


def test_a_table_gets_what_the_command_says(table, wanted):
    tagged = tables.tag(table, "text", TASKS)
    assert tagged.schema.names == ["id", "text", "sentences"]
    assert tagged.select(["id", "text"]).equals(table)
    assert tagged["sentences"].to_pylist() == wanted


def test_rows_that_are_tagged_together_do_not_matter(table, wanted, monkeypatch):
    monkeypatch.setattr(tables, "CHARACTERS", 50)
    batches = table.to_batches(max_chunksize=4)
    found = list(tables.column_of("text", TASKS)(batches))
    assert len(found) > len(batches)
    assert pa.Table.from_batches(found)["sentences"].to_pylist() == wanted


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({"tasks": "chunk", "scheme": "iob2"}, ("--task", "chunk", "--scheme", "iob2")),
        (
            {"tasks": "ner", "line_breaks": "sentence"},
            ("--task", "ner", "--line-breaks", "sentence"),
        ),
    ],
)
def test_settings_are_those_of_the_command(table, settings, options):
    tagged = tables.tag(table.slice(4, 1), "text", into="found", **settings)
    assert tagged["found"].to_pylist() == expected(TEXTS[4:5], *options)


def test_a_table_without_rows_has_the_column():
    empty = pa.table({"text": pa.array([], pa.string())})
    tagged = tables.tag(empty, "text", "pos")
    assert tagged.num_rows == 0
    assert tagged.schema.field("sentences").type == tables.kind_of(["pos"])


@pytest.mark.parametrize("kind", ["large_string", "string_view"])
def test_text_of_every_type_of_arrow(kind):
    if not hasattr(pa, kind):
        pytest.skip(f"pyarrow {pa.__version__} has no {kind}")
    texts = pa.array(["Anna flew."], getattr(pa, kind)())
    tagged = tables.tag(pa.table({"text": texts}), "text", "pos")
    assert tagged["sentences"].to_pylist() == expected(["Anna flew."], "--task", "pos")


def test_only_what_tasks_give_has_a_field():
    def fields(*tasks: str) -> list[str]:
        return [field.name for field in tables.kind_of(tasks).value_type]

    assert fields("pos") == ["text", "start", "tokens", "tags"]
    assert fields("pos", "ner") == ["text", "start", "tokens", "tags", "spans"]
    assert fields("srl") == ["text", "start", "tokens", "predicates"]
    assert fields("psg") == ["text", "start", "tokens", "tree"]


def test_trees_are_text():
    text = "She sings. (Yes!)"
    [sentences] = tables.tag(pa.table({"text": [text]}), "text", "psg")["sentences"].to_pylist()
    trees = [own["tree"] for own in sentences]
    assert trees == [sentence.tree.brackets for sentence in senna.load("psg")(text)]
    assert "(-LRB- -LRB-)" in trees[1]


@pytest.mark.parametrize(
    ("column", "settings", "message"),
    [
        ("body", {}, "body: no such column. Columns of text: text."),
        ("id", {}, "id: is not text. Columns of text: text."),
        ("text", {"into": "id"}, "id: the table has this column already."),
        ("text", {"tasks": "pos,nouns"}, "nouns"),
    ],
)
def test_faults_are_told_in_a_line(table, column, settings, message):
    with pytest.raises(SennaError, match=re.escape(message)):
        tables.tag(table, column, **{"tasks": "pos", **settings})


def test_scores_and_own_phrases_as_in_json():
    table = pa.table({"text": ["Ann Lee met quxly frobs.", None]})
    lists = {"ORG": ["quxly frobs"]}
    tagged = tables.tag(table, "text", "ner,srl", scores=True, gazetteer=lists, force=True)
    rows = tagged["sentences"].to_pylist()
    assert rows[1] is None
    [sentence] = rows[0]
    doc = senna.load("ner,srl", scores=True, gazetteer=lists, force=True)(
        "Ann Lee met quxly frobs."
    )
    assert sentence == doc.to_dict()["sentences"][0]
    assert all(0 < score <= 1 for score in sentence["scores"]["ner"])
    for settings, message in (
        ({"n_best": 2}, "several taggings"),
        ({"input": "html"}, "one of text"),
    ):
        with pytest.raises(SennaError, match=message):
            tables.tag(table, "text", "ner", **settings)


class _Dataset:
    """As those of Hugging Face: rows in Arrow's form are had by asking for it."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def with_format(self, kind: str) -> _Dataset:
        assert kind == "arrow"
        return self

    def __getitem__(self, rows: slice) -> Any:
        assert rows == slice(None)
        return self.table


def test_a_dataset_and_a_lazy_frame(table, wanted):
    assert tables.tag(_Dataset(table), "text", TASKS)["sentences"].to_pylist() == wanted
    polars = pytest.importorskip("polars")
    lazy = polars.DataFrame(table).lazy()
    assert tables.tag(lazy, "text", TASKS)["sentences"].to_pylist() == wanted


def test_a_dataset_of_hugging_face(table, wanted):
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset(table)
    kept = [3, 0, 5]
    tagged = tables.tag(dataset.select(kept), "text", TASKS)
    assert tagged["sentences"].to_pylist() == [wanted[i] for i in kept]
    with pytest.raises(SennaError, match="DatasetDict is not a table"):
        tables.tag(datasets.DatasetDict({"train": dataset}), "text", TASKS)


@pytest.mark.parametrize("value", [7, None, "text", ["a text"], [{"text": "a"}], object()])
def test_what_is_no_table(value):
    with pytest.raises(SennaError, match=f"a {type(value).__name__} is not a table"):
        tables.tag(value, "text", "pos")


@pytest.mark.parametrize("library", ["polars", "duckdb"])
def test_the_documented_example(library, capsys):
    pytest.importorskip(library)
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.S)
    [block] = [block for block in blocks if f"import {library}" in block]
    exec(compile(block, str(DOCUMENTATION), "exec"), {})
    shown = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]
    assert capsys.readouterr().out.splitlines() == shown


@pytest.mark.parametrize("scores", [False, True])
def test_labels_of_sentences(tmp_path, scores):
    pytest.importorskip("torch")
    model, texts = label_model(tmp_path), ["Anna ran. Why?", None]
    tagged = tables.tag(pa.table({"text": texts}), "text", model=model, scores=scores)
    first, second = tagged["sentences"].to_pylist()
    document = senna.load(model=model, scores=scores)(texts[0])
    assert second is None
    assert [row["label"] for row in first] == [sentence.label for sentence in document]
    expected = [round(s.label.score, 3) if scores else None for s in document]
    assert [row.get("scores", {}).get("label") for row in first] == expected


ENCODED = [
    pa.array(["Hi."]).dictionary_encode(),
    pa.array(["Hi."], pa.large_string()),
    pa.nulls(1),
    pa.RunEndEncodedArray.from_arrays([1], ["Hi."], pa.run_end_encoded(pa.int32(), pa.string())),
]
if hasattr(pa, "json_"):  # pyarrow 19
    ENCODED.append(pa.ExtensionArray.from_storage(pa.json_(), pa.array(['"Hi."'])))


@pytest.mark.parametrize("column", ENCODED, ids=lambda column: str(column.type))
def test_text_may_be_encoded_or_missing(column):
    tagged = tables.tag(pa.table({"text": column}), "text", "pos")
    assert tagged.num_rows == 1 and tagged.schema.names == ["text", "sentences"]


def test_a_dataset_of_pyarrow_is_a_table(table):
    dataset = pytest.importorskip("pyarrow.dataset")
    assert tables.tag(dataset.dataset(table), "text", "pos").num_rows == len(TEXTS)


def test_what_cannot_be_a_column():
    twice = pa.table([pa.array([1]), pa.array(["a"])], names=["text", "text"])
    with pytest.raises(SennaError, match="text: the table has two columns of this name"):
        tables.tag(twice, "text", "pos")
    with pytest.raises(SennaError, match="foo: no such setting. Known: scheme, into, tasks"):
        tables.tag(pa.table({"text": ["a"]}), "text", foo=1)
    pandas = pytest.importorskip("pandas")
    with pytest.raises(SennaError, match="DataFrame: .* A column has values of one type"):
        tables.tag(pandas.DataFrame({"text": ["a", 3]}), "text", "pos")
