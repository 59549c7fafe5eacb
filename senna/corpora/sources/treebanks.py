"""Treebanks: EWT and MASC with PropBank's roles, CRAFT and GUM without roles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from senna.corpora.catalogue import resource_lines
from senna.corpora.sources.propbank import (
    PropBankPredicate,
    SkeletonRow,
    predicates_of,
    read_skeleton,
)
from senna.corpora.sources.ud import read_conllu
from senna.corpora.tagged import SourcePaths, read_text
from senna.text.trees import TOP, TRACE, Tree, cleaned, dissolved, read_trees, tree_of_columns

_MARKS = frozenset(["CODE", "SU"])  # the transcribers' marks in MASC's speech are no words
# What the names of MASC's original trees have and those of the skeletons lack.
_NAME_PARTS = re.compile(r"\.mrg|\.txt|-NEW|-UTF16|\.ascii-1")
_SPACED = re.compile(r"\(([^\s()]+)\s+([^\s()][^()]*)\)")  # a leaf, its word perhaps with spaces
_LAYOUT = ("TITLE", "HEADING", "CAPTION")  # what a line of an article is, no constituents
_ESCAPES = {"-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


@dataclass(frozen=True)
class TreebankSentence:
    """A sentence with its tree and its predicates; words and tags are those of the tree."""

    name: str
    words: Sequence[str]
    tags: Sequence[str]
    tree: Tree
    functions: Tree | None  # the tree with function tags (NP-SBJ), where they are known
    predicates: list[PropBankPredicate]


Splits = dict[str, list[TreebankSentence]]


def ewt(sources: SourcePaths) -> Splits:
    """The English Web Treebank: words of Universal Dependencies, the rest of PropBank.

    The documents and splits are those of Universal Dependencies; 29 documents have no predicate
    and no skeleton. Sentences are matched by their place and their number of words.
    """
    return {
        split: [
            sentence
            for name, document in read_conllu(read_text(sources[split]))
            for sentence in _ewt_document(name, document, sources)
        ]
        for split in ("train", "dev", "test")
    }


def _ewt_document(
    name: str, document: list[list[tuple[str, str]]], sources: SourcePaths
) -> Iterator[TreebankSentence]:
    genre, _, rest = name.partition("-")
    path = f"data/google/ewt/{genre}/00/{rest}.xml.gold_skel"
    if path not in sources:
        return
    skeleton = read_skeleton(read_text(sources[path]), path)
    lengths = [len(words) for words in skeleton], [len(words) for words in document]
    for a, b, size in SequenceMatcher(None, *lengths, autojunk=False).get_matching_blocks():
        for i in range(size):
            words, pairs = skeleton[a + i], document[b + i]
            forms, tags = map(list, zip(*pairs, strict=True))
            known = [word.tag for word in words]
            differing = sum(one != other for one, other in zip(known, tags, strict=True))
            if differing > 2 and _edits(known, tags) < differing:
                continue  # words are shifted: tags agree better with some inserted and deleted
            yield _sentence(f"{name}-{b + i + 1:04d}", forms, words, None)


def _edits(a: Sequence[str], b: Sequence[str]) -> int:
    """The number of insertions, deletions and replacements from one list to another."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row = row, [i]
        for j, y in enumerate(b):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (x != y)))
    return row[-1]


def masc(sources: SourcePaths) -> Splits:
    """MASC: its own trees with words, the roles of PropBank.

    The documents and their splits are in a resource. Sentences of nothing but transcription marks
    are left out, and one whose original is broken: its tags are not those of the skeleton.
    """
    originals = {_short_name(name): name for name in sources if name.endswith((".mrg", ".txt"))}
    splits: Splits = {"train": [], "dev": [], "test": []}
    for document, split in map(str.split, resource_lines("corpora/masc-documents.txt")):
        path = f"data/oanc/masc/{document}.gold_skel"
        original = originals[_short_name(path)]
        splits[split] += _masc_document(path, original, sources)
    return splits


def _short_name(path: str) -> str:
    return _NAME_PARTS.sub("", path.rpartition("/")[2].removesuffix(".gold_skel"))


def _masc_document(path: str, original: str, sources: SourcePaths) -> Iterator[TreebankSentence]:
    name = path.rpartition("/")[2].removesuffix(".gold_skel")
    skeleton = read_skeleton(read_text(sources[path]), path)
    text = read_text(sources[original]).replace("\u00a0", " ")
    every = (cleaned(tree, {TRACE}, functions=True) for tree in read_trees(text, original))
    trees = [tree for tree in every if tree]
    for number, (words, tree) in enumerate(zip(skeleton, trees, strict=True), start=1):
        leaves = tree.leaves()
        tags = [leaf.label for leaf in leaves]
        if tags != [word.tag for word in words] or _MARKS.issuperset(tags):
            continue
        forms = [leaf.word or "" for leaf in leaves]
        forms = [_ESCAPES.get(f) or f.replace("\\/", "/").replace("\\*", "*") for f in forms]
        for leaf, form in zip(leaves, forms, strict=True):
            leaf.word = form
        yield _sentence(f"{name}-{number:04d}", forms, words, tree)


def _sentence(
    name: str, forms: Sequence[str], words: Sequence[SkeletonRow], original: Tree | None
) -> TreebankSentence:
    """A sentence without transcription marks; without an original its tree is the skeleton's."""
    tags = [word.tag for word in words]
    whole = original or tree_of_columns(tags, [word.brackets for word in words], forms)
    kept = [position for position, tag in enumerate(tags) if tag not in _MARKS]
    return TreebankSentence(
        name,
        [forms[position] for position in kept],
        [tags[position] for position in kept],
        _topped(cleaned(whole, _MARKS)),
        _topped(cleaned(original, _MARKS, functions=True)) if original else None,
        predicates_of(words, kept),
    )


def without_roles(documents: str, path: str) -> Callable[[SourcePaths], Splits]:
    """The converter of CRAFT or GUM: `documents`, a resource of names and splits, as files `path`.

    The trees are without traces, function tags and layout; citations are PRN, as in other
    treebanks. A word with spaces in it is written without them.
    """

    def convert(sources: SourcePaths) -> Splits:
        splits: Splits = {"train": [], "dev": []}
        for name, split in (line.split(" ") for line in resource_lines(documents)):
            text = read_text(sources[path.format(name)])
            text = _SPACED.sub(lambda leaf: f"({leaf[1]} {''.join(leaf[2].split())})", text)
            trees = filter(None, map(_plain, read_trees(text, name)))
            for number, tree in enumerate(trees, start=1):
                leaves = tree.leaves()
                words, tags = [str(leaf.word) for leaf in leaves], [leaf.label for leaf in leaves]
                sentence = TreebankSentence(f"{name}-{number:04d}", words, tags, tree, None, [])
                splits[split].append(sentence)
        return splits

    return convert


def _plain(tree: Tree) -> Tree | None:
    whole = cleaned(tree, {TRACE})
    if whole is None:
        return None
    for subtree in whole.subtrees():
        if not subtree.is_leaf:
            subtree.label = {"ROOT": TOP, "CIT": "PRN"}.get(subtree.label, subtree.label)
    return cleaned(dissolved(_topped(whole), *_LAYOUT), ())


def _topped(tree: Tree | None) -> Tree:
    """The same tree under one TOP, whether it had none, one or several."""
    assert tree is not None  # sentences of marks alone do not come here
    return dissolved(tree if tree.label == TOP else Tree(TOP, [tree]), TOP)
