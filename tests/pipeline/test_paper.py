"""The paper's own networks, which ship as "paper"."""

import pytest

import senna
from senna.model.folder import model_path, models_in, read_model

FOLDERS = models_in(model_path("paper"))


@pytest.mark.parametrize("task", ["pos", "chunk", "ner", "predicates"])
def test_they_are_windows_of_five_words(task):
    about = read_model(FOLDERS[task]).about["config"]
    window = about["network"]["window"]
    assert (about["network"]["kind"], window["widths"]) == ("window", [5])
    assert about["train"]["criterion"] == "sentence"


def test_a_sentence():
    doc = senna.load(model="paper")("Marie Curie gave Tom a book in New York.")
    assert [token.pos for token in doc.tokens] == "NNP NNP VBD NNP DT NN IN NNP NNP .".split()
    names = [(span.text, span.label) for span in doc.spans("ner")]
    assert names == [("Marie Curie", "PER"), ("Tom", "PER"), ("New York", "LOC")]
    assert [span.label for span in doc.spans("chunk")] == ["NP", "VP", "NP", "NP", "PP", "NP"]


def test_one_stands_among_the_models_of_the_package():
    doc = senna.load("ner,srl", model={"ner": "paper"})("Marie Curie gave Tom a book.")
    assert doc.frames[0].texts == {"V": "gave", "A0": "Marie Curie", "A2": "Tom", "A1": "a book"}
    assert [span.label for span in doc.spans("ner")] == ["PER", "PER"]
