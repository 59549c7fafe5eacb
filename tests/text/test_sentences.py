"""The sentence splitter and the cutting of streams."""

import io
import json
import lzma
import os
import random
import re
import time
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.text import sentences as module
from senna.text import tokenizer
from senna.text.sentences import (
    LINE_BREAKS,
    LONGEST_PARAGRAPH,
    LONGEST_SENTENCE,
    segments,
    split,
    split_each,
)
from senna.text.tokenizer import CONVENTIONS, LONGEST_CHUNK, SPACE, tokenize, tokenize_each
from senna.text.tokens import Tokens

FRAGMENTS = st.sampled_from(
    "the He I'm Mr. U.S. No. Inc. J. etc. ... . ! ?! : , \" ' ( ) [3] :-) ----- http://a.b end.The"
    " 01/25/2001 10:20 AM Thanks, e\u0301 \u200b \ufeff \u2028 \u2029 \x85 \xa0 \n \r\n \x00".split(
        " "
    )
)
ANYTHING = st.one_of(
    st.lists(st.one_of(FRAGMENTS, st.just(" "), st.just("\n"), st.text(max_size=3))).map("".join),
    st.text(),
)


def parts(text: str, line_breaks: str = "auto", convention: str = "modern") -> list[str]:
    """The sentences of `text` as slices of it, inner line breaks shown as spaces."""
    sentences = split(text, convention, line_breaks)
    return [" ".join(text[s[0].start : s[-1].end].split()) for s in sentences]


# A bar stands where sentences end.
@pytest.mark.parametrize(
    "marked",
    [
        "It rained. | We went home! | Why? | Nobody knew.",
        "it rained. | we went home. | all of us.",
        'She said "Stop." | He did. | (He always did.) | Then: silence.',
        '"Why?" he asked. | "Because!" she cried.',
        "Mr. Poe met Dr. A. B. Smith at St. Anne's on Jan. 5 at 5 p.m. sharp.",
        "He works for Ajax Inc. | The firm is in the U.S. | It is large.",
        "The U.S. Senate met at 9 a.m. on Monday. | See No. 5, e.g. on p. 7.",
        "THE U.S. AND JAPAN MET IN WASHINGTON, D.C. ON MAY 5. | IT RAINED. | THE U.S. IS BIG.",
        "He said no. | She was ill. | They sat in the sun. | Nice.",
        "We saw cats, dogs, etc. | Then we left.",
        "Well... maybe not... | Perhaps . . . and so on.",
        "1. Open the box. | 2. Take it out.",
        "Great food :) | We will be back. :) | Yes.",
        "I <3 NY. | Thanks :) | See you. | Haha \U0001f602 | That was good.",
        '\U0001f602 | "I won," she said.',
        "I \u2764\ufe0f NY. | Price \u2713 OK. | Rated \u2605\u2605 Good. | Love you \u2764 | Ann",
        "It is so.[3] | He agreed. [4] | She did not. [5] [6] | All left.",
        "Call us at www.x.org or 555-1234. | Prices rose 3.5 percent.",
        "Best regards, | Anna Smith",
        "Anna Smith | 01/25/2001 09:40 AM | Please call me.",
        "http://a.org/x | http://b.org/y | The second is better.",
        "Title words | ----- | Text follows here.",
        "It is 5 mi. of road. | The co. is big. | I use Yahoo! today.",
        "Fed. R. Civ. P. 12 says so. | See Eq. (2), Fig. 3 and Vol. IV. | Poe et al. (2009) did.",
        "P.S. Bring wine.",
        "Cllr. Poe and Asst. Prof. Lee met Pres. Smith. | It cost Rs. 500.",
        "Go to Settings > Privacy. | Then wait.",
        "2.1. Open the box.",
        "Do this: | 1. Open the box. | 2. Take it out.",
        "Figure 3. | The town in May. | Figure 3 shows it. | See Figure 3.2 The rest follows.",
        "Table 2.1 | Results of the poll.",
        "LISBON (Alpine News) - | Oil rose. | PARIS -- | Stocks fell.",
        "The plan -- NATO had one -- failed. | Oslo (1952) - OSLO games.",
        "It was a matter of innovation.23 | Open minds are rare.",
        "Anna Smith | 01/25/2001 09:40 AM please call me.",
        "The acct. was closed. | The dir. has left.",
        "Carex spp. (see Tab. 1) and J. Biol. Chem. 270 agree. | He met Zork. | “Well,” he said.",
        "it cost a zork. | then i left. | I sold the zork. | i was glad.",
        "He met Zork.[3] | She did not. | No zork. [4] | All left.",
        "Thank you, Maria. | No thanks, Dr. Lee! | Thanks, Bob, for coming.",
        "He smiled. | Thank you, Maria. | She left. | Thanks, Kim for all.",
        "Call me. | Thanks, | Anna Smith 555-1234",
        "It was late.|The next day came.",
        "so the The\u200bfoo bar",  # a word with a capital is looked at alone
        "so the | The foo bar",
        "Anna Smith | 01/25/2001 09:40 AM\n\n| and more",
    ],
)
def test_sentences(marked):
    assert parts(re.sub(r"\| ?", "", marked)) == [part.strip() for part in marked.split("|")]


