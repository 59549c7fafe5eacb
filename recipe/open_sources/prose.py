"""Readers of articles, books, debates and releases: (name of a document, its raw paragraphs).

Each takes the folder of a repository; headings, lists, notes and markup stay behind.
"""

import csv
import html
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from pathlib import Path

Documents = Iterator[tuple[str, list[str]]]

_REFERS = re.compile(r"may (also )?refer to")
_BLANK = re.compile(r"\n\s*\n")
_LIST = re.compile(r"\n\s*([*+-]|\d+\.)\s")


def files_of(folder: Path, suffix: str) -> list[Path]:
    """Its files, those of a folder before those of the folders in it."""
    paths = (path for path in folder.rglob(f"*{suffix}") if path.is_file())
    return sorted(paths, key=lambda path: (path.parent.parts, path.name))


def read(path: Path) -> str:
    """The text of a file; what is no UTF-8 is replaced."""
    return path.read_text(encoding="utf-8", errors="replace")


def paragraphs(text: str) -> list[str]:
    """The paragraphs between blank lines, each in one line."""
    return [" ".join(block.split()) for block in _BLANK.split(text)]


def wikipedia_core(folder: Path) -> Documents:
    """One article per file: its number, its title, then its paragraphs."""
    for path in files_of(folder, ".txt"):
        lines = read(path).split("\n")
        if len(lines) > 2 and not _REFERS.search(" ".join(lines[2:5])):
            yield path.name, lines[2:]


def wikipedia_recent(folder: Path) -> Documents:
    """<doc id=...>, title, paragraphs, </doc>."""
    for path in files_of(folder, ""):
        for block in read(path).split("</doc>"):
            head = re.search(r'<doc id="(\d+)"[^>]*>\n', block)
            if head:
                lines = block[head.end() :].split("\n")[1:]
                if not _REFERS.search(" ".join(lines[:4])):
                    yield head[1], [re.sub(r'""([^"]+)""', r'"\1"', line) for line in lines]


_NO_RELEASE = re.compile(
    r"contact:|press office|click here|###|for immediate release|\d{3}[-/. )]+\d{3}-\d{4}|"
    r"to listen|news ?release|^\s*#|\.senate\.gov|\.com\b|web ?site|printer.friendly|"
    r"contact information|full text of|text of the (letter|bill)|attached",
    re.IGNORECASE,
)


def senate(folder: Path) -> Documents:
    """Press releases in several encodings, less those that lost their quotation marks."""
    for path in files_of(folder, ".txt"):
        data = path.read_bytes()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
        if re.search("[\"'\u2018\u2019\u201c\u201d]", text) or len(text) <= 900:
            yield path.name, [line for line in text.split("\n") if not _NO_RELEASE.search(line)]


def europarl(folder: Path) -> Documents:
    """Debates, a document a chapter."""
    for path in files_of(folder, ".txt"):
        for number, chapter in enumerate(re.split("<CHAPTER[^>]*>", read(path))):
            lines = (line for line in chapter.split("\n") if not line.startswith("<"))
            paragraphs = [re.sub(r"^\s*\([A-Z]{2}\)\s*", "", line) for line in lines]
            yield f"{path.name}#{number}", paragraphs


def novels(folder: Path) -> Documents:
    """Novels of 1880 to 1929; Morris, who imitated older English, is left out."""
    for path in files_of(folder, ".txt"):
        year = int(path.stem.rpartition("_")[2])
        if 1880 <= year <= 1929 and not path.name.startswith("Morris_"):
            text = re.sub(r"_([^_\n]{1,80})_", r"\1", read(path).replace("\r", ""))
            yield path.name, paragraphs(text)[15:]


_NO_STORY = tuple(
    """colophon imprint uncopyright titlepage endnotes halftitle dedication epigraph loi toc
    foreword introduction preface""".split()
)


def standardebooks(folder: Path) -> Documents:
    """Chapters as XHTML: the story's own paragraphs, without verse and marks of notes."""
    for path in files_of(folder, ".xhtml"):
        if path.name.startswith(_NO_STORY):
            continue
        text = re.sub(r"<a [^>]*noteref[^>]*>.*?</a>", "", read(path), flags=re.DOTALL)
        elements = re.findall(r"<p[ >].*?</p>", text, flags=re.DOTALL)
        plain = (re.sub("<[^>]+>", "", piece) for piece in elements if "<br" not in piece)
        texts = [" ".join(html.unescape(p).replace("\u2060", "").split()) for p in plain]
        yield f"{folder.name.partition('+')[2]}/{path.name}", texts


