"""Letter n-grams of words, hashed into a fixed number of rows (Bojanowski et al. 2017)."""

from __future__ import annotations

from zlib import crc32


def ngrams(word: str, least: int, most: int) -> list[str]:
    """The runs of `least` to `most` letters of a word between signs for its ends; none of "".

    >>> ngrams("tea", 3, 4)
    ['<te', 'tea', 'ea>', '<tea', 'tea>']
    """
    text = f"<{word}>" if word else ""
    return [text[i : i + n] for n in range(least, most + 1) for i in range(len(text) - n + 1)]


def row_of(ngram: str, n_rows: int) -> int:
    """The row, from 1 to `n_rows`, of an n-gram: the CRC-32 of its UTF-8 decides."""
    return 1 + crc32(ngram.encode("utf-8", "surrogatepass")) % n_rows
