"""Phrase scores against recorded outputs of the reference script, and IOBES against IOB2."""

import json
import os
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import SCHEMES, Phrase, convert, tags_of
from senna.errors import SennaError
from senna.scoring.conlleval import (
    PhraseScores,
    TaggedSentence,
    in_iob2,
    phrases_as_read,
    read_tagged,
    schemes_of,
    score,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "conlleval"
SHARED = Path(os.environ.get("SENNA_DATA", "absent")).parent / "golden" / "conlleval"
REAL_TEXT = ("31", "32", "33")


def lines(data: bytes) -> StringIO:
    return StringIO(data.decode("utf-8", "surrogateescape"), newline="\n")


def run(args: Sequence[str], data: bytes) -> tuple[bytes, bool]:
    """Standard output, and whether it failed, for the reference's arguments."""
    options: dict[str, str] = {"-d": " ", "-o": "O"}
    words = iter(args)
    for word in words:
        options[word] = next(words) if word in ("-d", "-o") else ""
    if not options.keys() <= {"-d", "-o", "-r", "-l"}:
        return b"", True
    raw = "-r" in options
    try:
        scores = score(
            read_tagged(
                lines(data), name="x", delimiter=options["-d"], raw=raw, outside=options["-o"]
            )
        )
    except SennaError:
        return b"", True
    return scores.report(latex="-l" in options).encode("utf-8", "surrogateescape"), False


def check_case(folder: Path, case: str) -> None:
    args = shlex.split((folder / f"{case}.args").read_text(encoding="utf-8"))
    output, failed = run(args, (folder / f"{case}.in").read_bytes())
    assert output == (folder / f"{case}.out").read_bytes()
    assert failed == (folder / f"{case}.rc").exists()


@pytest.mark.parametrize("case", REAL_TEXT)
def test_recorded_outputs_of_the_reference_script_on_real_text(case):
    if not (SHARED / f"{case}.in").exists():
        pytest.skip("needs the golden files beside $SENNA_DATA")
    check_case(SHARED, case)


def random_cases() -> list[tuple[list[str], bytes, bytes, bool]]:
    with (GOLDEN / "random.jsonl").open(encoding="utf-8", newline="\n") as file:
        cases = [json.loads(line) for line in file]
    return [
        (x["args"], x["input"].encode("latin-1"), x["output"].encode("latin-1"), x["failed"])
        for x in cases
    ]


def test_recorded_outputs_of_the_reference_script_on_random_and_damaged_columns():
    for args, data, output, failed in random_cases():
        assert run(args, data) == (output, failed), (args, data)


def test_phrases_as_the_reference_script_reads_them():
    rows = (GOLDEN / "schemes-read.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(rows) == 46
    for line in rows:
        tags, expected, _ = line.split("\t")
        phrases = phrases_as_read(tags.split())
        assert " ".join(f"{start}-{end}:{label}" for start, end, label in phrases) == expected


def sentence(gold: str, predicted: str, **more: str | int | bool) -> TaggedSentence:
    tags = gold.split()
    return TaggedSentence(["w"] * len(tags), tags, predicted.split(), **more)


def scored(*sentences: TaggedSentence) -> PhraseScores:
    """Scores of columns read in their own schemes."""
    read_as = schemes_of(sentences)
    return score(in_iob2(sentences, read_as) if read_as else sentences, read_as)


def test_a_column_of_stars_is_brackets_without_phrases():
    scores = scored(sentence("(X*) * *", "* * *"), sentence("*", "*"))
    assert scores.read_as == {"gold": "bracket", "predicted": "bracket"}
    assert (scores.tokens, scores.correct_tokens, scores.predicted) == (4, 3, {})


@pytest.mark.parametrize(
    "tags",
    ["B-X I-X O", "I-X E-X E-X", "S B E", "S- O O", "[-X ]-X .", "O", "( )", "(* *x *", ": * ("],
)
def test_other_columns_are_read_as_the_reference_reads_them(tags):
    assert schemes_of([sentence(tags, tags)]) == {}


tag_lists = st.lists(
    st.sampled_from(["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "E-Y", "I-Y", "S-Y"]), max_size=8
)


@given(
    st.lists(st.tuples(tag_lists, tag_lists), max_size=4),
    st.sampled_from(["iobes", "bilou", "bracket"]),
)
def test_scores_are_those_of_the_same_phrases_in_iob2(pairs, scheme):
    cut = [(gold[: len(tags)], tags[: len(gold)]) for gold, tags in pairs]
    # so that both columns are told for what they are
    cut.append((["B-X", "E-X", "S-Y"], ["S-Y", "B-X", "E-X"]))

    def sentences(target: str) -> list[TaggedSentence]:
        return [
            TaggedSentence([""] * len(gold), *(convert(x, "iobes", target) for x in (gold, tags)))
            for gold, tags in cut
        ]

    iob2 = score(sentences("iob2"))
    assert scored(*sentences(scheme)) == replace(
        iob2, read_as={"gold": scheme, "predicted": scheme}
    )


WRITTEN = (*SCHEMES, "io")  # IO: the type of the phrase alone, so none touches one of its type


def written(phrases: set[Phrase], n: int, scheme: str) -> list[str]:
    if scheme != "io":
        return tags_of(phrases, n, scheme)
    return ["O" if tag == "O" else f"I{tag[1:]}" for tag in tags_of(phrases, n, "iob2")]


def drawn(random: Random, n: int, *, apart: bool) -> set[Phrase]:
    """Phrases of two types of a sentence; touching ones are of two types where `apart`."""
    phrases: set[Phrase] = set()
    end, label = 0, ""
    while (start := end + random.choice((0, 0, 1, 2))) < n:
        others = "XY".replace(label, "") if apart and start == end and label else "XY"
        end, label = min(n, start + random.choice((1, 1, 2, 3))), random.choice(others)
        phrases.add(Phrase(start, end, label))
    return phrases


@pytest.mark.parametrize("of_gold", WRITTEN)
@pytest.mark.parametrize("of_predicted", WRITTEN)
def test_any_two_schemes_score_as_their_phrases_compared_one_by_one(of_gold, of_predicted):
    random = Random(f"{of_gold} {of_predicted}")
    sentences, counts = [], Counter[str]()
    for _ in range(40):
        n = random.randrange(1, 9)
        gold, predicted = (
            drawn(random, n, apart=scheme == "io") for scheme in (of_gold, of_predicted)
        )
        if random.random() < 0.5 and "io" not in (of_gold, of_predicted):
            predicted = {phrase for phrase in gold if random.random() < 0.8}
        for phrase in gold | predicted:  # the slow reference
            counts["gold"] += phrase in gold
            counts["predicted"] += phrase in predicted
            counts["both"] += phrase in gold and phrase in predicted
        columns = written(gold, n, of_gold), written(predicted, n, of_predicted)
        sentences.append(TaggedSentence([""] * n, *columns))
    scores = scored(*sentences)
    assert scores.counts(*scores.labels) == (counts["gold"], counts["predicted"], counts["both"])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a O O\n\nb U-X L-X\nc E-X O\n", r'^f.txt:4: tag "E-X".*scheme bilou.*as_is'),
        (b"a O O\n\nb S-X S-X\nc U-X O\n", r'^f.txt:4: tag "U-X".*scheme iobes.*as_is'),
        (b"a * *\n\nb (X* *\nc I-X *\n", r'^f.txt:4: tag "I-X".*scheme bracket.*as_is'),
        (b"a * *\n\nb * *\nc (X* *\n", r'^f.txt:4: tag "\(X\*" .* is never closed'),
        (b"a * *)\n\nb * (X*)\n", r'^f.txt:1: tag "\*\)" .* closes no phrase'),
    ],
)
def test_a_tag_that_its_scheme_lacks_is_refused_with_its_line(data, message):
    with pytest.raises(SennaError, match=message):
        scored(*read_tagged(lines(data), name="f.txt"))


def test_an_odd_tag_at_the_end_of_a_file_is_not_at_a_boundary():
    """S and I of empty type: a boundary ends the second alone, the end of the file both."""
    columns = b"a S-Y -Z\nb S- S-\nc . I-\n"
    assert b"correct: 1." in run([], columns)[0]
    assert b"correct: 0." in run([], columns + b"\n")[0]


def test_json_has_the_figures_of_the_report():
    keys = "tokens accuracy phrases found correct precision recall f1".split()
    figures = score([sentence("B-X I-X O B-Y B-Y O", "B-X I-X O B-X B-Y B-Y")]).as_dict()
    assert list(figures) == [*keys, "types"]
    assert [figures[key] for key in keys] == [6, 66.67, 3, 4, 2, 50.0, 66.67, 57.14]
    assert figures["types"] == {
        "X": dict(zip(keys[2:], [1, 2, 1, 50.0, 100.0, 66.67], strict=True)),
        "Y": dict(zip(keys[2:], [2, 2, 1, 50.0, 50.0, 50.0], strict=True)),
    }