def plain_markdown(text: str) -> Iterator[str]:
    """The paragraphs of Markdown without front matter, code, tables, lists and headings."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(
        r"```.*?```|<!--.*?-->|\{%.*?%\}|<(script|style|table|figure|iframe)\b.*?</\1>",
        "",
        text,
        flags=re.DOTALL,
    )
    text = re.sub(r"\{\{[<%].*?[%>]\}\}", "", text, flags=re.DOTALL)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)(\{[^}]*\})?", "", text)
    link = r"\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)(\{[^}]*\})?"
    text = re.sub(link, r"\1", text, flags=re.DOTALL)
    text = re.sub(r"\[([^\]]*)\]\[[^\]]*\]", r"\1", text)
    text = re.sub(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`", "", text)
    tags = r"</?(p|em|strong|b|i|a|span|div|br|u|sup|cite)\b[^>]*>"
    text = re.sub(tags, " ", text, flags=re.IGNORECASE)
    for block in map(str.strip, _BLANK.split(text)):
        if not re.match(r"$|[#|>*+-]|\d+[.)]\s|\[|:|!", block) and not _LIST.search(block):
            yield " ".join(block.split())


def markdown(folder: Path) -> Documents:
    """Articles and guides of a site."""
    for path in files_of(folder, ".md"):
        name = path.relative_to(folder).as_posix()
        if not re.search("/(authors|events|topics)/", name):
            yield name, list(plain_markdown(read(path)))


def wikinews(folder: Path) -> Documents:
    """Tables with one article per row."""
    csv.field_size_limit(1 << 30)
    for path in files_of(folder, ".csv"):
        with path.open(encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table):
                lines = re.split(r"\n+", row["text"] or "")
                yield row["url"], [" ".join(line.split()) for line in lines]


def presidents(folder: Path) -> Documents:
    """State of the Union and inaugural addresses, two .zip files."""
    for path in files_of(folder, ".zip"):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(member for member in archive.namelist() if member.endswith(".txt")):
                text = archive.read(name).decode(errors="replace").replace("\r", "")
                yield name, paragraphs(text) if _BLANK.search(text) else text.split("\n")


def _local(element: ET.Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _own_text(element: ET.Element, skip: frozenset[str]) -> str:
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and _local(child) not in skip:
            parts.append(_own_text(child, skip))
        parts.append(child.tail or "")
    return "".join(parts)


def _p_elements(node: ET.Element, skip: str) -> list[str]:
    """The text of every <p> below a node, without the elements named in `skip`."""
    left_out = frozenset(skip.split())
    paragraphs = (element for element in node.iter() if _local(element) == "p")
    return [" ".join(_own_text(element, left_out).split()) for element in paragraphs]


def milestones(folder: Path) -> Documents:
    """Essays as TEI, one document per innermost division."""
    for path in files_of(folder, ".xml"):
        divisions = [e for e in ET.parse(path).getroot().iter() if _local(e) == "div"]
        for number, part in enumerate(divisions):
            if not any(_local(child) == "div" for child in part):
                yield f"{path.name}#{number}", _p_elements(part, "note")


def plos(folder: Path) -> Documents:
    """Journal articles: paragraphs of the body without citations, formulae, tables, figures."""
    for path in files_of(folder, ".xml"):
        data = read(path)
        if not re.search("Creative Commons Attribution|creativecommons.org/licenses/by/", data):
            continue
        try:
            root = ET.fromstring(re.sub("<!DOCTYPE.*?>", "", data, count=1, flags=re.DOTALL))
        except ET.ParseError:
            continue
        body = next((element for element in root.iter() if _local(element) == "body"), None)
        if body is not None:
            texts = _p_elements(body, "disp-formula inline-formula table-wrap fig caption")
            texts = [re.sub(r" ?\[[\d,\s\u2013-]*\]", "", line) for line in texts]
            yield path.name, [re.sub(r" ?\([\s,;]*\)", "", line) for line in texts]
