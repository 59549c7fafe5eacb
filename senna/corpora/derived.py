"""Corpora derived from a treebank: trees, chunks, PT0, roles and parts of speech of its sentences.

Each of these views is a separate corpus: trees/masc, chunk/masc, srl/masc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from senna.corpora.base_chunks import base_chunks
from senna.corpora.sources.treebanks import Splits, TreebankSentence
from senna.tasks import N_LEVELS
from senna.text.schemes import tags_of
from senna.text.trees.trimmed_levels import trimmed_levels

Columns = list[Sequence[str]]


def pos_columns(sentence: TreebankSentence) -> Columns:
    """Word and part of speech."""
    return [sentence.words, sentence.tags]


def chunk_columns(sentence: TreebankSentence) -> Columns:
    """Word, part of speech and chunk (IOB2)."""
    chunks = tags_of(base_chunks(sentence.tree), len(sentence.words), "iob2")
    return [sentence.words, sentence.tags, chunks]


def pt0_columns(sentence: TreebankSentence, n_levels: int = 1) -> Columns:
    """Word, part of speech and PT0 (IOBES), then the levels above it."""
    return [sentence.words, sentence.tags, *trimmed_levels(sentence.tree, n_levels)]


def srl_columns(sentence: TreebankSentence) -> Columns:
    """Number, word, part of speech, PT0, roleset, kind, then one column of roles per predicate."""
    n = len(sentence.words)
    rolesets, kinds = ["-"] * n, ["-"] * n
    for predicate in sentence.predicates:
        rolesets[predicate.position] = predicate.roleset
        kinds[predicate.position] = predicate.kind
    roles = [tags_of(predicate.roles, n, "bracket") for predicate in sentence.predicates]
    numbers = [str(i + 1) for i in range(n)]
    return [numbers, *pt0_columns(sentence), rolesets, kinds, *roles]


def rows(
    sentences: Sequence[TreebankSentence], columns: Callable[[TreebankSentence], Columns]
) -> str:
    """One word per line, tab-separated; a blank line between sentences, none after the last."""
    tables = (zip(*columns(sentence), strict=True) for sentence in sentences)
    blocks = ("\n".join(map("\t".join, table)) for table in tables)
    return "\n\n".join(blocks) + "\n" if sentences else ""


def lines(entries: Iterable[object]) -> str:
    """One entry per line."""
    return "".join(f"{entry}\n" for entry in entries)


# By view, {suffix of a split's file name: function that makes its text}.
VIEWS: dict[str, dict[str, Callable[[Sequence[TreebankSentence]], str]]] = {
    "pos": {"": partial(rows, columns=pos_columns)},
    "chunk": {"": partial(rows, columns=chunk_columns)},
    "pt0": {
        "": partial(rows, columns=pt0_columns),
        ".levels": partial(rows, columns=partial(pt0_columns, n_levels=N_LEVELS)),
    },
    "srl": {"": partial(rows, columns=srl_columns)},
    "trees": {
        ".mrg": lambda sentences: lines(sentence.tree for sentence in sentences),
        ".ids": lambda sentences: lines(sentence.name for sentence in sentences),
        ".functions.mrg": lambda sentences: lines(
            sentence.functions for sentence in sentences if sentence.functions
        ),
    },
}


def files_of(splits: Splits, view: str) -> dict[str, str]:
    """{name of a file, for example "train.levels": its text} of one view of a treebank."""
    return {
        split + suffix: text_of(sentences)
        for split, sentences in splits.items()
        for suffix, text_of in VIEWS[view].items()
    }
