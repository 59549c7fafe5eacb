"""CoNLL-U: words, surface tokens of several words, added words, and what is wrong."""

import io
import re
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.dependencies import cycle_of
from senna.errors import SennaError
from senna.formats.conllu import as_conllu, checked_arcs, text_of
from senna.formats.conllu_lines import FORM, ConlluSentence, escaped, filled, read_conllu
from tests.oracles import climbs


def row(number: str, form: str = "x", misc: str = "_") -> str:
    return "\t".join([number, form, *["_"] * 7, misc])


def read(*lines: str) -> list[ConlluSentence]:
    text = "\n".join(lines)
    return list(read_conllu(io.StringIO(text, newline="\n"), name="file"))


def test_words_comments_and_lines():
    rows = [row("1", "We"), row("2-3", "don't"), row("2", "do"), row("3", "n't"), row("3.1", "go")]
    first, second = read("\ufeff# newdoc id = a", "# x", *rows, "", " ", row("1", "Why"))
    assert first.comments == ["# newdoc id = a", "# x"]
    assert first.opens_document and not second.opens_document
    assert [own[FORM] for own in first.words] == ["We", "do", "n't"]
    assert len(first.rows) == 5
    assert (first.line, second.line) == (1, 10)


def test_a_carriage_return_ends_a_line_too():
    [sentence] = read(row("1", "a") + "\r", "\r")
    assert sentence.rows[0][-1] == "_"


FIELD = st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"]), max_size=6)


@given(st.lists(st.lists(FIELD, min_size=9, max_size=9), min_size=1, max_size=4))
def test_sentences_are_read_as_they_were_written(fields):
    rows = [
        [str(i), f".{own[0]}", *own[1:8], own[8].rstrip("\r")]
        for i, own in enumerate(fields, start=1)
    ]
    text = as_conllu(["# a", "#b"], rows)
    again = list(read_conllu(io.StringIO(text + text, newline="\n"), name=""))
    assert [own.rows for own in again] == [rows, rows]
    assert [own.comments for own in again] == [["# a", "#b"]] * 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["# x", "1\ta"], "file:2: 2 fields, expected 10"),
        ([row("1"), "# late"], "file:2: 1 field, expected 10"),
        ([row("2")], "file:1: ID '2' where word 1 is due"),
        ([row("1"), row("1")], "file:2: ID '1' where word 2"),
        ([row("x")], "file:1: ID 'x'"),
        ([row("1"), row("3.1")], "file:2: ID '3.1'"),
        ([row("1"), row("1-2")], "file:2: ID '1-2'"),
        ([row("1-3"), row("1"), row("2-3")], "file:3: ID '2-3'"),
        ([row("2-1")], "file:1: ID '2-1'"),
        ([row("1-2"), row("1"), ""], "file:2: the sentence ends before word 2"),
        ([row("0.1"), ""], "file:1: a sentence without words"),
        (["# x", row("1"), row("2", "")], "file:3: the field FORM is empty"),
        ([row("1-2", " \u00a0"), row("1"), row("2")], "file:1: the field FORM is empty"),
    ],
)
def test_bad_lines_are_told(lines, message):
    with pytest.raises(SennaError) as error:
        read(*lines)
    assert str(error.value).startswith(message)


def test_the_text_and_where_words_stand_in_it():
    rows = [
        row("1", "We"), row("2-3", "don't"), row("2", "do"), row("3", "n't"), row("3.1", "go"),
        row("4-5", "gonna", "x=y|SpaceAfter=No"), row("4", "going"), row("5", "to"), row("6", "."),
    ]  # fmt: skip
    [sentence] = read(*rows)
    text, places = sentence.surface()
    assert text == "We don't gonna."
    assert [text[a:b] for a, b in places] == ["We", "do", "n't", "gonna", "gonna", "."]


@given(st.text())
def test_values_hold_no_sign_that_parts_them(value):
    assert not {"|", " ", "\t", "\n"} & set(escaped(value))


def test_only_forms_and_lemmas_have_spaces():
    [sentence] = read(row("1", "New York"))
    fields = {"LEMMA": ["New\tYork City"], "XPOS": ["N P"], "DEPREL": ["a|b"]}
    assert filled(sentence, fields).rows[0][1:5] == ["New York", "New York City", "_", "N_P"]


@pytest.mark.parametrize("number", ["9" * 5000, f"1-{'9' * 5000}", f"{'9' * 5000}.1"])
def test_a_number_without_end_is_an_error_in_a_line(number):
    with pytest.raises(SennaError, match="^file:1: ID '.{40}' where word 1 is due"):
        list(read_conllu([row(number)], name="file"))


def test_a_row_is_compared_with_few_others(monkeypatch):
    """A sentence of any length is read in linear time: no row looks at all those before it."""
    monkeypatch.setattr(ConlluSentence, "words", property(lambda sentence: pytest.fail("all rows")))
    [sentence] = read_conllu([row(str(i)) for i in range(1, 3000)], name="file")
    assert len(sentence.rows) == 2999


def tree_rows(*arcs: tuple[str, str]) -> str:
    """A sentence whose words have these heads and relations."""
    rows = (
        f"{i}\tw{i}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n"
        for i, (head, relation) in enumerate(arcs, start=1)
    )
    return "# text = x\n" + "".join(rows) + "\n"


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        (("0", "3", "2"), "f:3: a cycle of heads: 2 to 3 to 2"),
        (("2", "3", "1"), "f:2: no roots in a sentence, expected one"),
        (("0", "0", "1"), "f:3: 2 roots in a sentence, expected one"),
        (("0", "4", "1"), "f:3: head '4' in a sentence of 3 words"),
        (("0", "1", "_"), "f:4: head '_' in a sentence of 3 words"),
        (("0", "-1", "1"), "f:3: head '-1'"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_line(heads, message):
    text = tree_rows(*((head, "dep") for head in heads))
    (sentence,) = read_conllu(StringIO(text, newline="\n"), name="f")
    with pytest.raises(SennaError, match=re.escape(message)):
        checked_arcs(sentence, "f")


@given(st.lists(st.integers(0, 8), min_size=1, max_size=8))
def test_a_cycle_is_found_where_words_do_not_climb_to_the_root(heads):
    heads = [min(head, len(heads)) for head in heads]
    cycle = cycle_of(heads)
    assert bool(cycle) == (not all(climbs(heads)))
    assert all(
        heads[one] == other + 1 for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True)
    )


def test_the_text_of_sentences_has_blank_lines_between_paragraphs():
    row = "1\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    text = f"# newdoc\n# text = Hi\n{row}{row}# newpar id = 2\n{row}"
    assert text_of(list(read_conllu(io.StringIO(text), name="x"))) == "Hi Hi\n\nHi"
