"""Treebanks: EWT and MASC with PropBank's roles, GUM without roles.

PropBank's skeleton files have tags, trees and roles of a treebank whose words are hidden. One word
per line in columns: document, sentence, word number, `[WORD]`, part of speech, brackets of the
tree, lemma, roleset, and one column of roles per predicate, `(ARG0*`, `*`, `*)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from senna.annotation.schemes import Phrase
from senna.annotation.trees import TOP, TRACE, Tree, cleaned
from senna.corpora.catalogue import resource_lines
from senna.corpora.sources.ud import tagged_documents
from senna.corpora.tagged import SourcePaths, read_text
from senna.errors import SennaError
from senna.formats.brackets import dissolved, read_trees, tree_of_columns

_OPENED = re.compile(r"\(([^()*]+)")
# These are auxiliaries and no predicates of their own; none of them has a role.
_AUXILIARIES = frozenset("do.01 have.01 have.02 go.04 use.03".split())


class SkeletonRow(NamedTuple):
    """One line of a skeleton file."""

    tag: str
    brackets: str
    roleset: str  # "-" where there is none
    roles: tuple[str, ...]  # a cell for each predicate of the sentence


class PropBankPredicate(NamedTuple):
    """A predicate and its arguments, named as in CoNLL-2005."""

    position: int
    roleset: str
    kind: str  # v, be, aux, lv (light verb), n, a; "-" for other parts of speech
    roles: list[Phrase]  # in order, without overlap; V is the predicate's own word


def read_skeleton(text: str, name: str) -> list[list[SkeletonRow]]:
    """The sentences of a skeleton file; `name` is the file's, for messages."""
    sentences: list[list[SkeletonRow]] = [[]]
    for number, line in enumerate(text.split("\n"), start=1):
        cells = line.split()
        if not cells:
            sentences.append([])
        elif len(cells) < 8:
            raise SennaError(f"{len(cells)} columns, expected 8 or more", where=f"{name}:{number}")
        else:
            sentences[-1].append(SkeletonRow(cells[4], cells[5], cells[7], tuple(cells[8:])))
    return [sentence for sentence in sentences if sentence]


def predicates_of(words: Sequence[SkeletonRow], kept: Sequence[int]) -> list[PropBankPredicate]:
    """The predicates of a sentence from left to right, with positions among the words `kept`.

    A predicate that is not kept is left out, and so is a second one on the same word. Raises
    SennaError when the words differ in their number of columns.
    """
    if len({len(word.roles) for word in words}) > 1:
        raise SennaError("the words of a sentence have different numbers of columns")
    places = {old: new for new, old in enumerate(kept)}
    predicates: dict[int, PropBankPredicate] = {}
    for column in zip(*(word.roles for word in words), strict=True):
        predicate = _predicate(words, _outer_spans(column))
        if predicate and (position := places.get(predicate.position)) is not None:
            roles = _moved(predicate.roles, places)
            predicates.setdefault(position, predicate._replace(position=position, roles=roles))
    return [predicates[position] for position in sorted(predicates)]


def _outer_spans(cells: Sequence[str]) -> list[Phrase]:
    """The spans of a column of roles; those within another one are left out."""
    spans = []
    opened: list[tuple[int, str]] = []
    for position, cell in enumerate(cells):
        before, _, after = cell.partition("*")
        opened += [(position, role) for role in _OPENED.findall(before)]
        for _ in after:
            start, role = opened.pop()
            if not opened:
                spans.append(Phrase(start, position + 1, role_name(role)))
    return spans


def role_name(role: str) -> str:
    """A role as CoNLL-2005 wrote it: ARGM-TMP is AM-TMP, R-ARG0 is R-A0, ARG1-DSP is A1."""
    prefix = role[:2] if role.startswith(("C-", "R-")) else ""
    name = role[len(prefix) :]
    if name.startswith("ARGM"):
        return f"{prefix}AM{name[4:]}"
    if name.startswith("ARGA"):
        return f"{prefix}AA"
    return f"{prefix}A{name[3]}" if name.startswith("ARG") else role


