"""Documents of JSON and of lines of JSON: in any tag scheme, and without contradictions."""

from __future__ import annotations

import pytest

from senna.document.document import Document
from senna.document.stored import document_of
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
    assert document_of([first]).tags("ner") == ["B-PER", "E-PER", "O"]


def test_tables_have_the_same_types_however_many_rows() -> None:
    pandas = pytest.importorskip("pandas")
    for of in ("tokens", "spans"):
        full, empty = made().to_dataframe(of), Document.of([], ner=[], pos=[]).to_dataframe(of)
        assert dict(full.dtypes) == dict(empty.dtypes)
        assert dict(pandas.concat([empty, full]).dtypes) == dict(full.dtypes)
