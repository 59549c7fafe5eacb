"""Cuts English text into tokens, with the place of every token in the text.

Two conventions: "modern" as the Universal Dependencies treebanks (hyphenated words and slashes
cut, everything as typed), "classic" as the Penn Treebank of the Wall Street Journal (hyphens and
slashes kept inside words; quotes, brackets and some signs in that treebank's spellings).

A chunk is what stands between white space, but at most 4096 characters of it. It is cut in two
steps: one regular expression, a list of ordered alternatives, finds its pieces; compounds (words
with hyphens, slashes, apostrophes) are then cut by small rules. Chunks repeat, so each is cut once,
and a text is an array of their numbers (`ChunkedText`). What depends on the neighbours (is this
point the end of a sentence?) is settled afterwards, where two numbers say that it may be. All
patterns take linear time: what can fail after a long look is bounded.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from string import punctuation
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.kernel import text as kernel
from senna.inference.kernel.library import library
from senna.text import CONVENTIONS, word_lists
from senna.text.tokens import Tokens, moved
from senna.text.vocabulary import is_emoji

Ints = NDArray[np.int64]


class Chunk(NamedTuple):
    """The text between two stretches of white space, cut into pieces without a gap."""

    texts: tuple[str, ...]
    ends: tuple[int, ...]  # of the pieces, from the start of the chunk
    last: str  # how it ends: one of the names below ("" nothing in particular)
    core: str  # the text of the piece that `last` speaks of, without closing quotes and brackets
    opens: str  # how it begins: one of the names below ("" nothing in particular)
    breaks: tuple[int, ...]  # numbers of pieces after which a sentence ends inside: `end.The`
    back: int = 0  # pieces behind the one that `last` speaks of
    bits: int = 0  # what is known of it for the gaps around it: see `ENDS` and others below


# How a chunk may end, for the sentence splitter. Closing quotes and brackets are looked through.
STOP = "stop"  # a point that is a token
MARK = "mark"  # ! or ?
DOTS = "dots"  # ... or an ellipsis sign
ABBREVIATION = "abbreviation"  # a word with its point: `Inc.`, `U.S.`
INITIAL = "initial"  # one letter and a point: `J.`
NUMBERED = "numbered"  # an abbreviation only before a number: `No.`
POSSIBLE = "possible"  # a short word and a point, `acct.`, that is not known to be a word
BETWEEN = "between"  # an abbreviation only between some words: `10 in. wide`
WITH_POINT = (ABBREVIATION, INITIAL, NUMBERED, POSSIBLE, BETWEEN)
ITS = "its"  # which may be written for `it's`
ANGLE = "angle"  # >
FORMULA = "formula"  # a closing formula and a comma: `regards,`
LOOSE = "loose"  # a digit or another sign that may end one: `:` or `)`
# How a chunk may end or begin.
SMILE = "smile"  # an emoticon or emoji
ADDRESS = "address"  # a URL
RULE = "rule"  # ----- or *****
SECTION = "section"  # 2.3
DASH = "dash"  # -- or a long one, between spaces
# How a chunk may begin.
WORD = "word"  # with a capital
DATE = "date"  # 01/25/2001
NOTE = "note"  # [3]
ITEM = "item"  # 1. or (a) or a bullet

# --- the characters of words --------------------------------------------------------------------

# Marks that belong to the letter before them; `\w` has them not. Whole blocks of the Indic and
# South-East Asian scripts: letters and vowel signs alternate there.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Latin .. Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # Arabic
    "\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u08d3-\u08ff"
    "\u0900-\u0963\u0966-\u0df3\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0f39\u0f71-\u0fbc"
    "\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734\u17b4-\u17d3\u180b-\u180d"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u3099\u309a\ua66f-\ua67d\ufe00-\ufe0f\ufe20-\ufe2f"
    "\u00ad\u200c\u200d\u2060\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U000e0100-\U000e01ef"
)
W = rf"[\w{_MARKS}]"
LETTER = r"[^\W\d_]"
_LETTER_QUOTE = "\u02bc"  # an apostrophe that is a letter to Unicode
QUOTE = f"'\u2019{_LETTER_QUOTE}"
# Other signs, and entities of HTML, that are typed for it.
_ODD_QUOTE = r"`\u00b4\u2018\u2032"
_QUOTE_ENTITY = r"&(?:apos|rsquo|\#0?39|\#8217);"
APOSTROPHE = f"(?:[{QUOTE}{_ODD_QUOTE}]|{_QUOTE_ENTITY})"
_ENTITY_NAME = (
    r"(?:amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[mn]dash|hellip|copy|reg|trade|deg"
    r"|\#\d{1,6}|\#x[\dA-Fa-f]{1,5});"
)

# White space: what Python calls so, the zero-width space and the byte order mark.
SPACE = r"\s\u200b\ufeff"
LONGEST_CHUNK = 4096  # characters: what is longer without white space is cut every so many
CHUNK = re.compile(rf"[^{SPACE}]{{1,{LONGEST_CHUNK}}}")

# --- step 1: the pieces of a chunk --------------------------------------------------------------

_SUFFIXES = (
    "com|org|net|edu|gov|mil|int|info|biz|tv|io|eu|uk|us|ca|au|de|fr|es|ch|nl|ie|jp|cn|ru|br|nz"
    "|html?|pdf|docx?|xlsx?|pptx?|txt|csv|xml|json|jpe?g|png|gif|bmp|zip|gz|exe|dll"
    "|mp3|mp4|avi|wav|php|aspx?|wpd|rtf|js|css|py|svg|cpp|md|sql|app|dev|ai"
    "|sh|ya?ml|toml|ini|cfg|conf|java|jsx|tsx?|rs|rb|hpp|cc|tsv|log|tex|bib|ipynb|lock|gradle"
    "|bat|cmd|ps1|tgz|bz2|xz|tar|7z|rar|jar|apk|iso|dmg|bin|dat|db|sqlite|parquet|epub|od[tsp]"
    "|tiff?|webp|ico|flac|ogg|mkv|mov|webm|srt|vtt|eml|kt|lua|vue|scss|proto|hs|pl|xhtml|mod"
)
_WORDY_SUFFIXES = "go|so|env|less|swift|patch|diff|test|in|lib|key|out"  # only in a path


def _any_of(words: frozenset[str]) -> str:
    return "(?i:" + "|".join(re.escape(word) for word in sorted(words, reverse=True)) + ")"


_POINTED = word_lists.TITLES | word_lists.ABBREVIATIONS | word_lists.BEFORE_NUMBERS
_URL_END = r"[^\s<>\"'.,;:!?)\]}\u2019\u201d\u2026]"  # the final point is not part of an address
_END = rf"(?!{W})"  # no word goes on here
_NEW = rf"(?<![\w{_MARKS}\u00b0])"  # no word comes before, and no sign of a degree
_NAME = r"(?=[A-Z][a-z])"  # a name follows: `Mr.Smith`

_LISTED = (
    rf"(?:{_any_of(_POINTED)}|(?![a-z]){_any_of(word_lists.CAPITALISED)})"
    r"\.(?!\.\.)"
)
_BETWEEN = rf"(?:{'|'.join(map(re.escape, word_lists.BETWEEN))})\.(?!\.)"
_NO_OPTIONS = "|".join(sorted(word_lists.GOING_ON | word_lists.UNFINISHED - {"/"}))
_MEMBERS = "|".join(sorted(word_lists.MEMBERS))
_GLUED = rf"(?![a-z]){_any_of(word_lists.TITLES)}\.{_NAME}"  # Mr.Smith
_WITH_MARK = "(?:" + "|".join(sorted(word_lists.WITH_MARK)) + ")!(?!!)"

# Parts of a compound: `word`, `1,000.5`, `7:30pm`, `v2.0`, but `13,14` is no number; `U.S.`, `Jan.`
_SEGMENT = rf"{W}+(?:(?<=\d)(?:[.:](?=\d)|,(?=\d{{3}}(?!\d))){W}+)*"
_PART = (
    rf"(?:(?:[A-Z]\.){{2,32}}{_END}|(?={LETTER}{{2,8}}\.){_LISTED}{_END}"
    rf"|(?<=\d-){_BETWEEN}{_END}|{_SEGMENT})"
)
_TAIL = rf"(?:[-/\u2013](?={W}){_PART})*"
_CLITICS = "(?i:s|t|ll|re|ve|d|m)"
_TIME = r"\d\d(?::?\d\d){0,2}(?:[.,]\d{1,9})?"
_ZONE = r"\d\d:\d\d"
# What may stand between the parts: - / & and apostrophes, and the stars of f**k. Each begins with
# a character, which fails at once.
_JOINTS = (
    rf"(?:[-/{QUOTE}\u2013]|\u2018(?<=[A-Za-z].)|&(?:amp;|(?!{_ENTITY_NAME}))"
    rf"|\*(?<=[A-Za-z]\*)\*{{0,8}}(?=[a-z])"
    rf"|[{_ODD_QUOTE}](?={_CLITICS}{_END})|{_QUOTE_ENTITY}(?={_CLITICS}{_END}))(?={W})"
)

_PIECES = {
    # http://example.org/a?b=c, www.example.org
    "url": r"(?i:https?://|ftp://|www\.)(?:[^\s<>\"()]*\([^\s<>\"()]*\))?"
    rf"(?:[^\s<>\"]*{_URL_END}|(?<=\)))",
    # first.last@example.org, colleague@OFFICE
    "mail": r"(?:mailto:)?[\w.+\-%]{1,64}@\w[\w\-]{0,62}(?:\.\w[\w\-]{0,62}){0,8}",
    # example.org/page, report.doc, .doc: only with an ending that is known; comp.lang.python
    "domain": rf"(?:(?:\w[\w\-]{{0,62}}\.){{1,6}}|(?<![^\s)])\.)(?i:{_SUFFIXES})(?![\w@])"
    rf"(?:/(?:[^\s<>\"]*{_URL_END})?)?"
    rf"|[a-z]\w[\w\-]{{0,61}}+\.[ch](?![\w@]|\.\w)|[a-z]{{2,63}}(?:\.[a-z]{{2,63}}){{2,8}}{_END}",
    # src/main.py
    "file": rf"(?:[\w\-]{{1,63}}+/){{1,8}}(?:[\w\-]{{1,63}}+\.){{1,6}}"
    rf"(?i:{_SUFFIXES}|{_WORDY_SUFFIXES}|c|h)(?![\w@/])",
    # self.x, console.log, rows.append(x)
    "member": rf"{_NEW}(?:(?:{_MEMBERS})(?:\.[A-Za-z_]\w{{0,62}}+){{1,8}}"
    rf"|[A-Za-z_]\w{{0,62}}+(?:\.[a-z_]\w{{0,62}}+){{1,8}}(?=\([)\w\"'\[])"
    rf"|[a-z]\w{{0,62}}+(?:\.[a-z]\w{{0,62}}+){{1,8}}\.[A-Z]\w*{_END})",
    # --no-cache, --level=debug, -v, but --and
    "option": rf"(?:(?<!\S)|(?<=(?<!\S)[(\[\"'`\u2018\u201c]))--(?!(?:{_NO_OPTIONS})(?![\w-]))"
    r"[a-z][\w\-]*+(?<=\w)(?:=[\w.\-/]*(?<=\w))?|(?<!\S)-[b-zB-HJ-Z](?=[,;)]?(?!\S))",
    # C:\Users\Ann\a.txt, /usr/lib/a.so, ~/notes, ../a.py
    "path": r"(?<![^\s(\[\"'`\u2018\u201c])(?:[A-Za-z]:(?=\\)|~|\.{1,2}|(?=/[\w.\-]+/\w))"
    r"(?:[/\\][\w\-]+(?:\.[\w\-]+)*)+[/\\]?",
    # @user, #topic, r/topic
    "user": rf"{_NEW}(?:@\w+|\#[A-Za-z]\w+|[ru]/\w{{3,32}}{_END}(?!/))",
    # &quot; by itself
    "entity": f"&{_ENTITY_NAME}",
    # :-) ;) :D =( :'( xD <3 ^_^ -_- (: and after a word only the commonest
    "smile": r"(?<!\w)(?:>?[:;=][-'o^]?(?:[)(\]\[|*]+|[DPpO/\\](?!\w))|[xX]D+(?!\w)|</?3+(?!\d)"
    r"|\^[_.\-]*\^|-_+-|[oO]_+[oO](?!\w)|\([:;](?![\w)]))|(?<=\w)[:;=]-?[)(D](?!\w)",
    # 2020-01-05T10:00:00Z, 10:00:00+01:00, 2020-W05-3
    "stamp": rf"(?:\d{{4}}-\d\d-\d\dT{_TIME}(?:Z|[+-]{_ZONE})?|{_TIME}\+{_ZONE}"
    rf"|\d{{4}}-W\d\d(?:-\d)?){_END}",
    # __init__, $HOME_DIR, self._x, std::sort
    "identifier": rf"(?<!\w)(?:__+[A-Za-z]\w*|\$(?=[A-Za-z]*_)[A-Za-z_]\w*"
    rf"|(?=[\w.]{{1,64}}_)[A-Za-z_]\w{{0,62}}(?:\.[a-z_]\w{{0,62}}){{1,8}}{_END}"
    rf"|[A-Za-z_]\w{{0,62}}(?:::[A-Za-z_]\w{{0,62}}){{1,8}}{_END})",
    # ...
    "dots": r"\.{2,}|\u2026+",
    # runs of one sign: !!, ?!, .?, --, =====, ***, and arrows
    "run": r"\.?[!?]{2,}|\.[!?]|\x27\x27|``|[\u2018\u2019]{2}|[-=+|<>*#~_^]{5,}"
    r"|[-=]{1,3}>|<[-=]{1,3}"
    r"|(?P<same>[-*=~_#+<>|^$\u2013\u2014\u2022])(?P=same)+",
    # U.S., a.m., Ph.D., U.S.A and what hangs on it: U.S.-led; J.R.Smith
    "points": rf"(?:(?:{LETTER}\.){{2,32}}(?:{_END}|{_NAME})|(?:{LETTER}\.){{1,32}}{LETTER}{_END}"
    rf"|(?:Ph|M|B|D)\.(?:D|Sc|Phil)\.s?{_END}){_TAIL}",
    # Mr., Inc., No., Va.-based; No.5, Mr.Smith; Yahoo!
    "listed": rf"(?={LETTER}{{1,8}}[.!]){_NEW}(?:{_LISTED}(?:{_END}{_TAIL}|(?=\d))|{_BETWEEN}{_END}"
    rf"|{_GLUED}|{_WITH_MARK})",
    # J. in `J. Doe` and `J.Doe`
    "initial": rf"(?=[A-Z]\.){_NEW}(?<!{W}[{QUOTE}])[A-Z]\.(?:{_END}(?!\.\.)|{_NAME})",
    # C++, F#
    "language": rf"{_NEW}(?:[B-Zb-z]\+\+|[A-Z]\#)(?![\w+#])",
    # 's after a bracket or a point, or with another sign for the apostrophe
    "clitic": rf"(?!\u2018){APOSTROPHE}(?i:s|ll|re|ve|d|m){_END}",
    # '90s, 'em, 'til
    "elided": rf"{_NEW}(?:[{QUOTE}](?:\d\d|(?i:till?|cause|cuz|bout))"
    rf"|[{QUOTE}\u2018](?:\d0s|(?i:em|tis|twas|n[{QUOTE}]?))){_END}",
    # US$
    "money": rf"{_NEW}(?:US|C|A|AU|HK|NZ|S)\$",
    # .50, +44
    "number": rf"(?<![\w.])(?:\.\d+|\+\d{{1,3}}){_END}",
    # the time before a.m., the billions in $5b
    "clock": r"\d++(?:[.:]\d++)*(?=(?i:[ap]\.m)\b)"
    r"|(?<=[$\u20ac\u00a3\u00a5])\d++(?:[.,]\d++)*(?=[bBtT]\b)",
    # words and numbers, joined by signs that may have to be cut; goin', and what is an abbreviation
    # because a comma follows its point
    "compound": rf"{_SEGMENT}(?:{_JOINTS}{_PART})*"
    rf"(?:[{QUOTE}](?<=[a-z]{{2}}in.){_END}|\.(?<={LETTER}\.)(?=[,;](?![-)])))?",
    # a national flag
    "flag": "[\U0001f1e6-\U0001f1ff]{2}",
    # any other character: a sign with its marks, or a sequence of emoji
    "sign": rf"[^{SPACE}](?:[{_MARKS}]+(?:(?<=\u200d)[^\w{SPACE}][{_MARKS}]*)*)?",
}
ADDRESSES = "|".join(_PIECES[name] for name in ("url", "mail", "domain"))
# What the patterns find after an apostrophe, and `www`.
_AFTER_APOSTROPHES = "s t ll re ve d m ma til till cause cuz bout em tis twas n www".split()
_SIGNS = frozenset(punctuation) - {"_"}


@cache
def _pattern(marks: str) -> re.Pattern[str]:
    """The pattern of a piece, compiled when first needed: a tenth of the start of `senna tag`.

    With one mark instead of all it is compiled in half the time; few texts need more.
    """
    pattern = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _PIECES.items())
    return re.compile(pattern.replace(_MARKS, marks))


_MARK = re.compile(f"[{_MARKS}]")


def _pieces(chunk: str) -> Iterator[tuple[str, str]]:
    """The kind and the text of each piece of a chunk."""
    if chunk in _SIGNS:
        yield "sign", chunk
        return
    marks = _MARKS if not chunk.isascii() and _MARK.search(chunk) else "\u00ad"
    for match in _pattern(marks).finditer(chunk):
        yield match.lastgroup or "", match[0]


# --- step 2: compounds --------------------------------------------------------------------------

# n't, 's, 'll ... at the end of a word; the decades `1980's` are whole.
_CLITIC = re.compile(rf"(?i)(?:n{APOSTROPHE}t|(?<!\d0){APOSTROPHE}(?:s|ll|re|ve|d|m|ma))\Z")
# Kept whole in modern text though they hold hyphens or slashes: dates, telephone numbers, postal
# codes, UUIDs, slashes between single letters (`w/o`, `b/c`, `s/he`).
_WHOLE = re.compile(
    r"\d{1,4}([-/])\d{1,2}\1\d{1,4}|(?:\d{1,2}-)?(?:\d{3}[-/])?\d{3}-\d{4}|\d{5}-\d{4}"
    r"|[A-Za-z]/[A-Za-z]{1,2}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}"
)
_DROPPED_G = re.compile(r"[a-z]{2}in.\Z")
_FEET = re.compile(rf"(\d{{1,2}})[{QUOTE}]\d{{1,2}}\Z")  # and inches: 5'10
_JOINT = re.compile(r"[-/\u2013]")
_AMOUNT = re.compile(rf"(?i)(\d[\d.,:]*)(?:{word_lists.UNITS_OF_MEASURE})[\u00b2\u00b3]?\.?\Z")
_CLOCK = re.compile(r"(?i)(\d[\d.:]*)(?:[ap]m)\Z")


def _compound_cuts(word: str, modern: bool) -> list[int]:
    """Where to cut a compound: offsets in `word`, ascending, without its two ends."""
    if (word.isalpha() and _LETTER_QUOTE not in word) or word.isdigit():
        return list(word_lists.CONTRACTIONS.get(word.lower(), ()))
    if word[0].isdigit() and (feet := _FEET.match(word)):
        return [feet.end(1), feet.end(1) + 1]
    cuts = []
    end = len(word)
    if word[-1] == _LETTER_QUOTE and end > 1 and not _DROPPED_G.search(word):
        end -= 1  # dogs', but goin'
        cuts.append(end)
    longest = len("n&rsquo;t") if "&" in word else len("n't") + 1
    while clitic := _CLITIC.search(word, max(1, end - longest), end):
        end = clitic.start()
        cuts.append(end)
    if modern and not _WHOLE.fullmatch(word, 0, end):
        cuts.extend(_joint_cuts(word, end))
    edges = sorted({0, *cuts, len(word)})
    for start, stop in pairwise(edges):
        part = word[start:stop]
        known = word_lists.CONTRACTIONS.get(part.lower().translate(word_lists.STRAIGHT), ())
        cuts.extend(start + cut for cut in known)
        if amount := (_AMOUNT if modern else _CLOCK).match(part):
            cuts.append(start + amount.end(1))
    return sorted(set(cuts))


def _joint_cuts(word: str, end: int) -> Iterator[int]:
    """Both sides of every joint in `word[:end]`, but not in `e-mail` (a prefix) and `1/2`."""
    start = 0
    for joint in _JOINT.finditer(word, 0, end):
        before, sign, after = word[start : joint.start()], joint.group(), word[joint.end()]
        if sign == "-":
            whole = before.lower() in word_lists.PREFIXES and (before.islower() or before.istitle())
        else:
            whole = sign == "/" and before[-1:].isdigit() and after.isdigit()
        if not whole:
            yield joint.start()
            yield joint.end()
        start = joint.end()


# --- chunks -------------------------------------------------------------------------------------

# Words of this shape may be abbreviations, unless they are listed (`recipe/learn_words.py`):
# abbreviations of more than three letters end in a consonant.
SHORT = re.compile(r"(?![IVXLivxl]+\Z)[A-Za-z](?:[a-z]{1,2}|[a-z]{2,4}[bcdfghjklmnpqrstvwxz])")
WORDS = Path(__file__).with_name("words.txt")


_ALL_POINTED = _POINTED | word_lists.CAPITALISED | {*map(str.lower, word_lists.BETWEEN)}


@cache
def _words() -> frozenset[str]:
    return frozenset(WORDS.read_text("utf-8").split())


def _is_known(word: str, lower: str) -> bool:
    """Whether a word, also given in lower case, is no abbreviation by its shape, or listed."""
    return len(word) > 6 or lower in _words() or not SHORT.fullmatch(word)


_CLOSERS = frozenset("\"'\u2019\u201d\u00bb)]}>") | {"''"}
_JOINED_SENTENCE = re.compile(r"[A-Z]|i\Z")
_RULE = re.compile(r"([-=*_#~+])\1{4,}")


def _cut(chunk: str, modern: bool) -> Chunk:
    # For speed: most are plain words, and most of the others such words before a comma.
    if chunk.isalpha() and chunk.lower() not in word_lists.CONTRACTIONS and chunk.isascii():
        return _word(chunk)
    word, sign = chunk[:-1], chunk[-1]
    if word.isalpha() and word.isascii() and (lower := word.lower()) not in word_lists.CONTRACTIONS:
        both = len(word), len(chunk)
        if sign == ",":
            last, core = (FORMULA, word) if lower in word_lists.FORMULAS else ("", sign)
            return Chunk((word, sign), both, last, core, "", ())
        if sign == "." and len(word) > 1 and lower not in _ALL_POINTED and _is_known(word, lower):
            return Chunk((word, sign), both, STOP, word, _beginning(chunk, ""), ())
    if chunk.isdecimal() and chunk.isascii():
        return Chunk((chunk,), (len(chunk),), LOOSE, chunk, "", ())
    texts: list[str] = []
    ends: list[int] = []
    kinds: list[str] = []
    at = 0
    for kind, text in _pieces(chunk):
        start = at
        for stop in (*_cuts_of(kind, text, modern), len(text)):
            texts.append(chunk[at : start + stop])
            kinds.append(kind)
            at = start + stop
            ends.append(at)
    _join_point(texts, ends, kinds)
    last_kind, core, back = _ending(texts, kinds)
    breaks = tuple(_inner_breaks(texts, kinds))
    opens = _beginning(chunk, kinds[0])
    if not modern:
        texts = list(map(_classic_spelling, texts, kinds))
    return Chunk(tuple(texts), tuple(ends), last_kind, core, opens, breaks, back)


def _word(chunk: str) -> Chunk:
    """A chunk that is one word."""
    opens = WORD if chunk in word_lists.SENTENCE_WORDS else ""
    last = ITS if chunk in ("its", "Its") else ""
    return Chunk((chunk,), (len(chunk),), last, chunk, opens, ())


def _cuts_of(kind: str, text: str, modern: bool) -> list[int]:
    """Where a piece is cut again: offsets in it, without its two ends."""
    if kind == "compound" or kind == "elided":
        return _compound_cuts(text, modern)
    if kind in ("points", "listed") and modern:
        return list(_joint_cuts(text, len(text)))
    return []


def _join_point(texts: list[str], ends: list[int], kinds: list[str]) -> None:
    """Join the last word and its point if it may be an abbreviation: `acct.`, `(spp.)`."""
    at = len(texts) - 1
    while at > 0 and texts[at] in _CLOSERS:
        at -= 1
    word = texts[at - 1] if at and texts[at] == "." and kinds[at - 1] == "compound" else ""
    if word and not _is_known(word, word.lower()):
        texts[at - 1 : at + 1] = [f"{word}."]
        kinds[at - 1 : at + 1] = ["short"]
        del ends[at - 1]


def _ending(texts: list[str], kinds: list[str]) -> tuple[str, str, int]:
    at = len(texts) - 1
    while at > 0 and texts[at] in _CLOSERS:
        # A note sign after the point is looked through: `end.[3]`.
        noted = at > 2 and texts[at - 2] == "[" and texts[at - 1].isdigit()
        at -= 3 if noted else 1
    if at > 1 and texts[at - 1] == "." and texts[at].isdigit() and texts[at - 2].islower():
        at -= 1  # and `end.3`
    text, kind, back = texts[at], kinds[at], len(texts) - 1 - at
    before = texts[at - 1] if at else ""
    if kind == "short":
        return POSSIBLE, text, back
    if text[-1] in ".!" and kind in _POINTED_KINDS:
        word = text.rstrip(".").lower()
        if len(word) == 1 and text[0].isupper():
            return INITIAL, text, back
        if text[:-1] in word_lists.BETWEEN and kind != "points":
            return BETWEEN, text, back
        return NUMBERED if word in word_lists.BEFORE_NUMBERS else ABBREVIATION, text, back
    if sign := _ENDINGS.get(text) or _ENDINGS.get(kind):
        return sign, before, back
    if text == "," and before.lower() in word_lists.FORMULAS:
        return FORMULA, before, back
    if text[-1] in "!?":
        return MARK, before, back
    if kind == "run" and len(text) >= 5:
        return RULE, text, back
    if is_emoji(text):
        return SMILE, before, back
    if text[0].isdigit() and len(texts) == 1 and _SECTION.fullmatch(text):
        return SECTION, text, back
    closing = texts[-1][-1]
    sure = closing.isalpha() or closing in ",;" or (text == "/" and before in ("w", "W"))  # with
    return "" if sure else LOOSE, text, back


_ENDINGS = {
    ".": STOP, ">": ANGLE, ">>": ANGLE, "--": DASH, "-": DASH, "\u2013": DASH, "\u2014": DASH
} | {"dots": DOTS, "smile": SMILE, "url": ADDRESS}  # fmt: skip
_POINTED_KINDS = ("listed", "points", "initial", "compound")
_SECTION = re.compile(r"\d{1,2}\.\d{1,2}")
_OPENING = re.compile(
    rf"(?:(?P<{DATE}>\d{{1,4}}[-/]\d{{1,2}}[-/]\d{{1,4}},?)|(?P<{NOTE}>(?:\[\d{{1,3}}\])+)"
    rf"|(?P<{ITEM}>[-*\u2013\u2022\u00b7]|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})[.)]))\Z"
)


def is_face(text: str) -> bool:
    """Whether an emoticon or emoji is a face or a hand, and no heart or thing."""
    if text.isascii():
        return text[0] != "<"
    ranges = (
        ("\U0001f440", "\U0001f44f"),
        ("\U0001f600", "\U0001f64f"),
        ("\U0001f90c", "\U0001f97a"),
    )
    return any(first <= text[0] <= last for first, last in ranges)


def _beginning(chunk: str, kind: str) -> str:
    if kind == "url":
        return ADDRESS
    if kind == "smile" or is_emoji(chunk):
        return SMILE
    if kind == "run" and len(chunk) >= 5 and _RULE.fullmatch(chunk):
        return RULE
    opening = _OPENING.match(chunk)
    return opening.lastgroup or "" if opening else ""


def _inner_breaks(texts: list[str], kinds: list[str]) -> Iterator[int]:
    """Pieces after which a sentence ends without white space: `the end.The next`."""
    for at in range(1, len(texts) - 1):
        before, text, after = texts[at - 1 : at + 2]
        if (
            (text == "." or text[-1] in "!?" or kinds[at] == "dots")
            and kinds[at - 1] == kinds[at + 1] == "compound"
            and before[-1].islower()
            and len(before) > 1
            and before.lower() not in word_lists.TITLES
            and _JOINED_SENTENCE.match(after)
        ):
            yield at


# What is known of a chunk, as bits: where sentences may end, and tokens be cut, in its gaps. As in
# kernel.c.
IS_SMALL = 1  # it begins with a small letter
OPENS = 2  # `Chunk.opens` says something
ENDS, ENDS_BEFORE_CAPITAL = 4, 8  # it may end a sentence; only before what is not small
MAY_BE_CUT, IS_CUT = 16, 32  # `its`, and a word before which it is cut
HAS_BREAKS = 64
STAMPS = 128  # a sentence may end after a time behind it
STOPS, BEGINS = 256, 512  # a point that ends a sentence, and a capital that begins one after it
STANDS = 1024  # for chunks of other words too

_ONLY_BEFORE_CAPITALS = frozenset(
    (DOTS, SMILE, ANGLE, ADDRESS, FORMULA, LOOSE, SECTION, DASH, ABBREVIATION, INITIAL, NUMBERED)
)


def _bits(string: str, chunk: Chunk) -> int:
    bits = IS_SMALL if string[0].islower() else 0
    if chunk.opens:
        bits |= OPENS
    if chunk.last in _ONLY_BEFORE_CAPITALS:
        bits |= ENDS_BEFORE_CAPITAL
    elif chunk.last == ITS:
        bits |= MAY_BE_CUT
    elif chunk.last:
        bits |= ENDS
    if chunk.opens == NOTE:
        bits |= ENDS  # what is before it counts
    if string in word_lists.NOT_OWNED:
        bits |= IS_CUT
    if chunk.last == STOP and chunk.core:
        bits |= STOPS
    if chunk.breaks:
        bits |= HAS_BREAKS
    elif chunk.opens in ("", WORD) and string[0].isupper():
        bits |= BEGINS
    return bits | STAMPS if chunk.opens == DATE else bits


def _known(string: str, modern: bool) -> Chunk:
    """How a chunk is cut, and its bits."""
    chunk = _cut(string, modern)
    return chunk._replace(bits=_bits(string, chunk))


# --- texts of chunks ----------------------------------------------------------------------------

MOST_KNOWN = 1 << 13  # chunks that are remembered, with as many pieces or thrice as many more
_ROOM = 1 << 22  # bytes of all keys, or all forms, that the kernel has; see `kernel.Strings`


@cache
def _is_space() -> NDArray[np.uint8]:
    """Which characters below U+10000 are white space; beyond it none is."""
    is_space = np.fromiter(map(str.isspace, map(chr, range(1 << 16))), np.uint8, 1 << 16)
    is_space[[0x200B, 0xFEFF]] = 1
    return is_space


class Cuts(dict[str, Chunk]):
    """How chunks are cut, looking at nothing else; in classic text the quotes are still as typed.

    It is the memo of a pure function: what is remembered changes no result. It belongs to one call
    at a time: see `lent`.
    """

    def __init__(self, modern: bool) -> None:
        super().__init__()
        self.modern, self.n_pieces = modern, 0

    def __missing__(self, string: str) -> Chunk:
        chunk = self[string] = _known(string, self.modern)
        self.n_pieces += len(chunk.texts)
        return chunk

    @property
    def is_full(self) -> bool:
        """Whether no more should be remembered."""
        return len(self) >= MOST_KNOWN or self.n_pieces >= 4 * MOST_KNOWN

    def read(self, text: str) -> ChunkedText:
        """The chunks of a text."""
        spans = [match.span() for match in CHUNK.finditer(text)]
        chunks = [self[text[start:end]] for start, end in spans]
        firsts = [0, *accumulate(len(chunk.texts) for chunk in chunks)]
        pairs = zip(spans, chunks, strict=True)
        token_ends = [start + end for (start, _), chunk in pairs for end in chunk.ends]
        token_starts = [0, *token_ends][: len(token_ends)]
        for (start, _), first in zip(spans, firsts, strict=False):
            token_starts[first] = start
        words = [word for chunk in chunks for word in chunk.texts]
        places = np.array(token_starts, np.int64), np.array(token_ends, np.int64)
        gaps = _gaps(text, spans, chunks, firsts)
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        return ChunkedText(text, starts, ends, firsts, gaps, *places, words, chunks, None)


def _gaps(
    text: str, spans: list[tuple[int, int]], chunks: list[Chunk], firsts: list[int]
) -> Iterator[Sequence[int]]:
    before = seen = last = stamped = 0
    for i, ((start, _), chunk) in enumerate(zip(spans, chunks, strict=True)):
        bits = chunk.bits
        odd = i > 0 and text[spans[i - 1][1] : start] != " "
        if (
            (not i or odd or before & ENDS or bits & (OPENS | HAS_BREAKS) or i <= stamped)
            or (before & ENDS_BEFORE_CAPITAL and not bits & IS_SMALL)
            or (before & MAY_BE_CUT and bits & IS_CUT)
        ):
            plain = i and not odd and before & STOPS and bits & BEGINS
            plain = plain and firsts[i] - last > 3 and not seen & HAS_BREAKS
            yield i, bool(plain), start, firsts[i]
            last, seen = firsts[i], bits
        if bits & STAMPS:
            stamped = i + 3
        before = bits


class CompiledCuts:
    """The same of modern text by the compiled kernel, which numbers the keys of chunks.

    In a key marks stand for plain words (`senna.inference.kernel.text.Words`): how a chunk is cut
    depends on its key alone. The kernel numbers the forms of tokens too, whose `texts` are shared.
    """

    modern = True

    def __init__(self) -> None:
        self.known = kernel.Cuts(_key_words(), _is_space(), 2 * MOST_KNOWN, _ROOM)
        self.chunks: list[Chunk] = []  # of the keys
        self.texts: list[str] = []  # of the forms

    @property
    def is_full(self) -> bool:
        """Whether no more keys should be remembered."""
        many = len(self.chunks) >= MOST_KNOWN or len(self.known.ends) >= 4 * MOST_KNOWN
        return many or self.known.keys.is_half_full

    def read(self, text: str) -> ChunkedText:
        """The chunks of a text; found by the rules alone if there is no room for so many."""
        if self.known.forms.is_half_full:
            self.known.forget_forms(2 * MOST_KNOWN, _ROOM)
            self.texts = []
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        found = kernel.chunks(self.known, codes, LONGEST_CHUNK)
        if found is None:
            return Cuts(self.modern).read(text)
        self._learn_keys()
        completed = kernel.tokens(self.known, codes, *found)
        if completed is None:
            return Cuts(self.modern).read(text)
        rows, n = found
        (starts, ends, numbers), gaps = completed
        # The first token of each new form has a number above all before.
        before = np.maximum.accumulate(np.concatenate([[len(self.texts) - 1], numbers[:-1]]))
        new = (numbers > before).nonzero()[0]
        spans = zip(starts[new].tolist(), ends[new].tolist(), strict=True)
        self.texts += [text[start:end] for start, end in spans]
        words = list(map(self.texts.__getitem__, numbers.tolist()))
        chunks = rows[0, :n], rows[1, :n], rows[3, : n + 1]
        places = starts.copy(), ends.copy()  # of the room for them they need little
        each = self.chunks, rows[2, :n]
        return ChunkedText(text, *chunks, gaps.tolist(), *places, words, *each)

    def _learn_keys(self) -> None:
        """Learn how chunks of the keys that are new are cut."""
        for key in self.known.keys.since(len(self.chunks)):
            codes, words = np.frombuffer(key, np.uint32).tolist(), iter(_STAND_INS)
            parts = [_MARKED[code](words) if code in _MARKED else chr(code) for code in codes]
            chunk = _known("".join(parts), self.modern)
            if any(code in _MARKED for code in codes):
                chunk = chunk._replace(bits=chunk.bits | STANDS)
            at = {end: place for place, end in enumerate(accumulate(map(len, parts)), start=1)}
            self.chunks.append(chunk)
            self.known.learn((at[end] for end in chunk.ends), chunk.bits)  # no word is cut


@cache
def _key_words() -> kernel.Words:
    """The words that are written out in the keys of chunks, and others that are known."""
    special = _SPECIAL | _ALL_POINTED | word_lists.FORMULAS | word_lists.PREFIXES
    special |= set(map(str.lower, word_lists.WITH_MARK)) | set(_AFTER_APOSTROPHES)
    return kernel.Words(sorted(special), sorted(_words() - special))


# Words, in lower case, of which more is known.
_SPECIAL = {"its", *map(str.lower, word_lists.SENTENCE_WORDS), *word_lists.NOT_OWNED}
_SPECIAL |= word_lists.CONTRACTIONS.keys()
# Words of which nothing is known.
_STAND_INS = ("abcabcabc", "defdefdef", "ghighighi")
# How the next such word, or a digit, is written for which a code of a key stands.
_MARKED: dict[int, Callable[[Iterator[str]], str]] = {
    kernel.SMALL_WORD: next,
    kernel.CAPITAL_WORD: lambda words: next(words).capitalize(),
    kernel.UPPER_WORD: lambda words: next(words).upper(),
    kernel.DIGIT: lambda words: "1",
}


@dataclass
class ChunkedText:
    """The chunks of a text, and the tokens that each has by itself."""

    text: str
    starts: Ints | list[int]  # of chunks, (n_chunks,)
    ends: Ints | list[int]
    firsts: Ints | list[int]  # the first token of each, and the number of all, (n_chunks + 1,)
    # Before which chunks a sentence may end, or a token be cut, and before the first; most gaps
    # are none of these. For each the chunk; whether a sentence ends there for certain (a point, one
    # space and a capital, after four words); where the chunk starts, and its first token.
    gaps: Iterable[Sequence[int]]
    token_starts: Ints  # (n_tokens,)
    token_ends: Ints
    words: list[str]  # their texts
    known: list[Chunk]
    numbers: Ints | None  # of the chunks among those that are known, if these are not theirs alone

    def string(self, at: int) -> str:
        """The text of a chunk."""
        return self.text[self.starts[at] : self.ends[at]]

    def chunk(self, at: int) -> Chunk:
        """A chunk by its place among them."""
        chunk = self.known[at if self.numbers is None else self.numbers.item(at)]
        if not chunk.bits & STANDS:
            return chunk
        start, stop = self.firsts[at % len(self.starts) :][:2]
        texts = tuple(self.words[start:stop])
        core = chunk.core
        for stand_in, word in zip(chunk.texts, texts, strict=True):  # of equal ones the last
            if stand_in == chunk.core:
                core = word
        ends = tuple(accumulate(map(len, texts)))
        return tuple.__new__(Chunk, (texts, ends, chunk.last, core, *chunk[4:]))  # far faster

    def rows(self, words: Growing, edges: Sequence[int]) -> list[Tokens]:
        """Rows of the words, all of which are there, between edges."""
        starts, ends = self.token_starts, self.token_ends
        if words.cut:
            at, shared = (np.array(column) for column in zip(*words.cut, strict=True))
            last = ends[at]
            ends[at] -= ~shared
            starts, ends = np.insert(starts, at + 1, last - 1), np.insert(ends, at + 1, last)
        return [Tokens(words.words[one:other], starts, ends, one) for one, other in pairwise(edges)]


class Growing(Sequence[str]):
    """The words of a sentence so far, from `begin` to `end` of a text's, of which some are cut."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = [*words]
        self.cut: list[tuple[int, bool]] = []  # words, and whether the two share their characters
        self.begin = self.end = 0

    def reach(self, n: int) -> None:
        """Let it end before word `n`, as words were counted before any was cut."""
        self.end = n + len(self.cut)

    def cut_off(self, back: int, shared: bool = False) -> None:
        """Cut the last character off a word with so many behind it, or repeat it as a word."""
        at = self.end - 1 - back
        self.cut.append((at - len(self.cut), shared))
        word = self.words[at]
        self.words[at : at + 1] = word if shared else word[:-1], word[-1]
        self.end += 1

    def __len__(self) -> int:
        return self.end - self.begin

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return self.words[self.begin : self.end][at]
        return self.words[self.begin + at if at >= 0 else self.end + at]


