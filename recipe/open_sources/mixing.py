"""From cleaned documents to mixed shards: cut, without double lines, shuffled with a fixed seed."""

import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from open_sources.cleaning import clean_line, line_key
from open_sources.exclusion import is_excluded
from senna.settings import read_table

Lines = list[str]
Documents = list[tuple[str, Lines]]

PIECE = 2_500  # words, about, of the pieces that long documents are cut into
LAST = 400  # a last piece with fewer words stays with the one before
SHORTEST = 40  # words of a document
HELD = 0.022  # share of the documents that was kept for tests: never in the shards
SHARDS, SHARD_WORDS, LAST_SHARD = 6, 9.27e6, 0.78  # the last one is cut, so that all fit their size
NEWS_SHARDS, NEWS_SHARD_WORDS = 2, 9.55e6
TOPIC_WORDS = {"person": 3.8e6, "sport": 2.7e6, "company": 1.6e6, "place": 2.8e6, "affairs": 1.3e6}


def count(lines: Iterable[str]) -> int:
    """Words, as white space parts them."""
    return sum(len(line.split()) for line in lines)


def clean(
    documents: Iterable[tuple[str, Lines]], excluded: Collection[bytes], cut: bool
) -> Iterator[tuple[str, Lines]]:
    """The prose of each document without excluded paragraphs; with `cut` in pieces."""
    for name, raw in documents:
        lines = [line for line in map(clean_line, filter(str.strip, raw)) if line]
        lines = [line for line in lines if not is_excluded(line, excluded)]
        if count(lines) >= SHORTEST:
            for piece in _pieces(lines) if cut else [lines]:
                yield name.replace("\n", " "), piece


def _pieces(lines: Lines) -> list[Lines]:
    pieces: list[Lines] = [[]]
    n = 0
    for line in lines:
        pieces[-1].append(line)
        n += len(line.split())
        if n >= PIECE:
            pieces.append([])
            n = 0
    if n < LAST and len(pieces) > 1:
        last = pieces.pop()
        pieces[-1] += last
    return pieces


def write_documents(documents: Iterable[tuple[str, Lines]], path: Path) -> None:
    """Keep documents in a file: "#name", lines, a blank line."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for name, lines in documents:
            out.write("\n".join([f"#{name}", *lines, "", ""]))


def read_documents(path: Path) -> Iterator[tuple[str, Lines]]:
    """The documents of such a file."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            lines = []
            while (text_line := next(file)) != "\n":
                lines.append(text_line.rstrip("\n"))
            yield line[1:].rstrip("\n"), lines


def is_held(source: str, document: str) -> bool:
    """Whether a document was kept for tests, a book as a whole and three times as often."""
    key = document.partition("/")[0] if source == "standardebooks" else document
    digest = hashlib.blake2b((source + key).encode(), digest_size=8).digest()
    rate = HELD * (3 if source in ("novels", "standardebooks") else 1)
    return int.from_bytes(digest, "big") / 2**64 < rate


class Seen:
    """The lines that stand in some document already."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.keys = set(map(line_key, lines))

    def fresh(self, lines: Lines) -> Lines:
        """Those of `lines` that are new; from now on they are not."""
        kept = []
        for line in lines:
            key = line_key(line)
            if key not in self.keys:
                self.keys.add(key)
                kept.append(line)
        return kept

    def take(self, documents: Iterable[Lines], words: float, shortest: int) -> list[Lines]:
        """The new paragraphs of documents, until `words` are full."""
        taken, got = [], 0
        for document in documents:
            if got >= words:
                break
            lines = self.fresh(document)
            if (n := count(lines)) >= shortest:
                got += n
                taken.append(lines)
        return taken


def mix(parts: Mapping[str, Path], words: Mapping[str, float]) -> list[list[Lines]]:
    """The first shards, of all text sources."""
    rng = random.Random(20111102)
    held: list[Lines] = []
    free: dict[str, list[Lines]] = {}
    for name in sorted(parts):
        documents = list(read_documents(parts[name]))
        rng.shuffle(documents)
        held += [lines for document_name, lines in documents if is_held(name, document_name)]
        free[name] = [
            lines for document_name, lines in documents if not is_held(name, document_name)
        ]
    rng.shuffle(held)
    seen = Seen(line for lines in held for line in lines)
    pool = [lines for name in free for lines in seen.take(free[name], words[name], shortest=30)]
    rng.shuffle(pool)
    ends = [len(pool) * i // SHARDS for i in range(SHARDS + 1)]
    ends[-1] = ends[-2] + int((ends[-1] - ends[-2]) * LAST_SHARD)
    return [_most(pool[start:end], SHARD_WORDS) for start, end in pairwise(ends)]


def _most(documents: list[Lines], words: float) -> list[Lines]:
    """The first documents that together have no more than `words`."""
    n = 0.0
    for i, lines in enumerate(documents):
        n += count(lines)
        if n > words:
            return documents[:i]
    return documents


def mix_news(
    parts: Mapping[str, Path],
    words: Mapping[str, float],
    wikipedia: Path,
    old: Iterable[str],
    excluded: Collection[bytes],
) -> list[list[Lines]]:
    """The last shards: releases, and articles on people, places and the like that are left over.

    `old`: the lines of the first shards, none of which is taken again.
    """
    rng = random.Random(20111103)
    seen = Seen(old)
    pool = []
    for name in sorted(parts):
        documents = [lines for _, lines in read_documents(parts[name])]
        rng.shuffle(documents)
        pool += seen.take(documents, words[name], SHORTEST)
    topics: dict[str, list[Lines]] = defaultdict(list)
    for topic, lines in _left_over(wikipedia, seen):
        topics[topic].append([line for line in lines if not is_excluded(line, excluded)])
    for topic in sorted(topics):
        rng.shuffle(topics[topic])
        pool += seen.take(topics[topic], TOPIC_WORDS[topic], SHORTEST)
    rng.shuffle(pool)
    most = min(sum(map(count, pool)) / NEWS_SHARDS, NEWS_SHARD_WORDS)
    shards: list[list[Lines]] = [[]]
    n = 0
    for lines in pool:
        if n + count(lines) > most and len(shards) <= NEWS_SHARDS:
            shards.append([])
            n = 0
        shards[-1].append(lines)
        n += count(lines)
    return shards[:NEWS_SHARDS]


def _left_over(wikipedia: Path, seen: Seen) -> Iterator[tuple[str, Lines]]:
    """(topic, piece) of articles on a topic; a fifth of a piece's lines may be known."""
    last, topic = "", ""
    for name, lines in read_documents(wikipedia):
        if name != last:
            last, topic = name, topic_of(lines[0])
        if not topic or is_held("wikipedia-core", name):
            continue
        if sum(line_key(line) in seen.keys for line in lines) <= 0.2 * len(lines):
            yield topic, lines


_TOPICS = read_table(Path(__file__).with_name("topics.toml"))


def topic_of(line: str) -> str:
    """The topic of an article by its first line: the first of topics.toml that fits, or ""."""
    found = (name for name, of in _TOPICS.items() if re.search(of["pattern"], line[: of["within"]]))
    return next(found, "")
