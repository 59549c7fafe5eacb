"""What is told before training: types, and what looks like a mistake in the data."""

import pytest

from senna.errors import SennaError
from senna.extras.doubts import FEW, doubts, doubts_of, shown_types
from senna.kinds.labels.answer import Label
from senna.training.config import DataConfig, Source
from senna.training.examples.corpora import Example, TaskCorpus, drawn, read_source


def names(*tagged: str, n: int = 1) -> list[Example]:
    """Sentences of words and tags, for example "Anna/S-PER ran/O", each n times."""
    pairs = [[cell.rsplit("/", 1) for cell in sentence.split()] for sentence in tagged]
    return [Example([w for w, _ in p], [t for _, t in p]) for p in pairs for _ in range(n)]


def doubtful(task: str, train: list[Example], dev: list[Example] | None = None) -> str:
    return "\n".join(doubts_of(task, TaskCorpus(train, [("dev", dev or [])])))


def test_types_are_told_with_their_numbers():
    train = names("Anna/B-PER Lee/E-PER saw/O Rome/S-LOC", "Bob/S-PER", n=2)
    [line] = shown_types("ner", train)
    assert line == "ner in 4 training sentences: PER 4, LOC 2"
    assert next(shown_types("pos", names("a/DT", n=3))) == "pos in 3 training sentences: DT 3"
    assert next(shown_types("pos", names("a/DT"))) == "pos in 1 training sentence: DT 1"


def test_a_misspelt_type_is_told_with_the_one_that_is_meant():
    train = [*names("Anna/S-PER ran/O", n=5), *names("Bob/S-PRE ran/O")]
    assert doubtful("ner", train) == "ner PRE occurs only once in the training set: is it PER?"


@pytest.mark.parametrize(
    ("task", "once", "often"),
    [
        ("ner", "ANIMAL", "MINERAL"),  # no slip
        ("ner", "T1", "T2"),
        ("ner", "PER", "PERS"),  # which explain knows
    ],
)
def test_another_type_is_not_taken_for_a_misspelt_one(task, once, often):
    train = [*names(f"Anna/S-{often} ran/O", n=5), *names(f"Bob/S-{once} ran/O")]
    assert doubtful(task, train) == f"{task} {once} occurs only once in the training set"


def test_a_blank_after_a_tag_is_told():
    told = doubtful("pos", [Example(["Anna", "ran"], ["NNP ", "VBD"])])
    assert told == "the tag 'NNP ' of pos has a blank before or after it: remove the blank"


def test_columns_in_the_place_of_labels_are_told():
    labels = [Example([tag], Label(word)) for word, tag in (("Anna", "O"), ("ran", "O")) * 2]
    assert (
        doubtful("label", labels) == "most texts of label are one word: is this a file of columns?"
    )
    labels = [Example(["Anna", "ran"], Label(label)) for label in ("good", "bad") * 2]
    assert doubtful("label", labels) == ""


def test_types_that_differ_in_case_are_told():
    train = names("Anna/S-PER ran/O", "Bob/S-Per ran/O", n=2)
    assert doubtful("ner", train) == "ner PER and Per differ only in case, and count as different"
    labels = [Example(["a"], Label(name)) for name in ("Good", "good", "bad") * 2]
    assert "label Good and good differ only in case" in doubtful("label", labels)


def test_sentences_of_dev_that_are_learnt_are_told():
    long, short = "a/O b/O c/O d/O e/S-X", "a/O b/S-X"
    train = names(long, short, n=2)
    told = doubtful("ner", train, names(long, short, "f/O g/O h/O i/O j/O"))
    assert told == "1 of the 3 sentences of dev are in the training set too"
    assert doubtful("ner", train, names(short)) == ""


def test_a_file_without_blank_lines_is_told():
    [example] = names(" ".join(["a/O", "B/S-X"] * 100))
    assert "have 200 words on average: does a blank line" in doubtful("ner", [example])


def test_names_in_the_place_of_parts_of_speech_are_told():
    told = doubtful("pos", names("Anna/B-PER Lee/I-PER saw/O Rome/B-LOC"))
    assert told.startswith("the tags of pos look like those of phrases (B-LOC)")
    assert doubtful("pos", names("Anna/NNP saw/VBD")) == ""