# --- the neighbours decide ----------------------------------------------------------------------


# What calls have used and the next ones may use again, by whether it is modern, and compiled.
IDLE: defaultdict[tuple[bool, bool], deque[Cuts | CompiledCuts]] = defaultdict(deque)


@contextmanager
def lent(convention: str) -> Iterator[Cuts | CompiledCuts]:
    """How chunks are cut in "modern" or "classic" text; SennaError for anything else."""
    if convention not in CONVENTIONS:
        names = " or ".join(CONVENTIONS)
        raise SennaError(f"unknown tokenization '{convention}'", remedy=f"Choose {names}.")
    modern = convention == "modern"
    compiled = modern and library() is not None
    idle = IDLE[modern, compiled]
    try:
        cuts = idle.pop()
    except IndexError:
        cuts = CompiledCuts() if compiled else Cuts(modern)
    yield cuts
    if not cuts.is_full:
        idle.append(cuts)


_UNSURE = (NUMBERED, POSSIBLE, BETWEEN)
_NUMBER = re.compile(r"[(\[#\u00a7]?\d|[IVXL]{2,}\b|[VX]\b")
_SMALL_I = re.compile(rf"i(?:[{QUOTE}]|\Z)")


def settled(words: Growing, chunk: Chunk, string: str, after: Chunk, modern: bool) -> Chunk:
    """The last chunk in `words`, now that the next one, of text `string`, is known.

    Its last word is cut in two where it proves to be a word and a point, or `it's`.
    """
    if chunk.last == ITS and string in word_lists.NOT_OWNED:
        words.cut_off(0)
    if chunk.last in _UNSURE and _is_word(words, chunk, string, after):
        loosen_point(words, chunk, modern)
        last = chunk.last if chunk.last == NUMBERED else STOP
        return chunk._replace(last=last, core=chunk.core[:-1])
    return chunk


