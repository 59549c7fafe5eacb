"""Readers of official releases and speeches: (name of a document, its raw paragraphs)."""

import html
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from open_sources.prose import Documents, files_of, plain_markdown, read

# Releases whose title says that they quote others at length.
_QUOTING = re.compile(
    r"icymi|in case you missed|what they.{0,12}say|applaud|praise|support(ers)? for|in the news|"
    r"headlines|auto.draft|clemency recipient|pool report|week ahead|daily guidance|letter to|"
    r"message to|text of",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"^(?:Q\b\.?\s*(?:\([^)]*\))?|(?:[A-Z][A-Z.'\u2019-]*[A-Z.]\s*){1,5}(?:\([^)]{1,40}\))?\s*:)\s+"
)
_ASIDE = re.compile(
    r"\s*\((?:Laugh(?:s|ter)|Applause|Inaudible|Crosstalk|No audible response|"
    r"Laughter and applause|Applause and laughter|Off-mic|Pause|Sic)[^)]{0,30}\)\.?",
    re.IGNORECASE,
)
_FORMULA = re.compile(
    r"^(NOW, THEREFORE|IN WITNESS|By the authority vested|This (order|memorandum) is not "
    r"intended|You are authorized and directed|\(?[a-z0-9]{1,3}\)|Sec(tion|\.))",
    re.IGNORECASE,
)


def whitehouse(folder: Path, kinds: str) -> Documents:
    """Releases or remarks, from the subfolders named in `kinds`, in their order."""
    for kind in kinds.split():
        for path in files_of(folder / kind, ".md"):
            text = read(path)
            if _QUOTING.search(_title(text)) or _QUOTING.search(path.name):
                continue
            text = re.sub(r"<s>.*?</s>", "", text, flags=re.DOTALL)
            text = re.sub(r"\\([\[\]#*_.()+!-])", r"\1", text)
            text = re.sub(r"<br ?/?>|\\\n", "\n\n", text)
            said = (_SPEAKER.sub("", _ASIDE.sub("", line)) for line in plain_markdown(text))
            kept = [line.replace("*", "") for line in said if not _FORMULA.match(line)]
            yield path.relative_to(folder).as_posix(), [x for x in kept if "###" not in x]


def _title(text: str) -> str:
    head = re.match(r"\A---\n(.*?)\n---\n", text, flags=re.DOTALL)
    title = re.search(r"^title:\s*(.*(?:\n  .*)*)", head[1], flags=re.MULTILINE) if head else None
    return re.sub(r"\\_|\s+", " ", title[1]) if title else ""


def nasa(folder: Path) -> Documents:
    """News and features of the web site, without credits of pictures."""
    credit = re.compile(r"\s*\(?(?:Image )?(?:Photo )?(?:Credits?: ?)?NASA/[A-Z][^.?!]{2,60}\)?$")
    other = r"contact|media advisory|back to top|for more information|\d{3}-\d{3}-\d{4}"
    for path in files_of(folder, ".md"):
        lines = (" ".join(block.split()) for block in re.split(r"\n\s*\n", read(path)))
        kept = [credit.sub("", x) for x in lines if not re.search(other, x, re.IGNORECASE)]
        yield path.name, kept


def fed(folder: Path) -> Documents:
    """Speeches of the Board of Governors, without footnotes and their numbers."""
    for path in files_of(folder, ".json"):
        for item in json.loads(read(path)):
            number = r"(?<=[a-z\u201d\u2019\"][.,?;])\d{1,2}(?=\s|$)"
            lines = (re.sub(number, "", line) for line in item["content"].split("\n"))
            yield item["url"], [x for x in lines if not re.match(r"\d+\.|Return to text|See ", x)]


# ----------------------------------------------------- releases whose apostrophes were lost

