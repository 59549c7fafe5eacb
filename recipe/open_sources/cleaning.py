"""Which paragraphs are usable prose, and how they are written."""

import hashlib
import html
import re
import unicodedata

FUNCTION_WORDS = frozenset(
    """the of and to in a is was that for on with as by at from it his he she her they their we our
    you i be are were been has have had not but or this which who an its will would can could may
    all one there no if when what so than more about into him them my me your us do did said also
    up out over after before""".split()
)
# What must not be left in a paragraph: markup, addresses, damaged encoding, lost apostrophes.
_REFUSED = (
    re.compile(
        r"\\[a-z]+|\{\{|\}\}|\[\[|\]\]|\{\\|</?[a-z][^<>]{0,60}>|formula_\d|\|\||={2,}|_{3,}|\*{3,}"
        r"|~{3,}|#{2,}|displaystyle|@",
        re.IGNORECASE,
    ),
    re.compile(r"(?:https?:/?/?|www\.)\S+"),
    re.compile("\u00e2\u20ac|\u00c3[\u0080-\u00bf]|\u00c2[\u0080-\u00bf ]|\ufffd"),
    re.compile(
        r"\b(?:don|didn|isn|wasn|won|wouldn|couldn|shouldn|doesn|hasn|haven|ain|can) t\b|"
        r"\b(?:I|he|she|we|they|you|it) (?:ll|ve|re)\b|"
        r"\b(?:dont|doesnt|didnt|isnt|wont|thats|youre|theyre|weve|ive)\b",
        re.IGNORECASE,
    ),
)
_SPACES = re.compile("[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\u00ad\ufffc]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
_CITATION = re.compile(
    r"\[(?:\d{1,4}|[a-z]{1,2}|(?:note|nb|n|fn|lower-alpha)\s?\d*|citation needed|"
    r"clarification needed|who\?|when\?|where\?|why\?|which\?|by whom\?|update|"
    r"page needed|dubious\s?[\u2013-]?\s?discuss|verification needed|"
    r"better source needed|full citation needed|failed verification|"
    r"according to whom\?|not in citation given|original research\?|"
    r"needs update|further explanation needed|specify|vague|example needed|"
    r"unreliable source\?|non-primary source needed|self-published source\??|"
    r"disputed\s?[\u2013-]?\s?discuss|quantify|attribution needed|edit)\]"
    r"(?::\s?\d+(?:[\u2013-]\d+)?(?:,\s?\d+(?:[\u2013-]\d+)?)*)?",
    re.IGNORECASE,
)
_PHONETIC = re.compile("[\u0250-\u02af\u02b0-\u02ff\u03b8\u0361]")
_IN_SLASHES = re.compile("/[^/ ]*[\u0250-\u02af\u02c8\u02cc\u02d0][^/]*/")
_IN_BRACKETS = re.compile(r"\[[^\[\]]*[\u0250-\u02af\u02c8\u02cc\u02d0][^\[\]]*\]")
_PARENTHESIS = re.compile(r" ?\(([^()]*)\)")
_END = re.compile(r"""[.?!\u2026][)\]"'\u2019\u201d\u00bb]*$""")
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019.-]*")


def clean_line(line: str) -> str | None:
    """One paragraph, normalised, or None when it is not usable prose."""
    line = html.unescape(line) if "&" in line else line
    line = _INVISIBLE.sub("", unicodedata.normalize("NFC", line))
    line = _SPACES.sub(" ", _CONTROL.sub(" ", line)).strip()
    if len(line) < 25:
        return None
    if "[" in line:
        line = _CITATION.sub("", line)
    if _PHONETIC.search(line):
        line = _IN_SLASHES.sub("", _IN_BRACKETS.sub("", line))
        line = _PARENTHESIS.sub(_without_phonetics, line)
        if _PHONETIC.search(line):
            return None
    elif "(" in line:
        line = re.sub(r" ?\([\s,;:.-]*\)", "", line)
    line = re.sub(r"\(\s*[,;:]\s*", "(", line)
    line = re.sub(r"\s+([,.;:?!])(?=\s|$)", r"\1", line)
    line = _SPACES.sub(" ", line).strip()
    return line if _is_prose(line) else None


def _without_phonetics(match: re.Match[str]) -> str:
    """A parenthesis without its phonetic pieces: dates and names stay."""
    inner = match[1]
    if not _PHONETIC.search(inner):
        return match[0] if re.search(r"\w", inner) else ""
    parts = (part.strip() for part in re.split("[;,]", inner))
    kept = [p for p in parts if p and not _PHONETIC.search(p) and re.search(r"\d{3}", p)]
    return f" ({'; '.join(kept)})" if kept else ""


def _is_prose(line: str) -> bool:
    """Whether it is English running text that ends as a sentence does."""
    if any(pattern.search(line) for pattern in _REFUSED) or not _END.search(line):
        return False
    if line[0] not in "\"'(\u201c\u2018[$\u00a3\u20ac" and not line[0].isalnum():
        return False
    words = line.split()
    n = len(words)
    if not 6 <= n <= 3000 or max(map(len, words)) > 45 or not 3.6 * n <= len(line) <= 9.5 * n:
        return False
    if sum(c.isalpha() and c.isascii() for c in line) < 0.72 * (len(line) - n + 1):
        return False
    if sum(word.isupper() and len(word) > 1 for word in words) > 0.3 * n:
        return False
    small = [word.lower() for word in _WORD.findall(line)]
    known = sum(word in FUNCTION_WORDS for word in small)
    return len(small) >= 5 and known >= 0.17 * len(small)


def line_key(line: str) -> bytes:
    """The same for lines with the same letters and digits, whatever their case."""
    return hashlib.blake2b(re.sub(r"\W+", "", line.lower()).encode(), digest_size=8).digest()
