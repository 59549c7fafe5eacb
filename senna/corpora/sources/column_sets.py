"""Sets that are published as columns; `columns` in data/corpora.toml says how each is read.

They are read here and not with `senna.text.columns`, which refuses what these files have: lines
without a tag, words with spaces in them, blank lines made of tabs.
"""

from __future__ import annotations

from collections.abc import Sequence

from senna.corpora.catalogue import Columns
from senna.corpora.tagged import SourcePaths, TaggedDocument, map_labels, read_text
from senna.text.schemes import phrases_of


def column_set(
    columns: Columns, splits: Sequence[str], sources: SourcePaths
) -> dict[str, list[TaggedDocument]]:
    """The documents of each split."""
    return {
        split: [
            document
            for name in columns.files.get(split, split).split()
            for document in read_columns(read_text(sources[name]), columns)[:: columns.every]
        ]
        for split in splits
    }


def read_columns(text: str, columns: Columns) -> list[TaggedDocument]:
    """Documents of a file of columns, word first and tag last; -DOCSTART- opens a document.

    A line without a tag ends a sentence, as a blank one does.
    """
    labels = {
        label: None if ours == "-" else ours
        for ours, theirs in columns.labels.items()
        for label in theirs.split()
    }
    documents: list[TaggedDocument] = [[]]
    words: list[str] = []
    tags: list[str] = []
    for line in [*text.split("\n"), ""]:
        fields = line.rstrip("\r").split(columns.delimiter or None)
        opens = fields[:1] == ["-DOCSTART-"]
        if not opens and len(fields) > 1 and fields[-1].strip():
            words.append(fields[0])
            tags.append(fields[-1].strip())
            continue
        if columns.proper_misc:
            for start, end, label in phrases_of(tags, "iob2"):
                letters = "".join(words[start:end])
                if labels[label] == "MISC" and not any(c.isupper() or c.isdigit() for c in letters):
                    tags[start:end] = ["O"] * (end - start)
        if sentence := map_labels(words, tags, labels):
            documents[-1].append(sentence)
        words, tags = [], []
        if opens:
            documents.append([])
    return [document for document in documents if document]
