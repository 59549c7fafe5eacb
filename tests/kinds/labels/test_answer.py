"""Labels of sentences: gold lines, scores, output and back, bad input."""

import json

import pytest

import senna
from senna.errors import SennaError
from senna.formats.gold import read_labels
from senna.kinds.answer import GoldOptions, Line
from senna.kinds.labels.answer import Label, LabelOutput, commonest, means
from senna.kinds.scores import Work
from senna.pipeline.format import format_of
from senna.pipeline.options import Options
from senna.registry import REPORTS
from senna.text.tokenizer import tokenize
from senna.text.tokens import Tokens

OUTPUT = LabelOutput()
TEXT = "Not bad,\n isn't it?"


def read(text: str) -> list[tuple[str, list[str]]]:
    gold = read_labels(text.splitlines(keepends=True), "x.tsv", GoldOptions())
    return [(sentence.answer, sentence.forms) for sentence in gold]


def line(text: str) -> Line:
    return Line(text, 0, tokenize(text), opens=True)


def test_lines_of_a_label_and_a_text():
    text = "\ufeffgood film\tIsn't it?\r\n\n  \n bad \tNo, never.\n"
    assert read(text) == [
        ("good film", ["Is", "n't", "it", "?"]),
        ("bad", ["No", ",", "never", "."]),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tHi\nHi there\n", "x.tsv:2: no tab"),
        ("a\tHi\n\tHi\n", "x.tsv:2: no label before the tab"),
        ("a\t \n", "x.tsv:1: no text after the tab"),
        ("a\tNo,\tnever.\n", "x.tsv:1: a second tab"),
    ],
)
def test_lines_that_are_none(text, message):
    with pytest.raises(SennaError) as error:
        read(text)
    assert str(error.value).startswith(f"{message}. ")
    assert "\n" not in str(error.value)


def test_columns_have_no_names():
    with pytest.raises(SennaError, match="x: labels have no columns"):
        list(read_labels([], "x", GoldOptions(columns="word,tag")))


def test_the_commonest_label_and_its_mean_probability():
    labels = [Label("b", {"a": 0.2, "b": 0.8}), Label("a", {"a": 1.0, "b": 0.0})]
    assert (commonest(labels), commonest(labels).score) == ("b", 0.8)  # the first of equals
    both = commonest([*labels, Label("a", {"a": 0.5, "b": 0.5})])
    assert (both, both.score) == ("a", 0.75)
    assert (commonest([]), commonest([]).score) == ("", None)
    assert means(labels) == {"a": 0.6, "b": 0.4}
    assert OUTPUT.join(labels, [0, 2048], 3000, False) == "b"


def test_accuracy_and_a_line_a_label(tmp_path):
    gold, guess = tmp_path / "gold.tsv", tmp_path / "guess.tsv"
    gold.write_text("a\tOne.\nb\tTwo.\nb\tThree.\n", encoding="utf-8")
    guess.write_text("a\tOne .\na\tTwo.\nb\tThree.\n", encoding="utf-8")
    result = senna.evaluate("label", gold, guess, confusion=True, errors=1)
    assert result.accuracy == pytest.approx(200 / 3)
    report = """\
processed 3 sentences; correct: 2.
accuracy:  66.67%
a: precision:  50.00%; recall: 100.00%; F1:  66.67  1
b: precision: 100.00%; recall:  50.00%; F1:  66.67  2
"""
    assert result.report().startswith(report)
    assert "Two ./b -> Two ./a" in result.report()
    assert result.figures["types"]["b"]["recall"] == 50.0  # type: ignore[index]
    assert OUTPUT.measure(["a", "b"], ["a", "a"]).percent == 50.0
    assert OUTPUT.measure([], []).percent == 0.0


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ("a\tOne.\n", "guess.tsv: ends before the other file does"),
        ("a\tOne.\nb\tTen.\n", r"guess.tsv:2: another text than that of .*gold.tsv:2"),
    ],
)
def test_files_of_other_texts(tmp_path, guess, message):
    (tmp_path / "gold.tsv").write_text("a\tOne.\nb\tTwo.\n", encoding="utf-8")
    (tmp_path / "guess.tsv").write_text(guess, encoding="utf-8")
    with pytest.raises(SennaError, match=message):
        senna.evaluate("label", tmp_path / "gold.tsv", tmp_path / "guess.tsv")
    with pytest.raises(SennaError, match="needs two files of labels"):
        list(REPORTS["labels"].read_pairs("gold.tsv", None, Work("label", {})))


def test_columns_show_the_label_beside_the_first_word():
    words = ["Not", "bad"]
    assert OUTPUT.columns(words, Label("good"), "iobes") == [["good", "_"]]
    scored = Label("good", {"good": 0.9996, "bad": 0.0004})
    assert OUTPUT.columns(words, scored, "iobes") == [["good", "_"], ["1.000", "_"]]
    assert OUTPUT.columns([], scored, "iobes") == [[], []]


def test_lines_that_were_written_are_read():
    text = format_of("tsv").write([line(TEXT)], {"label": [Label("good")]}, Options())
    assert text == "good\tNot bad, isn't it?\n"
    assert read(text) == [("good", [token.text for token in tokenize(TEXT)])]


def test_comments_of_conllu():
    lines = [line("Hi"), line("Ho")._replace(opens=False)]
    text = format_of("conllu").write(lines, {"label": [Label("a\tb"), Label("c")]}, Options())
    assert [row for row in text.split("\n") if row.startswith("#")] == [
        "# newdoc", "# sent_id = 0.0", "# text = Hi", "# label = a b",
        "# sent_id = 0.0", "# text = Ho", "# label = c",
    ]  # fmt: skip
    assert "\t_\t_\n" in text  # nothing in MISC


def document(*labels: Label) -> senna.Document:
    rows = [Tokens.of([("Hi", 3 * i, 3 * i + 2)]) for i in range(len(labels))]
    return senna.Document(" ".join(["Hi"] * len(labels)), rows, {"label": list(labels)})


def test_documents_and_json_and_back():
    doc = document(Label("a", {"a": 0.12345, "b": 0.1}), Label("b"), Label("b"))
    assert (doc.label, doc[0].label, doc[0].label.score) == ("b", "a", 0.12345)
    record = doc.to_dict()["sentences"][0]
    assert (record["label"], record["scores"], record["tags"]) == ("a", {"label": 0.123}, {})
    again = senna.Document.from_json(doc.to_json())
    assert again == doc and json.loads(again.to_json()) == json.loads(doc.to_json())
    assert again[0].label.score == 0.123 and again[1].label.score is None
    assert document().label == ""
    with pytest.raises(SennaError, match="no trees of task 'psg'. Tagged: label"):
        _ = doc[0].tree
    with pytest.raises(SennaError, match="no phrases of task 'label'"):
        doc.spans("label")