_LOST_POSSESSIVE = re.compile(
    r"\b(?:Attorneys|Departments|Sheriffs|Generals|Divisions|Justices|Administrations|Bureaus|"
    r"States|Services|Agencys|Treasurys|Commissions|Inspectors|Citys|Countys) "
    r"(?:Office|Department|Division|Criminal|Civil|Antitrust|Tax|Environment|Fraud|Public|"
    r"National|Bureau|Internal|Investigation|Disability|Housing|Special|Community|[A-Z]?[a-z]+ "
    r"(?:Section|Division|Office|Unit))|\b[Tt]odays\b|"
    r"\b(?:the|its|our) (?:departments|companys|governments|divisions|agencys|countrys|citys|"
    r"countys|firms|banks|nations|cases|courts|defendants|victims|schemes|hospitals) "
    r"(?!(?:of|to|if|and|in|are|were|will|also|who|that|or|on|at|with|for|from|as|have|had|involved|"
    r"by|did|would|could|may|do|agreed|used|was|is)\b)[a-z]"
)
_LOST_MARK = re.compile(r"[a-z,]\s{2,}[a-z]|\b[A-Z][A-Z0-9]+s\b|\b\d[A-Z]+s\b|\w\.s\b")
_QUOTED = re.compile(r"\b(said|stated|added|commented|noted|says|continued|explained|remarked)\b")
_NOT_PLURAL = ("ss", "us", "is")


def endings(lines: Iterable[str]) -> Counter[str]:
    """How often words that end in s and 's stand in text that has its apostrophes."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(re.findall(r"[A-Za-z]+(?:'s|s)\b", line.replace("\u2019", "'")))
    return counts


def _shows_loss(line: str, names: Collection[str], intact: Counter[str]) -> bool:
    """Whether marks seem to be lost: gaps, quotations, or words that mostly end in 's elsewhere."""
    if _LOST_MARK.search(line) or _QUOTED.search(line):
        return True
    for word in re.findall(r"\b(?:an?|each|every|another) ([a-z]+s) [a-z]", line):
        if (
            not word.endswith(_NOT_PLURAL)
            and word not in "series means headquarters species".split()
        ):
            return True
    for word in re.findall(r"\b[A-Za-z]+s\b", line):
        if len(word) < 4 or word.lower() == "states" or word.endswith(_NOT_PLURAL):
            continue
        plain, possessive = intact[word], intact[f"{word[:-1]}'s"]
        if possessive > 0.12 * plain or (plain < 3 and word[:-1] in names):
            return True
    return False


def doj(folder: Path, intact: Counter[str]) -> Documents:
    """News releases. Most pages lost their apostrophes and quotation marks: of these only the
    paragraphs that show no sign of it. `intact`: see `endings`.
    """
    start = re.compile(
        r'field--name-field-pr-body.*?<div class="field__item even">(.*?)</div></div></div>',
        re.DOTALL,
    )
    for path in files_of(folder, ".html"):
        body = start.search(read(path))
        if body:
            yield path.name, list(_release(body[1], intact))


def _release(body: str, intact: Counter[str]) -> Iterator[str]:
    body = re.sub(r"<(ul|ol|table|h\d)\b.*?</\1>", "", body, flags=re.DOTALL)
    pieces = re.split(r"</p>|<br ?/?>\s*(?:&nbsp;|\s)*<br ?/?>|</div>", body)
    plain = (html.unescape(re.sub("<[^>]+>", " ", piece)) for piece in pieces)
    lines = [line.replace("\u00a0", " ").strip() for line in plain]
    text = " ".join(lines)
    damaged = ("'" not in text and "\u2019" not in text) or _LOST_POSSESSIVE.search(text)
    names = set(re.findall(r"\b[A-Z][a-z]+\b", text))
    numbers = r"\(?\d{3}\)?[ -]\d{3}-\d{4}|click here|available (online )?at|for more information"
    for line in lines:
        if re.search(numbers, line, re.IGNORECASE):
            continue
        if damaged and (
            _LOST_POSSESSIVE.search(line)
            or _shows_loss(re.sub(r"[\r\n\t]+", " ", line), names, intact)
        ):
            continue
        line = re.sub(r"(?<=[a-z]{2}\.)(?=[A-Z][a-z])", " ", line)
        yield re.sub(r"^(WASHINGTON)\s+(?=[A-Z][a-z])", r"\1 - ", " ".join(line.split()))