def test_classic_spelling_and_shared_point():
    tokens = [[t.text for t in s] for s in split('"I live in the U.S. The "X" too."', "classic")]
    assert tokens[0] == ["``", "I", "live", "in", "the", "U.S.", "."]
    assert tokens[1] == ["The", "``", "X", "''", "too", ".", "''"]


@pytest.mark.parametrize(
    ("text", "auto", "sentence", "space"),
    [
        ("A title\n\nSome text", 2, 2, 2),
        ("A title\r\n \t\r\nSome text", 2, 2, 2),
        ("A title\u2029Some text", 2, 2, 2),
        ("A title\nSome text", 2, 2, 1),
        ("A title\r\nSome text", 2, 2, 1),
        ("A title\u2028Some text", 2, 2, 1),
        ("A title\x85Some text", 2, 2, 1),
        ("the cat sat\non the mat", 1, 2, 1),
        ("the cat sat on\nTuesday", 1, 2, 1),
        ("we asked Mr.\nSmith", 1, 2, 1),
        ("eggs\nmilk\nbrown bread\nsalt", 4, 4, 1),
        ("hey whats up\nnot much lol\nwe should go out later\nok", 4, 4, 1),
        ("sure, but first,\nfood\nok then we meet in the park", 2, 3, 1),
        ("ann: hey, are you in\nbob: whats up\nann: not much\nbob: ok", 4, 4, 1),
        ("could you send me the notes of\nlast week\ni missed the\nlecture", 1, 4, 1),
        ("See below.\nHi Ann,\nwe meet at 3.", 3, 3, 2),
        ("i was in the shop that\nis nearest to our house\nand then went back", 1, 3, 1),
        ("the cat sat.\non the mat", 2, 2, 2),
        ("- milk\n- bread\n- eggs", 3, 3, 1),
        ("Bring the\n* milk\n(a) bread\nb) eggs\n2. salt\n\u2022 oil", 6, 6, 1),
        ("Vince,\nthanks for the note", 2, 2, 1),
        ("hi all,\nsee below", 2, 2, 1),
        ("Dear Mr. Poe,\nwe thank you", 2, 2, 1),
        ("He saw Anna,\nwho waved", 1, 2, 1),
        ("It is so. However,\nthe cat sat", 2, 3, 2),
        ("It is done. Best regards,\nanna", 3, 3, 2),
        ("it is done.\n\nbest regards,\nanna", 3, 3, 2),
        ("no\xa0break here", 1, 1, 1),
        ("Allergies:\nnone known", 2, 2, 1),
        ("To do:\nbuy milk\ncall mum", 3, 3, 1),
        ("It rained. To do:\nbuy milk", 2, 3, 2),
        ("Plan for the week:\nwe meet at ten in the large old room on\nthe first floor", 2, 3, 1),
        ("and so he said:\nno", 1, 2, 1),
        ("Thanks, Anna", 1, 1, 1),
        ("Thanks,\nAnna", 2, 2, 1),
    ],
)
def test_line_breaks(text, auto, sentence, space):
    found = [len(parts(text, mode)) for mode in ("auto", "sentence", "space")]
    assert found == [auto, sentence, space]