def _is_word(words: Growing, chunk: Chunk, string: str, after: Chunk) -> bool:
    """Whether what looks like an abbreviation is a word and a point: `No.` and no number after."""
    if chunk.last == BETWEEN:
        known, at = word_lists.BETWEEN[chunk.core[:-1]], len(words) - 2 - chunk.back
        return known.match(f"{words[at] if at >= 0 else ''} {string}") is None
    numbered = chunk.last == NUMBERED
    first = string[0] if numbered else string.lstrip("(")[:1]
    if first.islower():  # people who write no capitals begin sentences so
        return not numbered and (words[0][0].islower() or _SMALL_I.match(string) is not None)
    if numbered:
        number = _NUMBER.match(string) is not None
    else:  # the longer a word, the likelier it is one that is rare; and few have a plural
        number = first.isdigit() and len(chunk.core) <= 6 and chunk.core[-2] != "s"
    # Fed. R. Civ. P., Biol. Chem.
    pointed = after.last in WITH_POINT and after.core[:-1].lower() not in word_lists.TITLES
    return not number and not (pointed and chunk.core[0].isupper() and string[0].isupper())


def loosen_point(words: Growing, chunk: Chunk, modern: bool) -> None:
    """Cut the point off the abbreviation, if any, that the last chunk in `words` ends in.

    `etc.` becomes `etc` `.` in both conventions; in classic text `U.S.` keeps its point, and the
    sentence gets a point of its own with the span of the one they share.
    """
    word = words[-1 - chunk.back]
    if chunk.last in WITH_POINT and word[-1] == ".":  # not `Yahoo!`
        shared = not modern and word.count(".") > 1 and word[0].isupper()
        words.cut_off(chunk.back, shared)