def _predicate(words: Sequence[SkeletonRow], spans: Sequence[Phrase]) -> PropBankPredicate | None:
    """The predicate of a column's spans; its V is made one word, the others become C-V.

    The roleset may stand on another word: of a V of several words (a verb and its particle) on any
    of them, of a light verb on its noun, a C-V: "[V made] a [C-V remark]". None where no word can
    be recognised as the predicate.
    """
    verbs = [span for span in spans if span.label == "V"]
    if len(verbs) != 1:
        return None
    start, end, _ = verbs[0]
    bearers = [i for i in range(start, end) if words[i].roleset != "-"]
    elsewhere = not bearers
    if elsewhere:
        parts = [span for span in spans if span.label == "C-V"]
        bearers = [i for s, e, _ in parts for i in range(s, e) if words[i].roleset != "-"]
        if end - start > 1 or len(bearers) != 1:
            return None
    bearer = bearers[-1]
    verb = start if elsewhere or words[start].tag.startswith("VB") else bearer
    roles = [span for span in spans if span.label != "V"] + [Phrase(verb, verb + 1, "V")]
    if verb + 1 < end:
        roles.append(Phrase(verb + 1, end, "C-V"))
    kind = kind_of(words[bearer].roleset, words[verb].tag)
    if kind == "v" and bearer != verb and words[bearer].tag.startswith("NN"):
        kind = "lv"
    return PropBankPredicate(verb, words[bearer].roleset, kind, roles)


def kind_of(roleset: str, tag: str) -> str:
    if not tag.startswith("VB"):
        return {"N": "n", "J": "a"}.get(tag[0], "-")
    if roleset.startswith("be.0"):
        return "be"
    if roleset in _AUXILIARIES:
        return "aux"
    return "lv" if roleset.endswith(".LV") else "v"


def _moved(roles: Sequence[Phrase], places: dict[int, int]) -> list[Phrase]:
    """Roles with new positions; those without words go, and C-X is X where no X stands before."""
    moved = []
    for start, end, role in roles:
        inside = [places[position] for position in range(start, end) if position in places]
        if inside:
            moved.append(Phrase(inside[0], inside[-1] + 1, role))
    moved.sort()
    seen: set[str] = set()
    for i, span in enumerate(moved):
        if span.label.startswith("C-") and span.label[2:] not in seen:
            moved[i] = span._replace(label=span.label[2:])
        seen.add(moved[i].label)
    return moved


_MARKS = frozenset(["CODE", "SU"])  # the transcribers' marks in MASC's speech are no words
# What the names of MASC's original trees have and those of the skeletons lack.
_NAME_PARTS = re.compile(r"\.mrg|\.txt|-NEW|-UTF16|\.ascii-1")
_SPACED = re.compile(r"\(([^\s()]+)\s+([^\s()][^()]*)\)")  # a leaf, its word perhaps with spaces
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
            for name, document in tagged_documents(read_text(sources[split])).items()
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


def gum(sources: SourcePaths) -> Splits:
    """The trees of GUM, without traces and function tags; a word with spaces is written without."""
    splits: Splits = {"train": [], "dev": []}
    for name, split in (line.split(" ") for line in resource_lines("corpora/gum-documents.txt")):
        text = read_text(sources[f"const/{name}.ptb"])
        text = _SPACED.sub(lambda leaf: f"({leaf[1]} {''.join(leaf[2].split())})", text)
        trees = filter(None, map(_plain, read_trees(text, name)))
        for number, tree in enumerate(trees, start=1):
            leaves = tree.leaves()
            words, tags = [str(leaf.word) for leaf in leaves], [leaf.label for leaf in leaves]
            sentence = TreebankSentence(f"{name}-{number:04d}", words, tags, tree, None, [])
            splits[split].append(sentence)
    return splits


def _plain(tree: Tree) -> Tree | None:
    whole = cleaned(tree, {TRACE})
    if whole is None:
        return None
    for subtree in whole.subtrees():
        if not subtree.is_leaf and subtree.label == "ROOT":
            subtree.label = TOP
    return cleaned(_topped(whole), ())


def _topped(tree: Tree | None) -> Tree:
    assert tree is not None  # sentences of marks alone do not come here
    return dissolved(tree if tree.label == TOP else Tree(TOP, [tree]), TOP)
