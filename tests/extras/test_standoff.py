"""Texts with spans of characters, in and out: doccano, spaCy, Label Studio, brat; CoNLL-U Plus."""

import gzip
import json
import random
import warnings
from typing import Any

import pytest

import senna
from senna.annotation.schemes import phrases_of, tags_of
from senna.extras.standoff import in_sentence
from senna.formats.gold import read_gold
from senna.kinds.answer import GoldOptions
from senna.text.sentences import split

WORDS = "Ann Bö 😀 don't 3|4 U.S. (yes) “quote” 5kg a e\u0301 well-known .".split()
Spans = list[tuple[int, int, str]]


def documents(n: int, seed: int = 1) -> list[tuple[str, Spans]]:
    """Texts with spans of their own tokens, and their labels."""
    draw = random.Random(seed)
    made = []
    while len(made) < n:
        text = "".join(
            draw.choice(WORDS) + draw.choice([" ", " ", "  ", "\n\n"])
            for _ in range(draw.randint(1, 12))
        )
        spans: Spans = []
        for tokens in split(text):
            first = 0
            while first < len(tokens):
                last = min(first + draw.randint(1, 3), len(tokens))
                if draw.random() < 0.4:
                    label = draw.choice(["PER", "LOC", "a-b"])
                    spans.append((tokens[first].start, tokens[last - 1].end, label))
                first = last
        made.append((text, spans))
    return made


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def label_studio(text: str, spans: Spans) -> dict[str, Any]:
    result = [
        {
            "type": "labels",
            "value": {"start": units(text[:s]), "end": units(text[:e]), "labels": [kind]},
        }
        for s, e, kind in spans
    ]
    return {"id": 1, "data": {"text": text}, "annotations": [{"result": result}]}


