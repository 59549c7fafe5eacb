"""A parse tree per sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from senna.annotation.schemes import NO_LABEL, Phrase
from senna.annotation.trees import (
    TRACE,
    Tree,
    brackets,
    cells_of_tree,
    cleaned,
    constituents,
    folded,
    leaves_of,
    numbered,
    read_tree_lines,
    tree_of,
    words_of,
)
from senna.errors import SennaError
from senna.kinds.answer import (
    Columns,
    DocumentError,
    Gold,
    GoldOptions,
    Labelled,
    LabelRow,
    Line,
    Output,
    Record,
    label,
    moved,
    whole,
)
from senna.registry import SCORERS

if TYPE_CHECKING:
    from senna.kinds.figures import Scores
    from senna.kinds.work import Work
    from senna.text.tokenizer import Tokens

LARGEST = 500  # words of a tree: learning from it takes time with the cube of them


class TreeOutput(Output):
    """Answers are trees; until the parts of speech are there, lists of their constituents."""

    fields: ClassVar[Record] = {"tree": str}
    gives = "trees"
    drawn_as = "tree"
    mark = "*"
    suffix = "mrg"

    def read(self, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
        """Bracketed trees, one or several on a line or over lines; traces are no words."""
        if how.columns:
            raise SennaError("trees have no columns to be named", where=name)
        for line, tree in read_tree_lines(lines, name):
            words = words_of(tree)
            if words:
                tags = {"pos": [word.label for word in words]}
                yield Gold([str(word.word) for word in words], tree, tags, name, line)

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        """Trees without traces and functions."""
        for sentence in gold:
            if len(sentence.forms) > LARGEST:
                n = len(sentence.forms)
                what = f"a tree of {n} words, at most {LARGEST} can be learnt from"
                raise SennaError(what, where=f"{name}:{sentence.line}")
        return [sentence._replace(answer=cleaned(sentence.answer, {TRACE})) for sentence in gold]

    def brackets(self, answer: Tree, n: int, tree: Sequence[Phrase] | None = None) -> list[Phrase]:
        return brackets(answer)

    def vocabulary(self, answers: Iterable[Tree]) -> list[str]:
        """The labels of constituents, that of none first."""
        labels = {bracket.label for answer in answers for bracket in brackets(answer)}
        return [NO_LABEL, *sorted(labels - {NO_LABEL})]

    # ------------------------------------------------------------------------- scores

    def percent(self, gold: Sequence[Tree], predicted: Sequence[Tree]) -> float:
        """F1 of brackets, as evalb counts them."""
        pairs = map(_compared, gold, predicted)
        scores: Scores = SCORERS["evalb"].score(pairs, warn=lambda line: None)
        return scores.overall.f1

    def read_pairs(self, gold: str, predicted: str | None, work: Work) -> Iterator[Any]:
        """Two files of trees."""
        both = work.two_files(gold, predicted, "trees", self.suffix, "surrogateescape")
        with both as (lines, others, names):
            yield from SCORERS["evalb"].read_pairs(lines, others, names, work.notes.append)

    def pair(self, gold: Gold, predicted: Tree) -> Any:
        return _compared(gold.answer, predicted)

    def score(self, pairs: Iterable[Any], work: Work) -> Scores:
        """The report of evalb."""
        scores: Scores = SCORERS["evalb"].score(pairs, work.notes.append)
        return scores

    def join(
        self, parts: Sequence[list[Phrase]], starts: Sequence[int], n: int, given: bool
    ) -> list[Phrase]:
        return moved(parts, starts)

    def complete(
        self, answer: list[Phrase], forms: Sequence[str], others: Mapping[str, Any]
    ) -> Tree:
        """The tree of constituents over words with their parts of speech."""
        return tree_of(answer, leaves_of(forms, others["pos"]))

    # ------------------------------------------------------------------------- output

    def columns(self, words: Sequence[str], answer: Tree, scheme: str) -> Columns:
        """Brackets, whatever the scheme."""
        return [cells_of_tree(answer)]

    def write(self, record: Record, task: str, line: Line, answer: Tree, scheme: str) -> None:
        record["tree"] = _nested(line, answer)

    def parse(self, record: Record, task: str, tokens: Tokens) -> Tree:
        tree = numbered(_tree(record["tree"], tokens))
        if [leaf.word for leaf in tree.leaves()] != [token.text for token in tokens]:
            raise DocumentError("a tree of other words than the sentence's")
        return tree

    def flatten(self, record: Record, answer: Tree) -> None:
        record["tree"] = str(answer)

    def label_rows(self, words: Sequence[str], task: str, answer: Tree) -> list[LabelRow]:
        """A row for each level, without the root's."""
        rows: list[LabelRow] = []
        level = answer.children
        while level := [node for node in level if not node.is_leaf]:
            phrases = [Phrase(node.start, node.end, node.label) for node in level]
            rows.append(LabelRow("" if rows else task, task, phrases))
            level = [child for node in level for child in node.children]
        return rows

    def spans(self, answer: Tree) -> Iterator[Labelled]:
        for node in answer.subtrees():
            if not node.is_leaf and node.start < node.end:
                yield Labelled(Phrase(node.start, node.end, node.label))


def _compared(gold: Tree, predicted: Tree) -> Any:
    """Gold's parts of speech say what is punctuation: otherwise slips of tags would be errors.

    Such a slip is a wrong tag.
    """
    left_out, leaves = SCORERS["evalb"].LEFT_OUT, []
    for word, leaf in zip(words_of(gold), predicted.leaves(), strict=True):
        tag = "" if leaf.label in left_out else leaf.label
        label = word.label if word.label in left_out else tag
        leaves.append(Tree(label, word=word.word))
    return [gold], [tree_of(constituents(predicted), leaves)], (0, 0)


def _nested(line: Line, tree: Tree) -> Record:
    """A constituent for JSON: label, place and parts; a word has its part of speech and index."""

    def make(node: Tree, children: list[Record]) -> Record:
        if node.is_leaf:
            return {"label": node.label, "index": node.start}
        start, end = line.place(node.start, node.end)
        return {
            "label": node.label, "first": node.start, "last": node.end,
            "start": start, "end": end, "children": children,
        }  # fmt: skip

    return folded(tree, make)


def _tree(record: Record, tokens: Tokens) -> Tree:
    """The tree of a record, however deep."""
    top = Tree("")
    waiting = [(record, top)]
    while waiting:
        node, parent = waiting.pop()
        if "children" in node:
            parent.children.append(Tree(label(node["label"])))
            waiting += [(child, parent.children[-1]) for child in reversed(node["children"])]
        else:
            word = tokens[whole(node["index"])].text
            parent.children.append(Tree(label(node["label"]), word=word))
    return top.children[0]


OUTPUTS = {"trees": TreeOutput()}
