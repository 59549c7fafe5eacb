"""Confusion of types and the commonest errors."""

from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import Phrase
from senna.scoring.confusion import (
    Error,
    PhrasePair,
    commonest,
    confusion,
    error_entries,
    error_list,
    phrase_pairs,
    table,
    table_entries,
    tag_pairs,
)
from senna.scoring.conlleval import TaggedSentence, phrases_as_read, score


def sentence(words: str, gold: str, predicted: str) -> TaggedSentence:
    return TaggedSentence(words.split(), gold.split(), predicted.split())


SENTENCES = [
    sentence("Ada met Bo Hill in Ulm", "B-PER O B-PER I-PER O B-LOC", "B-PER O B-PER O O B-ORG"),
    sentence("Ulm on Monday", "B-LOC O O", "B-ORG O B-MISC"),
    sentence("Rome", "B-LOC", "O"),
]


def test_a_phrase_stands_against_the_one_that_overlaps_it_most():
    tagged = sentence("a b c d e", "B-X I-X I-X B-Y O", "B-X B-Y I-Y I-Y B-Z")
    assert list(phrase_pairs(tagged)) == [
        PhrasePair(Phrase(0, 3, "X"), Phrase(1, 4, "Y")),
        PhrasePair(Phrase(3, 4, "Y"), None),
        PhrasePair(None, Phrase(0, 1, "X")),
        PhrasePair(None, Phrase(4, 5, "Z")),
    ]


def test_table_and_errors():
    counts = confusion(SENTENCES)
    assert table(counts) == (
        "gold  MISC  ORG  PER  O  bounds\n"
        "LOC      .    2    .  1       .\n"
        "PER      .    .    1  .       1\n"
        "O        1    .    .  .       .\n"
    )
    assert error_list(counts, 2) == (
        "      2  Ulm/LOC -> Ulm/ORG\n"
        "      1  Bo Hill/PER -> Bo/PER\n"
    )  # fmt: skip
    assert commonest(counts, 99)[2:] == [
        (Error("Monday", None, "Monday", "MISC"), 1),
        (Error("Rome", "LOC", "Rome", None), 1),
    ]
    assert sum(int(str(entry["count"])) for entry in table_entries(counts)) == 6
    assert error_entries(counts, 1) == [
        {"gold_text": "Ulm", "gold": "LOC", "predicted_text": "Ulm", "predicted": "ORG", "count": 2}
    ]


def test_tags_of_words():
    tagged = [sentence("the gnu sleeps", "DT NN VBZ", "DT NN NNS")]
    assert table(confusion(tagged, tag_pairs)) == (
        "gold  DT  NN  NNS\nDT     1   .    .\nNN     .   1    .\nVBZ    .   .    1\n"
    )
    assert error_list(confusion(tagged, tag_pairs), 5) == "      1  sleeps/VBZ -> sleeps/NNS\n"


tags = st.lists(st.sampled_from(["O", "O", "B-X", "I-X", "B-Y", "I-Y"]), min_size=1, max_size=12)


@given(st.tuples(tags, tags))
def test_rows_are_the_gold_phrases_columns_the_found_ones_the_diagonal_the_correct(columns):
    gold, predicted = columns
    n = min(len(gold), len(predicted))
    tagged = TaggedSentence(["w"] * n, gold[:n], predicted[:n])
    pairs = list(phrase_pairs(tagged))
    assert [pair.gold for pair in pairs if pair.gold] == phrases_as_read(tagged.gold)
    found = [pair.predicted for pair in pairs if pair.predicted]
    assert sorted(found) == phrases_as_read(tagged.predicted)
    kinds = confusion([tagged]).kinds
    right = sum(count for kind, count in kinds.items() if kind[0] == kind[1] and kind.same_bounds)
    assert right == sum(score([tagged]).correct.values())
