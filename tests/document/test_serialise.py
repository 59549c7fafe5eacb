"""Documents as dictionaries, JSON and files, there and back."""

import contextlib
import copy
import json
from typing import Any

import pytest

import senna
from senna.annotation.schemes import convert
from senna.decoding.requests import Scored, Tagging
from senna.document.document import Document
from senna.errors import SennaError
from senna.formats.html import read_page
from senna.formats.stored import document_of
from senna.model.folder import shipped
from senna.registry import FORMATS
from senna.tasks import TASKS
from senna.text.tokens import Tokens
from tests.document.documents import made, rows_of


def test_json_and_back():
    doc = made()
    text = doc.to_json()
    assert "\n" not in text
    again = Document.from_json(text)
    assert again == doc
    assert again.to_dict() == doc.to_dict() == json.loads(text)
    assert again[1].tree == doc[1].tree
    assert again.frames == doc.frames


def test_what_the_dictionary_has():
    found = made().to_dict()
    assert found.keys() == {"text", "tasks", "sentences"}
    assert found["tasks"] == ["pos", "ner", "srl", "psg"]
    second = found["sentences"][1]
    assert (second["text"], second["start"]) == ("She saw the sea.", 34)
    assert second["tokens"][1] == {"text": "saw", "start": 38, "end": 41}
    assert second["tags"]["pos"] == ["PRP", "VBD", "DT", "NN", "."]
    assert second["tree"]["children"][0]["label"] == "S"


def test_a_document_without_sentences_keeps_its_tasks():
    doc = Document(" ", [], {"pos": [], "srl": []})
    assert Document.from_json(doc.to_json()) == doc


def test_words_in_another_spelling_than_the_texts():
    doc = made()
    doc.rows = [Tokens.of((f"<{text}>", i, k) for text, i, k in row) for row in doc.rows]
    doc.answers.pop("psg")
    assert Document.from_dict(doc.to_dict()) == doc


GONE = object()


def _without(*path: Any) -> dict[str, Any]:
    return _with(GONE, *path)


def _with(value: Any, *path: Any) -> dict[str, Any]:
    made_ = copy.deepcopy(made().to_dict())
    inner: Any = made_
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    if value is GONE:
        del inner[path[-1]]
    return made_


S = ("sentences", 0)


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        [],
        "text",
        {},
        _without("text"),
        _without("tasks"),
        _without(*S, "tokens"),
        _without(*S, "tokens", 0),
        _without(*S, "tags", "pos"),
        _without(*S, "predicates"),
        _without(*S, "tree"),
        _with(7, "text"),
        _with(["pos", "colour"], "tasks"),
        _with(999, *S, "tokens", 6, "end"),
        _with(-1, *S, "tokens", 0, "start"),
        _with("0", *S, "tokens", 0, "start"),
        _with(20, *S, "tokens", 0, "start"),
        _with(["X"] * 7, *S, "tags", "ner"),
        _with(["O"] * 8, *S, "tags", "ner"),
        _with(70, *S, "predicates", 0, "index"),
        _with(0, *S, "predicates", 0, "arguments", 1, "first"),
        _with({"label": "NN", "index": 0}, *S, "tree"),
        _with({"label": "NN", "index": 99}, *S, "tree"),
        _with(2, *S, "tokens", 1, "end"),
        _with(True, *S, "tokens", 1, "start"),
        _with(True, *S, "predicates", 0, "index"),
        _with(True, *S, "predicates", 0, "arguments", 1, "first"),
        _with(True, *S, "tree", "children", 0, "children", 1, "index"),
        _with({"begins": [0], "starts": [], "ends": []}, "page"),
        _with({"begins": [0, 50], "starts": [True], "ends": [50]}, "page"),
    ],
)  # fmt: skip
def test_what_is_no_document(damaged):
    with pytest.raises(SennaError) as error:
        Document.from_dict(damaged)
    assert "\n" not in str(error.value)


def test_what_is_no_json():
    for text in ("", "{", "[1]", '{"text": 1}'):
        with pytest.raises(SennaError, match="no"):
            Document.from_json(text)


@pytest.mark.parametrize("depth", [600, 5_000, 60_000])
def test_a_tree_deeper_than_the_stack(depth):
    tree: dict[str, Any] = {"label": "NN", "index": 0}
    for _ in range(depth):
        tree = {"label": "NP", "children": [tree]}
    token = {"text": "x", "start": 0, "end": 1}
    sentence = {"tokens": [token], "tags": {}, "tree": tree}
    record = {"text": "x", "tasks": ["psg"], "sentences": [sentence]}
    if depth < 10_000:
        assert Document.from_dict(record)[0].answers["psg"].leaves()[0].word == "x"
    nested = '{"label":"NP","children":[' * depth + '{"label":"NN","index":0}' + "]}" * depth
    head = '{"text":"x","tasks":["psg"],"sentences":[{"tokens":[{"text":"x","start":0,"end":1}],'
    text = head + f'"tags":{{}},"tree":{nested}}}]}}'
    if depth == 600:  # how deep the reader of JSON goes depends on Python: 3.13 reads this
        with contextlib.suppress(SennaError):
            assert Document.from_json(text) == Document.from_dict(record)
    else:
        with pytest.raises(SennaError, match="nested too deeply"):
            Document.from_json(text)