def test_a_header_of_a_file_of_labels_is_told():
    labels = [Example(["a", "b"], Label(name)) for name in ("label", *("good", "bad") * 3)]
    assert "the first line has the label 'label': is it a header?" in doubtful("label", labels)


@pytest.mark.parametrize(
    ("task", "text", "columns", "what"),
    [
        ("ner", "a b O\nb c O\n", "word,tag,tag", "x: the columns 'word,tag,tag' have 'tag' twice"),
        ("ner", "a\0 O\nb O\n", "", "x:1: a word with a NUL byte"),
        ("ner", "a B-X\nb I-X\nc S-X\n", "", "x: tags with S- beside B- or I-, but none with E-"),
        ("label", "good\ta\tb\n", "", "x:1: a second tab"),
        ("ner", "a\nb\n", "", "x:1: only one column: expected a word and its tag, separated"),
    ],
)
def test_data_that_are_none(tmp_path, task, text, columns, what):
    (tmp_path / "x").write_text(text, encoding="utf-8")
    source = Source(str(tmp_path / "x"), columns=columns)
    with pytest.raises(SennaError) as error:
        read_source(source, "train", task, DataConfig(), None)
    assert f"{tmp_path}/{what}" in str(error.value)


def test_smaller_draws_are_parts_of_larger_ones():
    train = [Example([str(i)], []) for i in range(50)]
    few, more = drawn(train, 5, ""), drawn(train, 20, "")
    assert [len(few), len(more)] == [5, 20]
    assert all(example in more for example in few) and more != train[:20]
    assert [int(e.forms[0]) for e in more] == sorted(int(e.forms[0]) for e in more)
    with pytest.raises(SennaError, match="51 of 50 training sentences"):
        drawn(train, 51, "x")


NAME = Example(["Anna", "Lee", "saw", "Rome"], ["B-PER", "E-PER", "O", "S-LOC"])
CHUNK = Example(["Anna", "saw"], ["S-NP", "O"])
NONE = Example(["He", "slept"], ["O", "O"])


def warnings(task: str, train: Example, dev: list[Example]) -> list[str]:
    corpus = TaskCorpus([train] * 300, [("dev.txt", dev)])
    known = {task: ["O", *{tag for tag in train.gold if tag != "O"}]}
    found = doubts({task: DataConfig()}, {task: corpus}, known)
    return [line for line in found if "dev score" in line]


@pytest.mark.parametrize(
    ("task", "own", "n", "said"),
    [
        ("ner", NAME, 20, "dev.txt has only 40 names of ner: one name is worth 2.5 points"),
        ("chunk", CHUNK, 1, "dev.txt has only 1 phrase of chunk: one phrase is worth 100.0 points"),
    ],
)
def test_a_small_dev_set_is_reported_with_the_worth_of_a_phrase(task, own, n, said):
    assert warnings(task, own, [own] * n) == [f"warning: {said} of the dev score"]


def test_sets_that_are_large_enough_and_tasks_without_phrases_are_not():
    assert warnings("ner", NAME, [NAME] * (FEW // 2)) == []
    assert len(warnings("ner", NAME, [NAME] * (FEW // 2 - 1))) == 1
    assert warnings("ner", NAME, [NONE] * 5) == []
    assert warnings("pos", Example(["Anna", "ran"], ["NNP", "VBD"]), [NONE] * 3) == []


@pytest.mark.parametrize(
    "rows", [["0", "1", "2"], ["1", "2", "3"], ["s1", "s1", "s1"]], ids=" ".join
)
def test_a_column_of_numbers_in_the_place_of_words_is_told(rows):
    train = [Example(rows, ["S-PER", "O", "O"]), *names("Ann/S-PER")] * 3
    assert doubtful("ner", train).endswith(
        f"{', '.join(rows)}, ...: is this a column of numbers? --columns names the words"
    )
    assert doubtful("ner", [*train[:2], *names("1/O 2/O 4/S-PER", "ha/O ho/O", n=6)]) == ""