def test_hard_wrapped_paragraph_is_read_on():
    text = (
        "The committee met on the first day of the spring term in New\n"
        "York, as it had done for many years, and heard the report of\n"
        "Mr. Green. Nobody was much surprised by what it had to say\n"
        "Tuesday."
    )
    assert len(parts(text)) == 2
    verse = "The committee met on the first day of spring in the city\nYork\nGreen\nTuesday"
    assert len(parts(verse)) == 4


@given(ANYTHING, st.sampled_from(CONVENTIONS), st.sampled_from(LINE_BREAKS))
def test_every_character_is_in_one_sentence(text, convention, line_breaks):
    covered: set[int] = set()
    for sentence in split(text, convention, line_breaks):
        assert sentence
        here = {at for token in sentence for at in range(token.start, token.end)}
        assert not here & covered
        covered |= here
        if convention == "modern":
            assert all(text[token.start : token.end] == token.text for token in sentence)
    quoted = {at for marks in module._QUOTING.finditer(text) for at in range(*marks.span())}
    rest = {i for i, c in enumerate(text) if not c.isspace() and c not in "\u200b\ufeff"}
    assert rest - quoted <= covered <= rest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> We left and\n> went home.", ["We left and went home ."]),
        ("> > It is so\n> you think\nwe do not", ["It is so", "you think", "we do not"]),
        (">one\n>\n>\u200b\n>two", ["one", "two"]),
        ("> 5 is more", ["> 5 is more"]),
        ("It rained\n> 5 then", ["It rained", "> 5 then"]),
        ("> it was the\n> 5 then", ["it was the 5 then"]),
        ("a > b\n>:( no\n>= 3", ["a > b", ">:( no", "> = 3"]),
        ("\ufeff> ok\n > ok", ["ok ok"]),
        (">\n> >", []),
        ("it\n1:00:01.000 --> 1:00:02.000\nis\nit", ["it", "1:00:01.000 --> 1:00:02.000", "is it"]),
        ("it --> is\nit", ["it --> is it"]),
    ],
)
def test_marks_of_quoted_lines_are_no_words_and_times_stand_alone(text, expected):
    assert [" ".join(sentence.words) for sentence in split(text)] == expected


@given(st.lists(st.sampled_from(["> ", ">", "\n", "a", " B", ". ", "5", "\r\n", " "])).map("".join))
@settings(max_examples=150)
def test_quoted_text_is_split_by_pieces_as_in_one(text):
    whole = [list(sentence) for sentence in split(text)]
    for size in (1, 3):
        found = [
            [(word, one + start, end + start) for word, one, end in sentence]
            for start, piece in segments(io.StringIO(text, newline=""), size)
            for sentence in split(piece)
        ]
        assert found == whole


