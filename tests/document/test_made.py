"""Documents of words and tags that no model gave, and documents as text of an output format."""

from __future__ import annotations

import pytest

from senna.document.document import Document
from senna.document.exchange import document_of
from senna.errors import SennaError
from senna.formats.jsonl import to_json


def made() -> Document:
    words = [["Anna", "Lee", "ran"], [], ["Rome"]]
    return Document.of(
        words, ner=[["B-PER", "I-PER", "O"], [], ["B-LOC"]], pos=[["NNP"] * 3, [], ["X"]]
    )


def test_a_document_of_words_and_tags() -> None:
    doc = made()
    assert doc.text == "Anna Lee ran\n\nRome"
    assert [(span.text, span.label) for span in doc.spans("ner")] == [
        ("Anna Lee", "PER"), ("Rome", "LOC"),
    ]  # fmt: skip
    assert doc.tokens[-1].pos == "X" and list(doc.answers) == ["pos", "ner"]
    assert Document.from_json(doc.to_json()) == doc
    assert Document.of(["Anna", "ran"], ner=["B-PER", "O"]).tags("ner") == ["S-PER", "O"]


@pytest.mark.parametrize(
    ("words", "answers", "what"),
    [
        (["a", "b"], {"ner": ["O"]}, "the column 'ner' does not have one value per word"),
        (["a"], {"srl": ["O"]}, "unknown column 'srl'"),
        (["a"], {"nre": ["O"]}, "unknown column 'nre'"),
        (["a"], {"ner": ["PER"]}, "belongs to no known scheme"),
    ],
)
def test_words_and_tags_that_make_no_document(
    words: list[str], answers: dict[str, list[str]], what: str
) -> None:
    with pytest.raises(SennaError, match=what):
        Document.of(words, **answers)


def test_documents_in_output_formats() -> None:
    doc = made()
    assert doc.to("conll") == (
        "-DOCSTART- -X- O O\n\nAnna NNP _ B-PER\nLee NNP _ I-PER\nran NNP _ O\n\nRome X _ B-LOC\n\n"
    )
    assert doc.to("conllu").startswith("# newdoc\n# sent_id = 1.0\n# text = Anna Lee ran\n1\tAnna")
    assert doc.to("spans").splitlines()[1].split("\t")[2:7] == ["0", "8", "ner", "PER", "Anna Lee"]
    assert doc.to("html").startswith("<!DOCTYPE html>")
    for wrong in ("parquet", "svg", "docx"):
        with pytest.raises(SennaError, match="unknown format"):
            doc.to(wrong)
    with pytest.raises(SennaError, match="needs task psg"):
        doc.to("trees")


def test_spans_that_are_not_those_of_the_tags_are_no_document() -> None:
    record = made().to_dict()
    record["sentences"][0]["spans"]["ner"] = []
    with pytest.raises(SennaError, match="spans of ner that are not those of its tags"):
        Document.from_dict(record)
    with pytest.raises(SennaError, match="its text is 3"):
        Document.from_dict({"text": 3, "tasks": [], "sentences": []})


@pytest.mark.parametrize("scheme", ["iob2", "bilou", "bracket"])
def test_json_lines_are_read_in_any_scheme(scheme: str) -> None:
    from senna.text.schemes import convert

    [first, *_] = made().to_dict()["sentences"]
    first["tags"]["ner"] = convert(first["tags"]["ner"], "iobes", scheme)
    doc = Document(*document_of([first]))
    assert doc.tags("ner") == ["B-PER", "E-PER", "O"], to_json(first)


def test_tables_have_the_same_types_however_many_rows() -> None:
    pandas = pytest.importorskip("pandas")
    for of in ("tokens", "spans"):
        full, empty = made().to_dataframe(of), Document.of([], ner=[], pos=[]).to_dataframe(of)
        assert dict(full.dtypes) == dict(empty.dtypes)
        assert dict(pandas.concat([empty, full]).dtypes) == dict(full.dtypes)