def test_scores_and_best_paths_come_back():
    doc = made()
    tags = Scored(doc.answers["ner"][0], [0.9] * 7, [-0.5] * 7, [-0.1] * 7, n_best=2)
    tags.paths = [Tagging(0.6, list(tags)), Tagging(0.2, ["O"] * 7)]
    doc.answers["ner"][0] = tags
    again = Document.from_json(doc.to_json())
    assert again.to_dict() == doc.to_dict()
    assert again[0].scores == {"ner": [0.9] * 7}
    assert again[0].paths("ner") == tags.paths
    assert [span.score for span in again.spans("ner")] == pytest.approx([0.549, 0.549])


def test_documents_with_other_scores_are_not_equal():
    doc, other = made(), made()
    for one, score in ((doc, 0.9), (other, 0.4)):
        one.answers["ner"][0] = Scored(one.answers["ner"][0], [score] * 7, [-0.5] * 7, [-0.1] * 7)
    assert doc != other and doc != made()
    assert doc == copy.deepcopy(doc)


def test_places_in_the_source_of_a_page_come_back():
    source = "<p>So <b>Ada</b> Lovelace &amp; Babbage."
    page = read_page(source)
    rows = rows_of(page.text, "So Ada Lovelace & Babbage .")
    doc = Document(page.text, rows, {"ner": ["O B-PER E-PER O S-PER O".split()]}, page)
    again = Document.from_json(doc.to_json())
    assert again == doc != Document(page.text, rows, doc.answers)
    places = [again.source(span) for span in again.spans("ner")]
    assert [source[slice(*place)] for place in places] == ["Ada</b> Lovelace", "Babbage"]
    assert places == [doc.source(span) for span in doc.spans("ner")]


TEXT = "Ann Lee, who lives in Rome, saw the old dogs run. They didn't stop."
# A task of each kind of answer.
KINDS = {TASKS[task].output: task for task in shipped() if task != "label"}.values()


@pytest.mark.parametrize(
    ("tasks", "wanted"),
    [
        *((task, {}) for task in KINDS),
        *(("all", wanted) for wanted in ({}, {"scores": True}, {"n_best": 3})),
    ],
    ids=str,
)
def test_every_task_and_option_in_every_format_from_python_and_from_files(tasks, wanted, tmp_path):
    """Each is written, or refused by a SennaError; JSON keeps all that is written of it."""
    doc = senna.load(tasks=tasks, **wanted)(TEXT)
    copies = [Document.from_json(doc.to_json())]
    for format_, name in (("jsonl", "a.jsonl"), ("conllu", "a.conllu")):
        (tmp_path / name).write_text(doc.to(format_), encoding="utf-8")
        copies += senna.read(tmp_path / name)
    assert copies[1].to("columns") == doc.to("columns")
    for format_ in (name for name in FORMATS if FORMATS[name].is_text):
        for style in ({}, {"scheme": "bilou"}, {"scheme": "bracket"}, {"offsets": True}):
            expected = _or_error(doc, format_, style)
            assert _or_error(copies[0], format_, style) == expected
            for other in copies[1:]:
                _or_error(other, format_, style)


def _or_error(doc: Document, format_: str, style: dict[str, Any]) -> str:
    try:
        return doc.to(format_, **style)
    except SennaError as error:
        return str(error)


def of_words() -> Document:
    names = [["B-PER", "I-PER", "O"], [], ["B-LOC"]]
    words = [["Anna", "Lee", "ran"], [], ["Rome"]]
    return Document.of(words, ner=names, pos=[["NNP"] * 3, [], ["X"]])


def test_spans_that_are_not_those_of_the_tags_are_no_document():
    record = of_words().to_dict()
    assert Document.from_dict(record) == of_words()
    record["sentences"][0]["spans"]["ner"] = []
    with pytest.raises(SennaError, match="spans of ner that are not those of its tags"):
        Document.from_dict(record)
    with pytest.raises(SennaError, match="its text is 3"):
        Document.from_dict({"text": 3, "tasks": [], "sentences": []})


@pytest.mark.parametrize("scheme", ["iob2", "bilou", "bracket"])
def test_json_lines_are_read_in_any_scheme(scheme):
    [first, *_] = of_words().to_dict()["sentences"]
    first["tags"]["ner"] = convert(first["tags"]["ner"], "iobes", scheme)
    assert Document(*document_of([first])).tags("ner") == ["B-PER", "E-PER", "O"]


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
def test_parts_of_json_are_checked(part, as_file):
    file = as_file("a.jsonl", '{"text": "a", "tokens": [{"text": "a"}], ' + part + "}\n")
    with pytest.raises(SennaError, match=r"a\.jsonl:1"):
        list(senna.read(file))


@pytest.mark.parametrize("place", ['"start": "5"', '"line": "1"', '"row": [1]', '"file": 3'])
def test_places_of_sentences_are_checked(place, as_file):
    record = f'{{"text": "a", {place}, "tokens": [{{"text": "a"}}], "tags": {{"pos": ["NN"]}}}}\n'
    file = as_file("a.jsonl", record)
    with pytest.raises(SennaError, match=r"a\.jsonl:1"):
        list(senna.search("<pos=NN>", file))
