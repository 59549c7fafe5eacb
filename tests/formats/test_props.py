"""Props: columns to arguments, as the reference scorer reads them."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import Phrase, tags_of
from senna.errors import SennaError
from senna.formats.props import Argument, Proposition, PropsSentence, arguments_of, read_props

Shape = tuple[str, int, int, list[tuple[int, int]]]


def shape(argument: Argument) -> Shape:
    """Role, start, end and the pieces' spans."""
    pieces = [piece.span for piece in argument.pieces]
    return argument.label, argument.start, argument.end, pieces


def read(text: str) -> tuple[list[PropsSentence], list[str]]:
    """The sentences, and what was warned of."""
    warnings: list[str] = []
    lines = io.StringIO(text, newline="\n")
    return list(read_props(lines, name="x", warn=warnings.append)), warnings


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("* *", []),
        ("(A0* *) (V*)", [("A0", 0, 2, []), ("V", 2, 3, [])]),
        # a continuation joins the last argument of its role, and is one itself without
        ("(A1*) * (C-A1*)", [("A1", 0, 3, [(0, 1), (2, 3)])]),
        ("(A1*) (A1*) (C-A1* *)", [("A1", 0, 1, []), ("A1", 1, 4, [(1, 2), (2, 4)])]),
        ("(C-A1*) (C-A1*)", [("A1", 0, 2, [(0, 1), (1, 2)])]),
        ("(A1*) (C-A1*) (C-A1*)", [("A1", 0, 3, [(0, 1), (1, 2), (2, 3)])]),
        ("(R-A1*) (C-A1*)", [("R-A1", 0, 1, []), ("A1", 1, 2, [])]),
        ("(V*) (C-V*)", [("V", 0, 2, [(0, 1), (1, 2)])]),
        # typed brackets, an escaped star
        ("(A0* *A0)", [("A0", 0, 2, [])]),
        ("(A0* *0)", [("A0", 0, 2, [])]),
        (r"(A\*0*)", [(r"A\*0", 0, 1, [])]),
        # nested: outer before inner, and what is in it makes its pieces
        ("(A1(A0*) *)", [("A1", 0, 2, [(0, 1)]), ("A0", 0, 1, [])]),
        ("(A1(A0*))", [("A0", 0, 1, [])]),
        ("(A1* (C-A1*) *)", [("A1", 0, 2, [(1, 2), (1, 2)])]),
        ("(A2(A1*) *) (C-A1*)", [("A2", 0, 2, [(0, 3)]), ("A1", 0, 3, [(0, 1), (2, 3)])]),
    ],
)
def test_arguments_of_a_column(tags, expected):
    assert [shape(argument) for argument in arguments_of(tags.split())] == expected


@pytest.mark.parametrize(
    ("tags", "position", "message"),
    [
        ("(A0* *", 0, "is never closed"),
        ("(A0(A1* *)", 0, "is never closed"),
        ("* *)", 1, "closes what is not open"),
        ("(A0*) (A1* *))", 2, "closes what is not open"),
        ("(A0* (A1* *A0) *A1)", 2, "closes A0 where A1 is open: overlapping"),
        ("A0", 0, "is not a cell of props"),
        ("* (A0", 1, "is not a cell of props"),
        ("(* *)", 0, "is not a cell of props"),
        ("((A0*))", 0, "is not a cell of props"),
        ("(A0*x", 0, "is not a cell of props"),
        ("- *", 0, "is not a cell of props"),
        ("**", 0, "is not a cell of props"),
    ],
)
def test_brackets_that_do_not_match_name_the_line(tags, position, message):
    cells = tags.split()
    with pytest.raises(SennaError, match=message):
        arguments_of(cells)
    rows = [["go" if i == 0 else "-", cell] for i, cell in enumerate(cells)]
    with pytest.raises(SennaError, match=message) as caught:
        PropsSentence(rows, 7, "f.props").propositions()
    assert str(caught.value).startswith(f"f.props:{7 + position}: ")


