"""The tokenizer: both conventions, offsets, any Unicode, linear time."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.text import tokenizer
from senna.text.tokenizer import CONVENTIONS, MOST_KNOWN, tokenize

# Strings that look like text more often than arbitrary ones do.
FRAGMENTS = st.sampled_from(
    "the Mr. U.S. e.g. don't cannot 's ' \" `` '' ... . .. ! ?! , ; : - -- — – / * ( ) [ ] { } < > "
    "$5.50 1,000 7:30pm 50% x@y.org http://a.b/c?d www. @ # :-) <3 ^_^ -_- É e\u0301 \u200d \u200b "
    "\ufeff \u2028 \x85 \xa0 \n \r\n \x00 \x1b 日本 👍🏽 🇫🇷 👨\u200d👩 ‘ ’ “ ” … _ __ I'ma No."
    " a-b-c and/or 1/2 it’s [3] 01/25/2001 10:20 AM".split(" ")
)
TEXTISH = st.lists(st.one_of(FRAGMENTS, st.just(" "), st.text(max_size=3))).map("".join)
# Lone surrogates too: a file read with errors="surrogateescape" has them.
ANYTHING = st.one_of(
    TEXTISH, st.text(), st.text(st.characters(categories=None, exclude_categories=[]))
)


def words(text: str, convention: str = "modern") -> str:
    return " ".join(token.text for token in tokenize(text, convention))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # clitics
        ("I don't, she won’t.", "I do n't , she wo n’t ."),
        ("John's dogs' toys", "John 's dogs ' toys"),
        ("I'd've said they're ours", "I 'd 've said they 're ours"),
        ("dont alot y’all I'ma", "do nt a lot y’ all I 'm a"),
        ("(/usr/lib/a.so) C:\\Ann\\b.txt.", "( /usr/lib/a.so ) C:\\Ann\\b.txt ."),
        ("~/notes, ../a.py and/or /s/ /he/", "~/notes , ../a.py and / or / s / / he /"),
        ("whos theyd shouldve hadnt ‘Tis", "who s they d should ve had nt ‘T is"),
        ("o'clock O'Brien 'em the '90s 1980's", "o'clock O'Brien 'em the '90s 1980's"),
        # hyphens, slashes, dashes
        ("a long-term, third-quarter plan", "a long - term , third - quarter plan"),
        ("e-mail co-workers non-profit", "e-mail co-workers non-profit"),
        ("and/or b/c 1/2 9/11-related", "and / or b/c 1/2 9/11 - related"),
        ("1987–88 — well--no", "1987 – 88 — well -- no"),
        ("call 713-853-3989 from 5-10", "call 713-853-3989 from 5 - 10"),
        # numbers and amounts
        ("$1,000.50 US$4 50% 35mm 5pm 7:30a.m.", "$ 1,000.50 US$ 4 50 % 35 mm 5 pm 7:30 a.m ."),
        ("the 20th, 1980s, 3G, 747s", "the 20th , 1980s , 3G , 747s"),
        ("[13,14] on 11/28/2000", "[ 13 , 14 ] on 11/28/2000"),
        # addresses
        ("See http://a.org/b_(c)?d=e.", "See http://a.org/b_(c)?d=e ."),
        ("(www.x.org), me.too@x.co.uk; x.com/y!", "( www.x.org ) , me.too@x.co.uk ; x.com/y !"),
        ("@ann posted report.doc #fun #1", "@ann posted report.doc #fun # 1"),
        # runs and faces
        ("No!!! Why?! Well... -----", "No !!! Why ?! Well ... -----"),
        ("Ok.? -> yes <- ===> no", "Ok .? -> yes <- ===> no"),
        ("fine :-) ok:) <3 (really :D) >:( </3", "fine :-) ok :) <3 ( really :D ) >:( </3"),
        # abbreviations
        ("Mr. Poe of the U.S. met J. Doe.", "Mr. Poe of the U.S. met J. Doe ."),
        ("No. 5 was sold by Ajax Inc.", "No. 5 was sold by Ajax Inc ."),
        ("He was ill. No. Never", "He was ill . No . Never"),
        ("U.S.-led i.e. etc.", "U.S. - led i.e. etc ."),
        ("Mr.Smith, St.Louis, J.R.Poe, B.Doe", "Mr. Smith , St. Louis , J.R. Poe , B. Doe"),
        ("No.5, Vol.2, p.7; fig.3a", "No. 5 , Vol. 2 , p. 7 ; fig. 3a"),
        (
            "anti-U.S., mid-Jan. 5, U.S./U.K., Oct.-Dec. 2",
            "anti-U.S. , mid-Jan. 5 , U.S. / U.K. , Oct. - Dec. 2",
        ),
        ("5 mi. of road, 2 tbsp. oil", "5 mi. of road , 2 tbsp. oil"),
        # a comma after its point shows an abbreviation
        (
            "an Assoc., the Ruritan.; 185lbs., ok.;)",
            "an Assoc. , the Ruritan. ; 185 lbs. , ok . ;)",
        ),
        ("no... No... I... etc...", "no ... No ... I ... etc ..."),
        ("Fed. R. Civ. P. 12 in Eq. (2), Vol. IV", "Fed. R. Civ. P. 12 in Eq. ( 2 ) , Vol. IV"),
        ("at 180°C. Mix", "at 180 ° C . Mix"),
        ("Yahoo! and Yahoo!'s, Yahoo!!", "Yahoo! and Yahoo! 's , Yahoo !!"),
        # names and codes
        ("Node.js, C++, C#; F#. ASP.NET on .NET", "Node.js , C++ , C# ; F# . ASP.NET on .NET"),
        ("a grade of A++, C#5 and C+++", "a grade of A ++ , C # 5 and C +++"),
        ("I-95, F-16s, 01-Feb-02, 2002-02-01", "I - 95 , F - 16s , 01 - Feb - 02 , 2002-02-01"),
        ("r/python a/b/c f**k sh*t 2*3", "r/python a / b / c f**k sh*t 2 * 3"),
        ("see http://a.org/b_(c)). x", "see http://a.org/b_(c) ) . x"),
        # other apostrophes
        ("don`t don´t don′t it`s `code`", "do n`t do n´t do n′t it `s ` code `"),
        ("goin' to rock 'n' roll, within", "goin' to rock 'n' roll , within"),
        # entities are not torn
        ("AT&amp;T R&D &quot;no&quot; don&#39;t", "AT&amp;T R&D &quot; no &quot; do n&#39;t"),
        ("5&nbsp;km &lt; a&b; Q&A;", "5 &nbsp; km &lt; a&b ; Q&A ;"),
        # measures
        ("5km 10mg/kg 3km² 54º 5'10\" 6'2", "5 km 10 mg / kg 3 km² 54 º 5 ' 10 \" 6 ' 2"),
        ("$5m $1.2bn $5.6b €3t 5b", "$ 5 m $ 1.2 bn $ 5.6 b € 3 t 5b"),
        ("don‘t it‘s O‘Brien ‘90s ‘em", "do n‘t it ‘s O‘Brien ‘90s ‘em"),
        ("he said ‘yes’ and ‘s’", "he said ‘ yes ’ and ‘ s ’"),
        ("didnʼt Itʼs dogsʼ goinʼ Oʼahu", "did nʼt It ʼs dogs ʼ goinʼ Oʼahu"),
        # time stamps and identifiers
        ("at 2020-01-05T10:00:00Z, on", "at 2020-01-05T10:00:00Z , on"),
        ("2020-01-05T10:00:00.5+01:00 10:00+02:00", "2020-01-05T10:00:00.5+01:00 10:00+02:00"),
        ("2020-W05-3 10:00-11:30 20200105T100000Z", "2020-W05-3 10:00 - 11:30 20200105T100000Z"),
        ("__init__ _x my_var's __all__.", "__init__ _x my_var 's __all__ ."),
        (
            "self._x foo_bar.baz() std::sort $HOME_DIR",
            "self._x foo_bar.baz ( ) std::sort $HOME_DIR",
        ),
        ("123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("two Ph.D.s, M.D.s", "two Ph.D.s , M.D.s"),
        # what short words are before a small letter, a number or another one
        ("The acct. was (spp.) in Tab. 4", "The acct. was ( spp. ) in Tab. 4"),
        ("in Biol. Chem. 27, a box. 5 of", "in Biol. Chem. 27 , a box . 5 of"),
        ("Ran to Zork. He, the zorks. 5", "Ran to Zork . He , the zorks . 5"),
        (
            "its a pity. Its owner thinks its really Its",
            "it s a pity . Its owner thinks it s really Its",
        ),
        ("$$$ [...] (old).doc outta", "$$$ [ ... ] ( old ) .doc out ta"),
        # quotes as typed
        ('"Well," he said, “no”.', '" Well , " he said , “ no ” .'),
        # several scripts, marks and emoji stay whole
        ("cafe\u0301s नमस्ते 👍🏽👍 🇫🇷🇩🇪", "cafe\u0301s नमस्ते 👍🏽 👍 🇫🇷 🇩🇪"),
        ("👨\u200d👩\u200d👧 is one", "👨\u200d👩\u200d👧 is one"),
    ],
)
def test_modern(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a long-term, third-quarter plan", "a long-term , third-quarter plan"),
        ("price/earnings of 1/2 (net)", "price\\/earnings of 1\\/2 -LRB- net -RRB-"),
        ("a 30-year, 300-a-share bond", "a 30-year , 300-a-share bond"),
        ("'He said \"no,\" didn’t he?'", "` He said `` no , '' did n't he ? '"),
        ("“Yes” — she* … {x} [y]", "`` Yes '' -- she \\* ... -LCB- x -RCB- -LSB- y -RSB-"),
        ('a " lone " pair ("in")', "a `` lone '' pair -LRB- `` in '' -RRB-"),
        ("the dogs' U.S.-led AT&T", "the dogs ' U.S.-led AT&T"),
        ("anti-U.S. talks, don`t", "anti-U.S. talks , do n't"),
        ("see http://a.org/b", "see http://a.org/b"),
        ("in the U.S.", "in the U.S. ."),
        ("by Ajax Inc.", "by Ajax Inc ."),
    ],
)
def test_classic(text, expected):
    assert words(text, "classic") == expected


def test_classic_offsets_are_those_of_what_was_typed():
    text = 'He ("Al") came/went.'
    tokens = tokenize(text, "classic")
    typed = [text[token.start : token.end] for token in tokens]
    assert typed == ["He", "(", '"', "Al", '"', ")", "came/went", "."]
    assert [t.text for t in tokens][1:3] == ["-LRB-", "``"]


def test_shared_point_has_the_span_of_the_one_typed():
    tokens = tokenize("the U.S.", "classic")
    assert [(t.start, t.end) for t in tokens] == [(0, 3), (4, 8), (7, 8)]


@given(ANYTHING, st.sampled_from(CONVENTIONS))
def test_every_character_is_in_a_token(text, convention):
    """But white space, of which are the zero-width space and the byte order mark."""
    covered: list[int] = []
    for token in tokenize(text, convention):
        assert token.text and not any(c.isspace() for c in token.text)
        covered += range(token.start, token.end)
        if convention == "modern":
            assert text[token.start : token.end] == token.text
    left = [i for i, c in enumerate(text) if not c.isspace() and c not in "\u200b\ufeff"]
    assert (covered if convention == "modern" else sorted({*covered})) == left


@given(ANYTHING, st.sampled_from(CONVENTIONS))
def test_what_was_cut_before_changes_nothing(text, convention):
    first = tokenize(text, convention)
    assert tokenize(text, convention) == first


def test_what_is_remembered_has_a_bound():
    tokenizer.IDLE.clear()  # tests before had several threads
    for texts in (
        (" ".join(f"x{number}" for number in range(i, i + 100)) for i in range(0, 10_000, 100)),
        (f"({number})" * 1000 for number in range(15)),
        (chr(0x4E00 + number) * 2000 for number in range(500)),
    ):
        for text in texts:
            assert "".join(tokenize(text).words) == text.replace(" ", "")
            for idle in tokenizer.IDLE.values():
                assert not any(cuts.is_full for cuts in idle)
                assert len(idle) <= 1


def test_more_chunks_than_are_remembered_are_cut_in_one_text():
    strings = [f"x{number}." for number in range(MOST_KNOWN + 10)]
    words = tokenize(" ".join(strings)).words
    assert [*map("".join, zip(words[::2], words[1::2], strict=True))] == strings
    assert tokenize("b. " * 3 + "(" * 5000).words[-5000:] == ["("] * 5000


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\ufeff", "\u200b \xa0\u2028"])
def test_nothing_but_white_space(text):
    assert len(tokenize(text)) == 0


@pytest.mark.parametrize(
    "unit",
    ["a", "a ", "1", "1.", "1,", "a.", "a-", "a/", "a'", "'s", "don't", "a@", "@", "a.b@", ".", "-",
     "!", "?", "_", "-_", "^_", "^", ":", ":-", "(", "[.", "<", "http://", "www.", "a.com/", "..a",
     "/", "1/", "1-", "1:", "Mr.", "U.S.-", "-U.S.", "&", "&amp;", "a&amp;", "a*",
     "*a", "a`s", "a.,", "C++", "Yahoo!", "http://a(", "r/abc",
     "\u0301", "e\u0301", "\u200d", "👍\u200d", "\x00", "é",
     "\ud800", "🇫", "x-y/z", "“”", "ab.", "1..", "o_", "*a*", "<-", "+1", "#a", "'", "``"],
)  # fmt: skip
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_long_runs_take_linear_time(unit, convention):
    text = unit * (5_000 // len(unit))
    start = time.process_time()
    tokens = tokenize(text, convention)
    assert time.process_time() - start < 2  # quadratic time would take more than half a minute
    assert tokens[-1].end == len(text.rstrip())


def test_unknown_convention_is_refused():
    with pytest.raises(SennaError, match="unknown tokenization 'old'"):
        tokenize("a", "old")


PRINTABLE = "".join(map(chr, range(33, 127))) + "\u00ad\u00e9\u2019\u2014\u65e5\U0001f600"


@given(st.sampled_from(PRINTABLE) | st.text(PRINTABLE, min_size=2, max_size=14))
@settings(max_examples=300)
def test_pieces_without_marks_are_those_of_the_pattern_with_all_marks(chunk):
    whole = tokenizer._pattern(tokenizer._MARKS)
    expected = [(match.lastgroup, match[0]) for match in whole.finditer(chunk)]
    assert list(tokenizer._pieces(chunk)) == expected
