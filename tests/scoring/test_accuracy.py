"""Word accuracy."""

from senna.scoring.accuracy import Accuracy, as_dict, report, score_words
from senna.scoring.tagged import TaggedSentence

SENTENCES = [
    TaggedSentence(["The", "gnu", "sleeps"], ["DT", "NN", "VBZ"], ["DT", "NN", "NNS"]),
    TaggedSentence(["Gnus"], ["NNS"], ["NNPS"]),
]


def test_accuracy_counts_equal_tags() -> None:
    accuracy = score_words(SENTENCES)
    assert accuracy == Accuracy(4, 2)
    assert report(accuracy) == "processed 4 tokens; correct: 2.\naccuracy:  50.00%\n"
    assert as_dict(accuracy) == {"tokens": 4, "correct": 2, "accuracy": 50.0}


def test_words_that_the_model_has_not_seen_are_counted_apart() -> None:
    known = frozenset({"the", "sleeps"})
    assert score_words(SENTENCES, known, str.lower) == Accuracy(4, 2, 2, 1)
    accuracy = score_words(SENTENCES, known)
    assert accuracy == Accuracy(4, 2, 3, 2)
    assert report(accuracy).endswith("unknown words:  66.67%  (2 of 3)\n")
    assert as_dict(accuracy)["accuracy_unknown"] == 66.67


def test_nothing_to_count() -> None:
    assert report(score_words([])) == "processed 0 tokens; correct: 0.\n"
    assert report(Accuracy(1, 1, 0, 0)).endswith("unknown words: none\n")
    assert as_dict(Accuracy(0, 0, 0, 0))["accuracy_unknown"] == 0.0
