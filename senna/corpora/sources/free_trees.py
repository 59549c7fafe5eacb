"""Treebanks without roles: CRAFT, biomedical articles, and GUM, whose trees a parser made."""

from __future__ import annotations

import re

from senna.corpora.catalogue import resource_lines
from senna.corpora.sources.treebanks import Splits, TreebankSentence, topped
from senna.corpora.tagged import SourcePaths, read_text
from senna.text.trees import TOP, TRACE, Tree, cleaned, dissolved, read_trees

_SPACED = re.compile(r"\(([^\s()]+)\s+([^\s()][^()]*)\)")  # a leaf, its word perhaps with spaces
_LAYOUT = ("TITLE", "HEADING", "CAPTION")  # what a line of an article is, no constituents


def craft(sources: SourcePaths) -> Splits:
    """CRAFT: the articles that may be passed on; citations are PRN, as in other treebanks."""
    return _read(
        "corpora/craft-documents.txt", "structural-annotation/treebank/penn/{}.tree", sources
    )


def gum(sources: SourcePaths) -> Splits:
    """The documents of `pos/gum`, with the trees that a parser made of their tags."""
    return _read("corpora/gum-documents.txt", "const/{}.ptb", sources)


def _read(documents: str, path: str, sources: SourcePaths) -> Splits:
    splits: Splits = {"train": [], "dev": []}
    for line in resource_lines(documents):
        name, split = line.split(" ")
        text = read_text(sources[path.format(name)])
        # A word with spaces in it is written without them.
        text = _SPACED.sub(lambda leaf: f"({leaf[1]} {''.join(leaf[2].split())})", text)
        trees = filter(None, map(_plain, read_trees(text, name)))
        splits[split] += [
            _sentence(f"{name}-{number:04d}", tree) for number, tree in enumerate(trees, start=1)
        ]
    return splits


def _plain(tree: Tree) -> Tree | None:
    """A tree without traces, function tags and layout, under one TOP."""
    whole = cleaned(tree, {TRACE})
    if whole is None:
        return None
    for subtree in whole.subtrees():
        if not subtree.is_leaf:
            subtree.label = {"ROOT": TOP, "CIT": "PRN"}.get(subtree.label, subtree.label)
    return cleaned(dissolved(topped(whole), *_LAYOUT), ())


def _sentence(name: str, tree: Tree) -> TreebankSentence:
    leaves = tree.leaves()
    words, tags = [str(leaf.word) for leaf in leaves], [leaf.label for leaf in leaves]
    return TreebankSentence(name, words, tags, tree, None, [])
