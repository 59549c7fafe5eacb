"""senna tag: labels of sentences and of documents, in all formats."""

import json
from pathlib import Path

import pytest

import senna as package
from tests.clients.texts import label_model

TEXT = "Anna ran. Why did they?\n\nThe walks.\n"
LINES = [line for line in TEXT.splitlines() if line]
TABLE = 'id,text\n1,"Anna ran. Why did they?"\n2,The walks.\n'
PAGE = "<p>Anna <b>ran</b>.</p><p>Why did they?</p>"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    return label_model(tmp_path_factory.mktemp("labels"))


@pytest.fixture(scope="module")
def whole(model: Path) -> list[str]:
    """The labels of the lines, each with all its words as one sentence."""
    from senna.text.tokenizer import tokenize

    nlp = package.load(model=model)
    return [str(nlp([token.text for token in tokenize(line)]).label) for line in LINES]


def test_a_line_is_a_document(senna, model, whole, tmp_path):
    options = ("tag", "--model", model)
    expected = "".join(f"{label}\t{line}\n" for label, line in zip(whole, LINES, strict=True))
    for more in ((), ("--jobs", "2"), ("--input", "lines"), ("--format", "tsv")):
        done = senna(*options, *more, data=TEXT.encode())
        assert (done.code, done.out.decode()) == (0, expected)
    file, made = tmp_path / "a.txt", [tmp_path / "out" / "a.tsv", tmp_path / "b.tsv"]
    file.write_text(TEXT, encoding="utf-8")
    senna(*options, file, "--output-dir", made[0].parent)
    senna(*options, file, "-o", made[1])
    assert [path.read_text(encoding="utf-8") for path in made] == [expected] * 2
    scored = senna(*options, "--scores", data=TEXT.encode()).out.decode()
    cells = [line.split("\t") for line in scored.splitlines()]
    assert [(label, text) for label, _, text in cells] == list(zip(whole, LINES, strict=True))
    assert all(0 < float(score) <= 1 for _, score, _ in cells)
    for more in (("--format", "columns"), ("--offsets",)):
        assert senna(*options, *more, data=TEXT.encode()).out.startswith(b"Anna\t")
    records = senna(*options, "--format", "jsonl", "--scores", data=TEXT.encode()).out
    first, second = map(json.loads, records.decode().splitlines())
    assert (first["label"], second["label"]) == tuple(whole)
    assert (len(first["tokens"]), second["start"]) == (7, TEXT.index("The"))
    assert 0 < first["scores"]["label"] <= 1


def test_rows_and_pages_are_documents(senna, model, whole):
    options = ("tag", "--model", model, "--format", "jsonl", "--input")
    rows = senna(*options, "csv", data=TABLE.encode()).out.decode().splitlines()
    assert [json.loads(row)["label"] for row in rows] == whole
    [page] = map(json.loads, senna(*options, "html", data=PAGE.encode()).out.splitlines())
    assert page["text"] == "Anna ran.\n\nWhy did they?" and page["label"] == whole[0]
    assert [PAGE[t["start"] : t["end"]] for t in page["tokens"]][:3] == ["Anna", "ran", "."]
    assert senna(*options, "html", data=b"<p> </p>").out == b""


@pytest.mark.parametrize("format_", ["columns", "conll", "conllu", "html", "ansi"])
def test_every_format_shows_the_label(senna, model, format_):
    label = str(package.load(model=model)(LINES[1]).label)
    done = senna("tag", "--model", model, "--format", format_, data=LINES[1].encode())
    assert done.code == 0 and label in done.out.decode()


def test_formats_without_place_for_labels(senna, model):
    done = senna("tag", "--model", model, "--format", "conll2012", data=b"Hi.")
    assert done.error.startswith("--format conll2012: has no place for label. Choose ")
