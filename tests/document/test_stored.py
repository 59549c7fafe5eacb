"""Documents of JSON and of lines of JSON: in any tag scheme, and without contradictions."""

from __future__ import annotations

from pathlib import Path

import pytest

import senna
from senna.document.document import Document
from senna.document.exchange import document_of
from senna.errors import SennaError
from senna.text.schemes import convert


def made() -> Document:
    names = [["B-PER", "I-PER", "O"], [], ["B-LOC"]]
    words = [["Anna", "Lee", "ran"], [], ["Rome"]]
    return Document.of(words, ner=names, pos=[["NNP"] * 3, [], ["X"]])


def test_spans_that_are_not_those_of_the_tags_are_no_document() -> None:
    record = made().to_dict()
    assert Document.from_dict(record) == made()
    record["sentences"][0]["spans"]["ner"] = []
    with pytest.raises(SennaError, match="spans of ner that are not those of its tags"):
        Document.from_dict(record)
    with pytest.raises(SennaError, match="its text is 3"):
        Document.from_dict({"text": 3, "tasks": [], "sentences": []})


@pytest.mark.parametrize("scheme", ["iob2", "bilou", "bracket"])
def test_json_lines_are_read_in_any_scheme(scheme: str) -> None:
    [first, *_] = made().to_dict()["sentences"]
    first["tags"]["ner"] = convert(first["tags"]["ner"], "iobes", scheme)
    assert Document(*document_of([first])).tags("ner") == ["B-PER", "E-PER", "O"]


def test_tables_have_the_same_types_however_many_rows() -> None:
    pandas = pytest.importorskip("pandas")
    for of in ("tokens", "spans"):
        full, empty = made().to_dataframe(of), Document.of([], ner=[], pos=[]).to_dataframe(of)
        assert dict(full.dtypes) == dict(empty.dtypes)
        assert dict(pandas.concat([empty, full]).dtypes) == dict(full.dtypes)


@pytest.mark.parametrize(
    "part",
    [
        '"tags": ["pos"]',
        '"tags": {"pos": "x"}',
        '"tags": {"pos": [1]}',
        r'"tags": {"pos": ["N\nN\tx"]}',
        '"tags": {"pos": ["NN"]}, "scores": {"pos": [NaN]}',
        '"tags": {"pos": ["NN"]}, "scores": {"pos": ["1"]}',
        '"tags": {"pos": ["NN"]}, "nbest": {"pos": [{"score": 0.5, "tags": [{}]}]}',
        '"tags": {"pos": ["NN"]}, "nbest": {"pos": [{"score": 2, "tags": ["NN"]}]}',
        '"tags": {"ner": ["PER-B"]}',
        '"spans": {"ner": [{"first": "0", "last": 1, "label": "PER"}]}',
        '"spans": {"ner": [{"first": 0, "last": 1, "label": 3}]}',
        '"predicates": [{"index": 0, "arguments": [{"first": 0, "last": 2, "role": "A0"}]}]',
        '"predicates": [{"index": 0, "arguments": []}], "scores": {"srl": [[0.5, 0.5]]}',
        '"dependencies": {"heads": [0], "relations": [null]}',
        '"label": 3',
    ],
)
def test_parts_of_json_are_checked(part: str, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"text": "a", "tokens": [{"text": "a"}], ' + part + "}\n", encoding="utf-8")
    with pytest.raises(SennaError, match=r"a\.jsonl:1"):
        list(senna.read(file))


@pytest.mark.parametrize("place", ['"start": "5"', '"line": "1"', '"row": [1]', '"file": 3'])
def test_places_of_sentences_are_checked(place: str, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    record = f'{{"text": "a", {place}, "tokens": [{{"text": "a"}}], "tags": {{"pos": ["NN"]}}}}\n'
    file.write_text(record, encoding="utf-8")
    with pytest.raises(SennaError, match=r"a\.jsonl:1"):
        list(senna.search("<pos=NN>", file))


def test_scores_of_roles_come_back() -> None:
    doc = senna.load(tasks="srl", scores=True)("Ann Lee saw the old dog in Rome.")
    copy = Document.from_json(doc.to_json())
    assert copy.to("columns") == doc.to("columns")
    assert copy.frames == doc.frames or [f.texts for f in copy.frames] == [
        f.texts for f in doc.frames
    ]
