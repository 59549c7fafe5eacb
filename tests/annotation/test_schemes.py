"""Tag schemes: the golden table in all directions, round trips, lenient reading."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import SCHEMES, Phrase, convert, phrases_of, tags_of
from senna.errors import SennaError

GOLDEN = Path(__file__).parents[1] / "golden" / "schemes.tsv"


def parse_phrases(text: str) -> list[Phrase]:
    phrases = []
    for item in text.split():
        span, label = item.split(":")
        start, end = span.split("-")
        phrases.append(Phrase(int(start), int(end), label))
    return phrases


def golden_rows() -> list[tuple[int, list[Phrase], dict[str, list[str]]]]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    names = [name.lower().replace("brackets", "bracket") for name in lines[0].split("\t")[2:8]]
    assert sorted([*names, "bilou"]) == sorted(SCHEMES)
    rows = []
    for line in lines[1:]:
        cells = line.split("\t")
        taggings = {name: cell.split() for name, cell in zip(names, cells[2:8], strict=True)}
        taggings["bilou"] = [
            {"E": "L", "S": "U"}.get(tag[0], tag[0]) + tag[1:] for tag in taggings["iobes"]
        ]
        rows.append((int(cells[0]), parse_phrases(cells[1]), taggings))
    return rows


@st.composite
def phrase_lists(draw: st.DrawFn) -> tuple[list[Phrase], int]:
    """Phrases of few types, often touching, and the length of their sentence."""
    phrases = []
    position = 0
    for _ in range(draw(st.integers(0, 6))):
        start = position + draw(st.sampled_from([0, 0, 1, 2]))
        position = start + draw(st.integers(1, 3))
        phrases.append(
            Phrase(start, position, draw(st.sampled_from(["X", "Y", "X-Y", "-", "Ö I"])))
        )
    return phrases, position + draw(st.integers(0, 2))


@pytest.mark.parametrize("source", SCHEMES)
def test_golden_table_holds_in_all_directions(source):
    rows = golden_rows()
    assert len(rows) == 40
    for n, phrases, taggings in rows:
        assert phrases_of(taggings[source], source) == phrases
        assert tags_of(phrases, n, source) == taggings[source]
        for target in SCHEMES:
            assert convert(taggings[source], source, target) == taggings[target]


@given(phrase_lists(), st.sampled_from(SCHEMES), st.sampled_from(SCHEMES))
def test_phrases_survive_any_two_schemes(example, first, second):
    phrases, n = example
    tags = tags_of(reversed(phrases), n, first)
    assert len(tags) == n
    assert phrases_of(tags, first) == phrases
    assert convert(convert(tags, first, second), second, first) == tags


@given(
    st.sampled_from(["iob1", "ioe1", "iobes"]),
    st.lists(st.sampled_from(["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"])),
)
def test_any_tagging_is_read_as_phrases_that_cover_its_tags(scheme, tags):
    allowed = {"iob1": "OBI", "ioe1": "OIE", "iobes": "OBIES"}[scheme]
    tags = [tag for tag in tags if tag[0] in allowed]
    phrases = phrases_of(tags, scheme)
    labels = [""] * len(tags)
    for start, end, label in phrases:
        labels[start:end] = [label] * (end - start)
    assert labels == [tag[2:] for tag in tags]
    assert phrases_of(tags_of(phrases, len(tags), scheme), scheme) == phrases


@pytest.mark.parametrize(
    ("scheme", "tags", "expected"),
    [
        ("iob2", "O I-X O", "1-2:X"),
        ("iob2", "I-X I-Y I-Y", "0-1:X 1-3:Y"),
        ("iob1", "B-X I-X O", "0-2:X"),
        ("iob1", "B-X B-X", "0-1:X 1-2:X"),
        ("iob1", "B-X I-Y", "0-1:X 1-2:Y"),
        ("ioe2", "I-X O E-X", "0-1:X 2-3:X"),
        ("ioe1", "E-X E-X I-X", "0-1:X 1-2:X 2-3:X"),
        ("iobes", "O I-X O", "1-2:X"),
        ("iobes", "E-X E-X", "0-1:X 1-2:X"),
        ("iobes", "B-X B-X E-X", "0-1:X 1-3:X"),
        ("iobes", "B-X O E-X", "0-1:X 2-3:X"),
        ("iobes", "B-X E-Y", "0-1:X 1-2:Y"),
        ("iobes", "B-X S-X I-X", "0-1:X 1-2:X 2-3:X"),
        ("iobes", "S-X S-X E-X", "0-1:X 1-2:X 2-3:X"),
        ("iobes", "B-X I-X", "0-2:X"),
    ],
)
def test_broken_taggings_are_read_by_the_documented_rule(scheme, tags, expected):
    assert phrases_of(tags.split(), scheme) == parse_phrases(expected)


UNKNOWN = {
    "iob2": ["E-X"],
    "iob1": ["S-X"],
    "bilou": ["E-X", "S-X"],
    "ioe1": ["B-X"],
    "iobes": ["U-X", "b-X", "B", "B-", "-X", "", "NP-B", "*"],
    "bracket": ["O", "", "(X", "(*)", "**", "X*)", "(X*))", "(X(Y*", "(X*)*"],
}


@pytest.mark.parametrize(
    ("scheme", "tag"), [(scheme, tag) for scheme, tags in UNKNOWN.items() for tag in tags]
)
def test_unknown_tags_are_refused_by_name(scheme, tag):
    with pytest.raises(SennaError) as caught:
        phrases_of(["*" if scheme == "bracket" else "O", tag], scheme)
    assert f'"{tag}" (token 2)' in str(caught.value)


@pytest.mark.parametrize("tags", ["(X* *", "* *)", "(X* (Y*) *)", "(X*) *)", "(X* (X*"])
def test_nested_and_unbalanced_brackets_are_refused(tags):
    with pytest.raises(SennaError, match="do not nest"):
        phrases_of(tags.split(), "bracket")


@pytest.mark.parametrize(
    "phrases",
    [
        [Phrase(0, 2, "X"), Phrase(1, 3, "Y")],
        [Phrase(1, 1, "X")],
        [Phrase(-1, 1, "X")],
        [Phrase(2, 4, "X")],
        [Phrase(0, 1, "")],
    ],
)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_phrases_that_do_not_fit_are_refused(phrases, scheme):
    with pytest.raises(SennaError, match="does not fit"):
        tags_of(phrases, 3, scheme)


def test_a_type_with_brackets_cannot_be_bracketed():
    with pytest.raises(SennaError, match="brackets"):
        tags_of([Phrase(0, 1, "X(*")], 1, "bracket")


def test_unknown_scheme_is_refused():
    for call in (lambda: phrases_of([], "BILOU"), lambda: tags_of([], 0, "IOB2")):
        with pytest.raises(SennaError, match="iobes"):
            call()