@pytest.mark.parametrize(
    "unit", ["word ", "Mr. ", "a.\n", "A\n", "\n", "A b\n\n", ". ", "... ", "1/1/01 10:10 ", "[1] ",
             "end.The", "The\u200b", "1,", "(", "\n ", "- ", "a) ", "A,\n",
             "1.1 ", ": 1. A ", "Fig. "]
)  # fmt: skip
def test_long_texts_take_linear_time(unit):
    text = unit * (20_000 // len(unit))
    start = time.process_time()
    split(text)
    assert time.process_time() - start < 3  # quadratic time would take a quarter of a minute


@pytest.mark.skipif("SENNA_DATA" not in os.environ, reason="needs the gold offsets")
@pytest.mark.parametrize(("name", "tokens", "sentences"), [("ewt", 99.0, 88.5), ("gum", 99.5, 95)])
def test_scores_on_gold_text(name, tokens, sentences):
    file = Path(os.environ["SENNA_DATA"]) / "tokenization" / f"{name}-dev.jsonl.xz"
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    found = [split(document["text"]) for document in documents]
    spans = {
        "tokens": [{(token.start, token.end) for s in own for token in s} for own in found],
        "sentences": [{(s[0].start, s[-1].end) for s in own} for own in found],
    }
    for key, floor in (("tokens", tokens), ("sentences", sentences)):
        right = total = 0
        for document, own in zip(documents, spans[key], strict=True):
            gold = {(start, end) for start, end in document[key]}
            right, total = right + 2 * len(own & gold), total + len(own) + len(gold)
        assert 100 * right / total > floor


def test_unknown_line_breaks_are_refused():
    with pytest.raises(SennaError, match="unknown line breaks 'never'"):
        split("a", line_breaks="never")


# --- segments -----------------------------------------------------------------------------------


def pieces(text: str, size: int, **options: str) -> list[tuple[int, str]]:
    found = list(segments(io.StringIO(text, newline=""), size, **options))
    assert "".join(piece for _, piece in found) == text
    assert [offset for offset, _ in found] == [
        sum(len(piece) for _, piece in found[:at]) for at in range(len(found))
    ]
    return found


@pytest.mark.parametrize("unit", ["b", "(", "1,", "Mr.", "end.The", "word ", "\u200b", "a\n", "\n"])
def test_text_without_end_comes_in_short_pieces_and_sentences(unit):
    found = pieces(unit * (100_000 // len(unit)), 1 << 14)
    assert max(len(piece) for _, piece in found) <= (1 << 14) + LONGEST_PARAGRAPH
    sentences = [sentence for _, piece in found for sentence in split(piece)]
    assert max(map(len, sentences), default=0) <= LONGEST_SENTENCE


def test_a_long_paragraph_is_cut_before_its_last_sentences():
    sentence = "It was cold there, e.g. on Jan. 5 in the U.S. Senate. "
    found = [(s[0].start, s[-1].end) for s in split(sentence * 2000)]
    assert found == [(at * 54, at * 54 + 53) for at in range(2000)]


def test_a_long_paragraph_without_marks_is_cut_between_words():
    words = [token.text for sentence in split("nothing ends here " * 10_000) for token in sentence]
    assert words == ["nothing", "ends", "here"] * 10_000


def test_characters_without_end_are_cut_every_so_many():
    [sentence] = split("a " + "b" * 10_000 + " c")
    assert [len(token.text) for token in sentence] == [1, LONGEST_CHUNK, LONGEST_CHUNK, 1808, 1]


def test_a_long_sentence_is_cut_at_a_comma_else_anywhere():
    found = split("a " * 1000)
    assert [len(sentence) for sentence in found] == [400, 400, 200]
    found = split("a " * 340 + ", " + "b " * 600)
    assert [len(sentence) for sentence in found] == [341, 400, 200]
    assert [len(sentence) for sentence in split("b " * 400)] == [400]


def test_quotes_of_a_long_sentence_keep_their_direction():
    [first, second] = split('"' + "b " * 500 + '" " c', "classic")
    assert (first[0].text, second[-3].text, second[-2].text) == ("``", "''", "``")


class Trickle(io.StringIO):
    """A stream whose reads give less than they are asked for."""

    def read(self, size: int | None = -1, /) -> str:
        return super().read(min(size or 1, 1 + self.tell() % 5))


# What is cut by force comes often: words without white space, quotes, dates.
DENSE = st.lists(
    st.sampled_from([*"\"'aT.,( \n\r\u200b", "The", " The b", " 1/11/2001 1:11", "Mr."]), min_size=5
).map("".join)


@given(
    ANYTHING | DENSE,
    st.integers(1, 40),
    st.sampled_from([io.StringIO, Trickle]),
    st.sampled_from(CONVENTIONS),
    st.sampled_from(LINE_BREAKS),
)
@example("(" * 29 + "'a" + "b" * 40, 33, io.StringIO, "classic", "auto")
@settings(max_examples=100)
def test_sentences_do_not_depend_on_how_a_stream_is_read(
    text, size, stream, convention, line_breaks
):
    options = (convention, line_breaks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LONGEST_PARAGRAPH", 30)
        patch.setattr(module, "_WINDOW", 20)
        patch.setattr(module, "LONGEST_SENTENCE", 5)
        patch.setattr(module, "_LAST", 2)
        for place in (module, tokenizer):
            patch.setattr(place, "CHUNK", re.compile(rf"[^{SPACE}]{{1,8}}"))
        patch.setattr(tokenizer, "LONGEST_CHUNK", 8)
        expected = split(text, *options)
        end = 0
        found = []
        for offset, piece in segments(stream(text, newline=""), size, *options):
            assert (offset, piece) == (end, text[end : end + len(piece)])
            end += len(piece)
            for sentence in split(piece, *options):
                found.append([(t, start + offset, stop + offset) for t, start, stop in sentence])
        assert end == len(text)
        assert found == [[tuple(token) for token in sentence] for sentence in expected]


@pytest.mark.parametrize("text", ["", "\n\n\n", " " * 5000, "\r\n" * 3000])
def test_segments_of_nothing(text):
    assert not any(split(piece) for _, piece in pieces(text, 1000))


def rows(sentences: list[Tokens]) -> list[list[tuple[str, int, int]]]:
    return [[tuple(token) for token in sentence] for sentence in sentences]


@given(st.lists(ANYTHING, max_size=5), st.sampled_from(CONVENTIONS), st.sampled_from(LINE_BREAKS))
@example(
    ["Thanks, Ann\n", "", "\n\nShe left. He", "01/25/2001 10:20 AM", "We No."], "modern", "auto"
)
def test_texts_are_split_together_as_each_alone(texts, convention, line_breaks):
    expected = [rows(split(text, convention, line_breaks, 3)) for text in texts]
    assert list(map(rows, split_each(texts, convention, line_breaks, 3))) == expected
    with pytest.MonkeyPatch.context() as patch:  # long texts among short ones
        patch.setattr(module, "LONGEST_PARAGRAPH", 30)
        patch.setattr(module, "_WINDOW", 20)
        expected = [rows(split(text, convention, line_breaks)) for text in texts]
        assert list(map(rows, split_each(texts, convention, line_breaks))) == expected
    alone = rows([tokenize(text, convention, 7) for text in texts])
    assert rows(tokenize_each(texts, convention, [7] * len(texts))) == alone


@pytest.mark.skipif("SENNA_DATA" not in os.environ, reason="SENNA_DATA is not set")
@pytest.mark.parametrize(
    "n_words",
    [
        pytest.param(300_000, marks=pytest.mark.slow),
        pytest.param(10_000_000, marks=pytest.mark.exhaustive),
    ],
)
def test_pieces_of_open_text_are_split_together_as_each_alone(n_words):
    """In pieces of 1 to 50 words."""
    files = sorted(Path(os.environ["SENNA_DATA"], "text").glob("*.txt.xz"))
    if not files:
        pytest.skip("no text in SENNA_DATA")
    draw, n = random.Random(1), 0
    for file in files:
        with lzma.open(file, "rt", encoding="utf-8") as stream:
            while n < n_words and (words := re.split(r"(?<=\s)(?=\S)", stream.read(100_000))):
                n += len(words)
                waiting = iter(words)
                texts = iter(lambda: "".join(islice(waiting, draw.randrange(1, 51))), "")  # noqa: B023
                some, options = list(texts), (draw.choice(CONVENTIONS), draw.choice(LINE_BREAKS))
                expected = [rows(split(text, *options)) for text in some]
                assert list(map(rows, split_each(some, *options))) == expected
                if len(words) < 2:
                    break
    assert n >= n_words