def tokenize(text: str, convention: str = "modern", start: int = 0) -> Tokens:
    """The tokens of `text`, which is taken for one sentence; offsets count from `start`.

    In modern text every character that is no white space is in exactly one token.

    >>> [token.text for token in tokenize("Don't!")]
    ['Do', "n't", '!']
    """
    [tokens] = tokenize_each([text], convention, [start])
    return tokens


def tokenize_each(texts: Sequence[str], convention: str, counted: Iterable[int]) -> list[Tokens]:
    """The tokens of each text as `tokenize` finds them; all texts are cut together.

    Places in each count from one of `counted`.
    """
    text = "\n".join(texts)
    starts = [0, *accumulate(len(one) + 1 for one in texts)]
    with lent(convention) as cuts:
        chunks = cuts.read(text)
    words = Growing(chunks.words)
    edges = [0]  # of parts, among all words
    for at, _, begin, first_word in chunks.gaps:
        words.reach(first_word)
        before = chunks.chunk(at - 1) if at else None
        if begin >= starts[len(edges)]:
            if before is not None:
                loosen_point(words, before, cuts.modern)
            words.begin = words.end
            edges += [words.end] * (bisect_right(starts, begin) - len(edges))
        elif before is not None:
            settled(words, before, chunks.string(at), chunks.chunk(at), cuts.modern)
    words.reach(len(chunks.words))
    if len(words):
        loosen_point(words, chunks.chunk(-1), cuts.modern)
    edges += [words.end] * (len(starts) - len(edges))
    tokens = chunks.rows(words, edges)
    if not cuts.modern:
        for row, (begin, stop) in zip(tokens, pairwise(starts), strict=True):
            direct_quotes(row, text, begin, stop)
    return moved(tokens, [one - start for one, start in zip(counted, starts[:-1], strict=False)])


