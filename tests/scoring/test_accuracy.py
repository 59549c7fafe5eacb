"""Word accuracy."""

from collections import Counter

from senna.scoring.accuracy import Accuracy, score
from senna.scoring.conlleval import TaggedSentence

SENTENCES = [
    TaggedSentence(["The", "gnu", "sleeps"], ["DT", "NN", "VBZ"], ["DT", "NN", "NNS"]),
    TaggedSentence(["Gnus"], ["NNS"], ["NNPS"]),
]


def test_accuracy_counts_equal_tags():
    accuracy = score(SENTENCES)
    assert accuracy.report() == "processed 4 tokens; correct: 2.\naccuracy:  50.00%\n"
    assert accuracy.as_dict() == {"tokens": 4, "correct": 2, "accuracy": 50.0}
    assert accuracy.accuracy == accuracy.overall.f1 == 50.0


def test_figures_and_a_latex_table_by_tag():
    accuracy = score(SENTENCES)
    assert accuracy.labels == ["DT", "NN", "NNPS", "NNS", "VBZ"]
    assert (accuracy.types["DT"].f1, accuracy.types["NNS"].recall) == (100, 0)
    table = accuracy.report(latex=True).splitlines()
    assert table[1].startswith("DT      &  100.00")
    assert table[-1] == r"Overall &   50.00\% &  50.00\% &  50.00 \\\hline"


def test_words_that_the_model_has_not_seen_are_counted_apart():
    known = frozenset({"the", "sleeps"})
    accuracy = score(SENTENCES, known, str.lower)
    assert (accuracy.unknown, accuracy.correct_unknown) == (2, 1)
    accuracy = score(SENTENCES, known)
    assert (accuracy.unknown, accuracy.correct_unknown) == (3, 2)
    assert accuracy.report().endswith("unknown words:  66.67%  (2 of 3)\n")
    assert accuracy.as_dict()["accuracy_unknown"] == 66.67


def test_nothing_to_count():
    assert score([]).report() == "processed 0 tokens; correct: 0.\n"
    one = Counter(["NN"])
    assert Accuracy(one, one, one, 0, 0).report().endswith("unknown words: none\n")
    assert score([], frozenset()).as_dict()["accuracy_unknown"] == 0.0
