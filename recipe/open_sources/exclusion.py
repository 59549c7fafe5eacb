"""Sentences of test sets, and the paragraphs that have one of them."""

import hashlib
import lzma
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from open_sources.prose import files_of, read

SHORTEST = 6  # words: shorter sentences say nothing about copying


def sentence_keys(text: str) -> Iterator[bytes]:
    """A key of each sentence of a paragraph, without marks and case."""
    for piece in re.split(r"(?<=[.?!])[\"'\u2019\u201d)]*\s+", text):
        yield from _key(piece)


def _key(sentence: str) -> Iterator[bytes]:
    words = re.findall("[a-z0-9]+", sentence.lower())
    if len(words) >= SHORTEST:
        yield hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()


def is_excluded(paragraph: str, keys: Collection[bytes]) -> bool:
    """Whether one of its sentences has one of these keys."""
    return any(key in keys for key in sentence_keys(paragraph))


def keys_of(sentences: Iterable[str]) -> set[bytes]:
    """The keys of sentences, as they are and cut as a paragraph would be."""
    return {key for sentence in sentences for key in (*_key(sentence), *sentence_keys(sentence))}


def test_sentences(folder: Path) -> Iterator[str]:
    """The sentences of a repository: CoNLL-U, or .zip files with a line of word_TAG for each."""
    for path in files_of(folder, ".conllu"):
        for line in read(path).split("\n"):
            if line.startswith("# text = "):
                yield line.removeprefix("# text = ")
    for path in files_of(folder, ".zip"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(".txt"):
                    for line in archive.read(name).decode(errors="replace").split("\n"):
                        yield " ".join(word.rsplit("_", 1)[0] for word in line.split())


def column_sentences(path: Path) -> Iterator[str]:
    """The sentences of a file of columns, "n't" also joined to its verb."""
    text = lzma.decompress(path.read_bytes()).decode()
    for block in re.split(r"\n\s*\n", text):
        words = [line.split()[0] for line in block.split("\n") if line.strip()]
        if words and words[0] != "-DOCSTART-":
            yield (sentence := " ".join(words))
            yield re.sub(r" (n't|N'T)\b", r"\1", sentence)