# --- classic spelling ---------------------------------------------------------------------------

_CLASSIC = {
    "(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-",
    "\u201c": "``", "\u201d": "''", "\u201e": "``", "\u00ab": "``", "\u00bb": "''",
    "\u2018": "`", "\u2019": "'", "\u2026": "...", "\u2014": "--", "\u2013": "--",
}  # fmt: skip
_APOSTROPHES = re.compile(APOSTROPHE)
_ESCAPED = re.compile(r"(?<=\w)/(?=\w)|\*")
_ADDRESSES = ("url", "mail", "domain", "path", "user")
_DIRECTED = frozenset(('"', "''", "'", "`"))


def _classic_spelling(text: str, kind: str) -> str:
    """A piece as the Penn Treebank writes it, but for the quotes whose direction must be found."""
    if kind in _ADDRESSES or text.isalnum():
        return text
    if kind in ("compound", "clitic", "elided"):
        text = _APOSTROPHES.sub("'", text)
    return _CLASSIC.get(text) or _ESCAPED.sub(r"\\\g<0>", text)


def direct_quotes(tokens: Tokens, text: str, begin: int = 0, stop: int = sys.maxsize) -> None:
    """Rewrite the quotes in `tokens`, a sentence of `text[begin:stop]`, by their direction."""
    inside = False  # a double quote is open
    for at, (word, start, end) in enumerate(tokens):
        if word not in _DIRECTED or text[start:end] in _CLASSIC:
            continue
        before, after = text[max(begin, start - 1) : start], text[end : min(stop, end + 1)]
        opens = not before.strip() or before in "([{<-\"'`\u2014\u2013"
        if not before.strip() and not after.strip():
            opens = not inside  # it stands alone: `" word "`
        if word in ("'", "`"):
            tokens.words[at] = "`" if opens and after.strip() else "'"
        else:
            tokens.words[at] = "``" if opens else "''"
            inside = opens