def test_reading_a_file():
    [first, second], warnings = read("\ufeffgo  (V*)\t*\n\v- *  (A0*)\r\n \t\n-\ngo\n")
    assert first == PropsSentence([["go", "(V*)", "*"], ["-", "*", "(A0*)"]], 1, "x")
    assert second == PropsSentence([["-"], ["go"]], 4, "x")
    assert warnings == []
    [one] = first.propositions()  # a column without a verb is not looked at
    assert (one.verb, one.position) == ("go", 0)
    assert [shape(argument) for argument in one.arguments] == [("V", 0, 1, [])]
    assert second.propositions() == [Proposition("go", 1, None)]


def test_only_ascii_blanks_part_cells():
    [sentence], _ = read("a\u00a0b\x1c\x85 (V*)\n")
    assert sentence.rows == [["a\u00a0b\x1c\x85", "(V*)"]]


@pytest.mark.parametrize("text", ["", "\n", "\n\n", "\n \n\n"])
def test_nothing_to_read(text):
    assert read(text) == ([], [])


def test_an_empty_sentence_ends_the_file_and_text_after_it_is_told():
    sentences, warnings = read("-\n\n\n\n-\n")
    assert len(sentences) == 1
    assert warnings == ["x:5: not read from here on: an empty sentence ends the file"]
    assert read("-\n\n\n\n")[1] == []


def test_ragged_lines_are_told_once_and_their_cells_move_up():
    [first, _], warnings = read("go (V*)\n-\n- (A0*)\n\n-\ngo (V*)\n")
    [message] = warnings
    assert message.startswith("x:2: 1 column, expected 2: ")
    [one] = first.propositions()
    assert [shape(argument) for argument in one.arguments] == [("V", 0, 1, []), ("A0", 1, 2, [])]


def test_the_line_of_a_bad_cell_below_a_missing_one():
    sentence = PropsSentence([["go", "*"], ["-"], ["-", "x"]], 1, "f")
    with pytest.raises(SennaError, match=r'^f:3: tag "x" is not a cell of props \(column 2\)'):
        sentence.propositions()


roles = st.sampled_from(["A0", "A1", "R-A1", "AM-TMP", "V", "é"])


@st.composite
def flat_arguments(draw: st.DrawFn, n: int) -> list[Argument]:
    """Arguments of one or several pieces that a column can hold."""
    last: dict[str, Argument] = {}
    found: list[Argument] = []
    at = 0
    while at < n:
        size = draw(st.integers(1, n - at))
        kind = draw(st.sampled_from(["none", "new", "more"]))
        role = draw(roles)
        if kind == "more" and role in last:
            head = last[role]
            if not head.pieces:
                head.pieces.append(Argument(*head.span, role))
            head.pieces.append(Argument(at, at + size, f"C-{role}"))
            head.end = at + size
        elif kind != "none":
            last[role] = Argument(at, at + size, role)
            found.append(last[role])
        at += size
    return found


@st.composite
def sentences(draw: st.DrawFn) -> tuple[int, list[Proposition]]:
    """A number of tokens and propositions."""
    n = draw(st.integers(1, 10))
    places = sorted(draw(st.sets(st.integers(0, n - 1), max_size=4)))
    return n, [Proposition("go", place, draw(flat_arguments(n))) for place in places]


def comparable(propositions: list[Proposition]) -> list[tuple[str, int, list[Shape]]]:
    return [(p.verb, p.position, [shape(a) for a in p.arguments or ()]) for p in propositions]


def rows_of(n: int, propositions: list[Proposition]) -> list[list[str]]:
    """The rows of a sentence of n tokens."""
    columns = [["-"] * n]
    for verb, position, arguments in propositions:
        columns[0][position] = verb
        pieces = [piece for own in arguments or () for piece in own.pieces or [own]]
        columns.append(tags_of([Phrase(*own.span, own.label) for own in pieces], n, "bracket"))
    return [list(row) for row in zip(*columns, strict=True)]


@given(st.lists(sentences(), max_size=4))
def test_brackets_round_trip(drawn):
    written = [rows_of(n, propositions) for n, propositions in drawn]
    found, warnings = read(
        "\n".join("".join(" ".join(row) + "\n" for row in own) for own in written)
    )
    assert warnings == []
    assert [len(sentence.rows) for sentence in found] == [n for n, _ in drawn]
    for sentence, (_, propositions) in zip(found, drawn, strict=True):
        assert comparable(sentence.propositions()) == comparable(propositions)
