"""Files of roles, lists of predicates, and predicates by parts of speech."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation import schemes
from senna.annotation.predicates import Predicate, predicate_column, regular, verbal
from senna.annotation.schemes import Phrase
from senna.errors import SennaError
from senna.formats.columns import marks_of
from senna.formats.props import (
    Argument,
    RolesSentence,
    predicate_of,
    propositions_of,
    props_of,
    read_roles,
)
from senna.kinds.tags.answer import as_pt0

FULL = """\
1 Ann NNP S-NP - - (A0*) (A0*)
2 wants VBZ S-VP want.01 v (V*) *
3 to TO S-VP - - (A1* *
4 stand VB S-VP stand.03 be * (V*)
5 up RP S-PRT - - *) (C-V*)

1 Yes UH O - -
"""
SHORT = """\
Ann  -     (A0*) (A0*)
wants want (V*)  *
to   -     (A1*  *
stand stand *    (V*
up   -     *)    *)

Yes -
"""


def read(text: str, names: str = "") -> list[RolesSentence]:
    return list(read_roles(text.splitlines(keepends=True), name="x", names=names))


def test_the_two_forms():
    for text in (FULL, SHORT):
        first, last = read(text)
        assert first.forms == ["Ann", "wants", "to", "stand", "up"]
        assert first.predicates == [
            Predicate(1, ["S-A0", "S-V", "B-A1", "I-A1", "E-A1"]),
            Predicate(3, ["S-A0", "O", "O", "S-V", "S-C-V"]),
        ]
        assert (last.forms, last.predicates) == (["Yes"], [])
        assert last.line == 7
    first, _ = read(FULL)
    assert first.kinds == ["v", "be"]
    assert first.pos == ["NNP", "VBZ", "TO", "VB", "RP"]
    assert first.pt0 == ["S-NP", "S-VP", "S-VP", "S-VP", "S-PRT"]
    assert read(SHORT)[0].pos is None


def test_kinds():
    full, short = read(FULL)[0], read(SHORT)[0]
    assert [p.position for p in full.of_kinds(("v",))] == [1]
    assert [p.position for p in full.of_kinds(("v", "be"))] == [1, 3]
    assert [p.position for p in full.of_kinds(())] == [1, 3]
    assert [p.position for p in short.of_kinds(("v",))] == [1, 3], "a file without kinds"


def test_named_columns():
    (found,) = read("VBZ go x go.01 (V*)\nRB home x - (A4*)\n", "pos, word,-,predicate")
    assert (found.forms, found.pos) == (["go", "home"], ["VBZ", "RB"])
    assert found.predicates == [Predicate(0, ["S-V", "S-A4"])]


def test_a_word_1_is_no_number_of_the_full_form():
    (found,) = read("1 -\n")
    assert found.forms == ["1"]


@pytest.mark.parametrize("names", ["word", "word,tag", "predicate", "word,predicate,roles"])
def test_names_that_are_none(names):
    with pytest.raises(SennaError, match=r"x: columns .* do not name .*word,pos,-,predicate"):
        read(SHORT, names)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a - *\nb go (V*)\n\nc go (V*) *\n", "x:4: 1 predicate, but 2 columns of roles"),
        ("a go\n", "x:1: 1 predicate, but 0 columns"),
        ("a\n", r"x:1: 1 column, expected 2 \(word,predicate\)"),
        ("a - (A0*\nb go (V*)\n", r'x:1: tag "\(A0\*" is never closed \(column 3\)'),
        ("a - (A0*\nb - (A1*)\nc - *)\nd go (V*)\n", "x:2: arguments of one predicate overlap"),
        ("a - (A0*\nb go *)\n", "x:2: the predicate stands in its own A0"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, message):
    with pytest.raises(SennaError, match=message):
        read(text)


def test_v_is_one_word_and_need_not_be_there():
    assert predicate_of(1, ["(V*", "*", "*)"]).tags == ["O", "S-V", "S-C-V"]
    assert predicate_of(1, ["(A0*)", "*"]).tags == ["S-A0", "S-V"]
    assert predicate_of(0, ["*", "(V*)"]).tags == ["S-V", "S-C-V"]


ROLES = ("A0", "A1", "R-A0", "AM-TMP")


@st.composite
def predicates(draw: st.DrawFn, n: int = 8, roles: Sequence[str] = ROLES) -> Predicate:
    """A predicate with arguments around it, in a sentence of n tokens."""
    position = draw(st.integers(0, n - 1))
    free = [True] * n
    free[position] = False
    phrases = [Phrase(position, position + 1, "V")]
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, n - 1))
        end = draw(st.integers(start + 1, n))
        if all(free[start:end]):
            free[start:end] = [False] * (end - start)
            phrases.append(Phrase(start, end, draw(st.sampled_from(roles))))
    return Predicate(position, schemes.tags_of(phrases, n, "iobes"))


@given(st.lists(predicates(), max_size=4, unique_by=lambda p: p.position))
def test_what_is_written_is_read_back(found):
    forms = [f"w{i}" for i in range(8)]
    sentence = props_of(forms, found)
    text = "".join(
        "\t".join([form, *row]) + "\n" for form, row in zip(forms, sentence.rows, strict=True)
    )
    (back,) = read(text)
    assert back.forms == forms
    assert back.predicates == sorted(found)


def told(arguments: Sequence[Argument] | None) -> list[tuple[int, int, str, list[Any]]]:
    """All there is to say of arguments."""
    return [(*own.span, own.label, told(own.pieces)) for own in arguments or ()]


@given(
    st.lists(predicates(roles=(*ROLES, "C-A1", "C-V")), max_size=4, unique_by=lambda p: p.position)
)
def test_propositions_are_those_of_the_written_props(found):
    written = props_of([f"w{i}" for i in range(8)], found).propositions()
    direct = propositions_of(sorted(found))
    for one, other in zip(written, direct, strict=True):
        assert one.position == other.position
        assert told(one.arguments) == told(other.arguments)


def test_a_hyphen_that_is_a_predicate_is_two():
    predicate = Predicate(2, ["B-A0", "E-A0", "S-V"])
    assert props_of(["a", "b", "go"], [predicate]).rows[0] == ["-", "(A0*"]
    assert predicate_column(["a", "b", "go"], [predicate]) == ["-", "-", "go"]
    assert predicate_column(["a", "b", "-"], [predicate]) == ["-", "-", "--"]
    assert marks_of(3, [predicate]) == ["O", "O", "S-V"]


@pytest.mark.parametrize(
    ("position", "tags", "expected"),
    [
        (1, ["B-A0", "I-A0", "E-A0"], ["S-A0", "S-V", "S-A0"]),
        (0, ["S-V", "S-V", "S-A1"], ["S-V", "O", "S-A1"]),
        (0, ["S-V", "I-A1", "I-A1"], ["S-V", "B-A1", "E-A1"]),
        (0, ["S-V", "B-A1", "O"], ["S-V", "S-A1", "O"]),
        (1, ["O", "O", "O"], ["O", "S-V", "O"]),
        (2, ["B-A1", "E-A1", "S-V"], ["B-A1", "E-A1", "S-V"]),
    ],
)
def test_tags_of_a_network_become_regular(position, tags, expected):
    assert regular(position, tags) == Predicate(position, expected)


TAGS = st.lists(
    st.sampled_from(["O", "S-V", "B-A0", "I-A0", "E-A0", "S-A0", "I-C-A0", "B-V"]), min_size=1
)


@given(TAGS, st.data())
def test_any_tags_become_regular(tags, data):
    position = data.draw(st.integers(0, len(tags) - 1))
    found = regular(position, tags).tags
    assert schemes.convert(found, "iobes", "iobes") == found
    assert [i for i, tag in enumerate(found) if tag[2:] == "V"] == [position]
    assert regular(position, found).tags == found


def test_pt0_has_25_types():
    tags = ["B-EDITED", "E-EDITED", "S-NP", "S-META", "O"]
    assert as_pt0(tags) == ["O", "O", "S-NP", "O", "O"]


@pytest.mark.parametrize(
    ("sentence", "verbs"),
    [
        ("She/PRP runs/VBZ", "runs"),
        ("He/PRP is/VBZ running/VBG", "running"),
        ("It/PRP has/VBZ not/RB been/VBN seen/VBN", "seen"),
        ("I/PRP have/VBP a/DT car/NN", "have"),
        ("Have/VBP you/PRP ever/RB won/VBN ?/.", "won"),
        ("Do/VBP n't/RB go/VB", "go"),
        ("Do/VB it/PRP", "Do"),
        ("You/PRP did/VBD well/RB", "did"),
        ("We/PRP have/VBP to/TO leave/VB", "leave"),
        ("They/PRP used/VBD to/TO sing/VB", "sing"),
        ("They/PRP used/VBD a/DT car/NN", "used"),
        ("I/PRP am/VBP going/VBG to/TO win/VB", "win"),
        ("He/PRP will/MD win/VB", "win"),
        ("going/VBG to/IN Rome/NNP", "going"),
        ("I/PRP 've/VBP", "'ve"),
    ],
)
def test_verbs_but_be_and_auxiliaries(sentence, verbs):
    forms, pos = zip(*(token.rsplit("/", 1) for token in sentence.split()), strict=True)
    assert [forms[i] for i in verbal(forms, pos)] == verbs.split()