def lines_of(records: list[Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


EXPORTS = {
    "doccano": lambda docs: lines_of([{"id": 1, "text": t, "label": s} for t, s in docs]),
    "doccano of objects": lambda docs: lines_of([
        {
            "text": t,
            "entities": [
                {"label": kind, "start_offset": s, "end_offset": e} for s, e, kind in spans
            ],
        }
        for t, spans in docs
    ]),
    "spacy lines": lambda docs: lines_of([[t, {"entities": s}] for t, s in docs]),
    "spacy": lambda docs: json.dumps([[t, {"entities": s}] for t, s in docs]),
    "label studio": lambda docs: json.dumps([label_studio(t, s) for t, s in docs], indent=1),
}  # fmt: skip


def found(doc: senna.Document) -> tuple[str, Spans]:
    return doc.text, [(span.start, span.end, span.label) for span in doc.spans("ner")]


NUMBERS = [100, pytest.param(500, marks=pytest.mark.slow)]


@pytest.mark.parametrize("n", NUMBERS)
@pytest.mark.parametrize("export", EXPORTS)
def test_documents_keep_text_places_and_labels(as_file, export, n):
    docs = documents(n)
    path = as_file("export.json", EXPORTS[export](docs))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(map(found, senna.read(path))) == docs


@pytest.mark.parametrize("n", NUMBERS)
def test_brat_keeps_text_places_and_labels(tmp_path, n):
    for text, spans in documents(n):
        tags = [
            tags_of(
                [
                    phrase
                    for s, e, label in spans
                    for phrase in in_sentence(tokens, [(s, e, label)])
                ],
                len(tokens),
                "iobes",
            )
            for tokens in split(text)
        ]
        doc = senna.Document(text, split(text), {"ner": tags})
        (tmp_path / "a.txt").write_text(text, encoding="utf-8", newline="")
        (tmp_path / "a.ann").write_text(doc.to("brat"), encoding="utf-8")
        if spans:
            assert found(next(senna.read(tmp_path / "a.ann"))) == (text, spans)


@pytest.mark.parametrize("format", ["doccano", "label-studio"])
def test_what_is_written_is_read(as_file, format):
    text = "Ann 😀 left.\n\nIt rained in New York."
    rows = split(text)
    tags = [["S-PER", "O", "O", "O"], ["O", "O", "O", "B-LOC", "E-LOC", "O"]]
    doc = senna.Document(text, rows, {"ner": tags})
    path = as_file("out.json", doc.to(format))
    assert [found(one) for one in senna.read(path)] == [
        ("Ann 😀 left.", [(0, 3, "PER")]), ("It rained in New York.", [(13, 21, "LOC")])
    ]  # fmt: skip


def test_spans_that_cut_tokens_are_moved_and_others_left_out():
    text = "Anna left Bern. It rained."
    spans = [[0, 2, "PER"], [0, 4, "PER"], [10, 18, "LOC"], [9, 10, "LOC"], [11, 13, "LOC"]]
    notes: list[str] = []
    lines = [json.dumps({"text": text, "label": spans})]
    gold = list(read_gold("ner", lines, "x", GoldOptions(tell=notes.append)))
    assert [phrases_of(sentence.answer, "iobes") for sentence in gold] == [
        [(0, 1, "PER"), (2, 3, "LOC")], []
    ]  # fmt: skip
    assert [sentence.opens for sentence in gold] == [True, False]
    assert notes == [
        "x: 1 of 5 spans moved to whole tokens: 'er' to 'Bern'",
        "x: 3 of 5 spans left out (in two sentences, in none, or within another one): "
        "'An' (line 1), ' ' (line 1), 'Bern. It' (line 1)",
    ]


@pytest.mark.parametrize(
    "line",
    [
        '{"text": "Ann", "label": [[0, 9, "PER"]]}', '{"text": "Ann", "label": [[0, 1]]}',
        '{"text": "Ann", "label": [[1, 1, "PER"]]}', '{"text": "Ann", "label": [[0, 1, 5]]}',
        '["Ann", {}]', '[{"data": {}}]', '[{"a": 1}]', '[["Ann", {"entities": 1}]]',
        '{"text": "Ann", "label": [["0", 1, "PER"]]}', '{"data": {"text": 5}}', "[[[",
        '[{"data": {"text": "A"}, "annotations": [{"result": 5}]}]',
        '[{"data": {"text": "A"}, "annotations": 5}]',
        '[{"data": {"text": "A"}, "annotations": [5]}]',
    ],
)  # fmt: skip
def test_what_has_no_text_with_spans_is_refused(line):
    with pytest.raises(senna.SennaError) as error:
        list(read_gold("ner", [line], "x", GoldOptions()))
    assert error.value.where.startswith("x")


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("jobs", [1, 2])
def test_spans_of_brat_are_counted(as_file, jobs):
    path = as_file("a.txt", "Anna saw Bob in Rome.\n\n" * 3_000)
    found = b"".join(senna.convert(path, "brat", tasks="ner,chunk", jobs=jobs)).decode()
    numbers = [line.split("\t")[0] for line in found.splitlines()]
    assert len(numbers) > 3_000
    assert numbers == [f"T{i}" for i in range(1, len(numbers) + 1)]
    doc = senna.load("ner,chunk")("Anna saw Rome.")
    assert doc.to("brat").startswith("T1\t") and "\nT2\t" in doc.to("brat")


def test_conllu_plus_gives_all_answers_back(as_file):
    nlp = senna.load("pos,lemma,chunk,ner,srl,psg,value")
    docs = [
        nlp("They don't know that Ann bought 3|4 cars on 3 May 2021.\n\nIt rained."),
        nlp("Yes"),
    ]
    path = as_file("a.conllup", "".join(doc.to("conllup") for doc in docs[:1]))
    [read] = senna.read(path)
    assert {task: read.answers[task] for task in docs[0].answers} == docs[0].answers
    plain = as_file("a.conllu", b"".join(senna.convert(path, "conllu", tasks="chunk")).decode())
    [again] = senna.read(plain)
    assert again.answers["ner"] == docs[0].answers["ner"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("# global.columns = ID LEMMA\n1\ta\n", "x:1"),
        ("# global.columns = ID FORM A:B\n1\ta\n", "x:2"),
        ("# global.columns = ID FORM A:B\n2\ta\tb\n", "x:2"),
    ],
)
def test_conllu_plus_that_does_not_fit_is_refused(text, where):
    with pytest.raises(senna.SennaError) as error:
        list(read_gold("ner", text.splitlines(keepends=True), "x", GoldOptions()))
    assert error.value.where == where


def test_columns_of_conllu_plus_in_any_order():
    text = "# global.columns = FORM SENNA:NER ID\n\nAnn\tB-PER\t1\nleft\tO\t2\n\nBern\tB-LOC\t1\n"
    gold = read_gold("ner", text.splitlines(keepends=True), "x", GoldOptions())
    assert [(g.forms, g.answer) for g in gold] == [
        (["Ann", "left"], ["S-PER", "O"]), (["Bern"], ["S-LOC"])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("input", "text"), [("html", "<p>Anna &amp; Bob</p>"), ("csv", "text\nAnna\n")]
)
def test_brat_annotates_nothing_but_text(as_file, input, text):
    path = as_file("page", text)
    with pytest.raises(senna.SennaError, match=f"brat annotates text files, not {input}"):
        senna.convert(path, "brat", input=input)


@pytest.mark.parametrize(
    "first", ["R1\tx Arg1:T1 Arg2:T1", "E1\tx:T1", "#1\tNote T1\tx", "*\tx T1"]
)
@pytest.mark.parametrize("name", ["a.ann", "A.ANN", "a.ann.gz"])
def test_every_reader_takes_a_file_of_annotations(tmp_path, first, name):
    (tmp_path / f"{name[0]}.txt").write_text("Ann left Bern.", encoding="utf-8")
    content = (f"{first}\n" * 60 + "T1\tPER 0 3\tAnn\n").encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert senna.evaluate("ner", path, model="ner").overall.recall == 100
    [doc] = senna.read(path)
    assert [name.text for name in doc.spans("ner")] == ["Ann"]
    [hit] = senna.search("<ner=PER>", path)
    assert (hit.match.text, hit.start) == ("Ann", 0)


def test_a_text_without_annotations_has_no_names(tmp_path):
    (tmp_path / "a.txt").write_text("It rained.", encoding="utf-8")
    (tmp_path / "a.ann").write_text("", encoding="utf-8")
    assert [doc.spans("ner") for doc in senna.read(tmp_path / "a.ann")] == [[]]
