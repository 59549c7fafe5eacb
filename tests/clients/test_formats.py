"""The formats of rows as other programs read them: pandas, Polars and DuckDB."""

from pathlib import Path
from typing import Any

import pytest

import senna

TEXT = 'Marie Curie was born in Warsaw.\n"Anna Lee", he said, met Bob in Paris.\n'
NAMES = [("Marie Curie", "PER"), ("Warsaw", "LOC"), ("Anna Lee", "PER")]
HEADINGS = "file line start end task label text score predicate".split()


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    """A folder of a.tsv (spans), a.csv and a.parquet of names, with scores."""
    folder = tmp_path_factory.mktemp("formats")
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    for format_ in ("spans", "csv", "parquet"):
        if format_ == "parquet":
            pytest.importorskip("pyarrow")
        parts = senna.convert(folder / "a.txt", format_, tasks="ner", scores=True)
        ending = "tsv" if format_ == "spans" else format_
        (folder / f"a.{ending}").write_bytes(b"".join(parts))
    return folder


def rows_of(library: str, path: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """The columns of a file of rows, and its rows."""
    module = pytest.importorskip(library)
    separator = "\t" if path.suffix == ".tsv" else ","
    if library == "pandas":
        frame = module.read_csv(path, sep=separator, quoting=3 if separator == "\t" else 0)
        return list(frame.columns), frame.to_dict("records")
    if library == "polars":
        quote = None if separator == "\t" else '"'
        frame = module.read_csv(path, separator=separator, quote_char=quote)
        return frame.columns, frame.to_dicts()
    quote = "" if separator == "\t" else '"'
    found = module.read_csv(str(path), sep=separator, quotechar=quote, header=True)
    return found.columns, [dict(zip(found.columns, r, strict=True)) for r in found.fetchall()]


@pytest.mark.parametrize("ending", ["tsv", "csv"])
@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb"])
def test_names_are_rows_of_a_table(library, ending, written):
    columns, rows = rows_of(library, written / f"a.{ending}")
    assert list(columns) == HEADINGS
    assert [(row["text"], row["label"]) for row in rows][:3] == NAMES
    assert all(TEXT[row["start"] : row["end"]] == row["text"] for row in rows)
    assert [row["line"] for row in rows][:3] == [1, 1, 2]
    assert all(0 < row["score"] <= 1 for row in rows)


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb"])
def test_sentences_are_rows_of_parquet(library, written):
    module, path = pytest.importorskip(library), written / "a.parquet"
    if library == "pandas":
        rows = module.read_parquet(path).to_dict("records")
    elif library == "polars":
        rows = module.read_parquet(path).to_dicts()
    else:
        found = module.read_parquet(str(path))
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    names = [(span["text"], span["label"]) for row in rows for span in row["spans"]["ner"]]
    assert names[:3] == NAMES
    assert [row["text"] for row in rows] == TEXT.splitlines()
