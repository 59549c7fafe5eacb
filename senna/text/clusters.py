"""Files of word clusters: each word's path in a binary tree of clusters (Brown et al. 1992).

A line is a path from the root, a 0 or 1 for each branch, a tab, a word, a tab and how often the
word occurs. Words of equal paths are a cluster. Liang's program (2005) writes the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO

from senna.errors import SennaError
from senna.files import open_text


def read_clusters(path: str | Path) -> dict[str, str]:
    """The path of each word, in the order of the file (.gz, .xz and .bz2 too).

    SennaError, with the line, for anything else than path, tab, word, tab, count, for a word of two
    paths, and for a file without words.
    """
    paths: dict[str, str] = {}
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}:{number}"
            fields = line.removeprefix("\ufeff").rstrip("\r\n").split("\t")
            if fields == [""]:
                continue
            if len(fields) != 3 or not fields[1] or not fields[2].isdecimal():
                raise SennaError("expected path, tab, word, tab, count", where=where)
            bits, word, _ = fields
            if not bits or bits.strip("01"):
                raise SennaError(f"a path is digits 0 and 1, not {bits!r:.40}", where=where)
            if paths.setdefault(word, bits) != bits:
                what = f"two paths for {word!r:.40}: {paths[word]} and {bits}"
                raise SennaError(what, where=where, mend="Every word has one path.")
    if not paths:
        raise SennaError("no clusters in it", where=str(path))
    return paths


def write_clusters(file: IO[bytes], paths: Mapping[str, str], counts: Mapping[str, int]) -> None:
    """Write paths and counts of words: by path, then by falling count, then by word."""
    words = sorted(paths, key=lambda word: (paths[word], -counts[word], word))
    file.writelines(f"{paths[word]}\t{word}\t{counts[word]}\n".encode() for word in words)
