"""A parse tree per sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from senna.annotation.schemes import NO_LABEL, Phrase
from senna.annotation.trees import TRACE, Tree, brackets, cells_of_tree, cleaned, folded, numbered
from senna.errors import SennaError
from senna.kinds.answer import (
    Columns,
    DocumentError,
    Gold,
    Labelled,
    Line,
    Measure,
    Output,
    Record,
    label,
    moved,
    whole,
)
from senna.registry import SCORERS

if TYPE_CHECKING:
    from senna.text.tokens import Tokens

LARGEST = 500  # words of a tree: learning from it takes time with the cube of them


class TreeOutput(Output):
    """Answers are trees; until the parts of speech are there, lists of their constituents."""

    fields: ClassVar[Record] = {"tree": str}
    kind = "trees"

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        """Trees without traces and functions."""
        for sentence in gold:
            if len(sentence.forms) > LARGEST:
                n = len(sentence.forms)
                what = f"a tree of {n} words, at most {LARGEST} can be learnt from"
                raise SennaError(what, where=f"{name}:{sentence.line}")
        return [sentence._replace(answer=cleaned(sentence.answer, {TRACE})) for sentence in gold]

    def targets(
        self, answer: Tree, n: int, tree: Sequence[Phrase] | None = None
    ) -> tuple[list[list[str]], list[Phrase]]:
        return [], brackets(answer)

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        """The labels of constituents, that of none first."""
        return [NO_LABEL, *sorted({*seen} - {NO_LABEL})]

    def measure(self, gold: Sequence[Tree], predicted: Sequence[Tree]) -> Measure:
        """F1 of brackets, as evalb counts them."""
        return Measure("F1", SCORERS["evalb"].f1(gold, predicted))

    def join(
        self, parts: Sequence[list[Phrase]], starts: Sequence[int], n: int, given: bool
    ) -> list[Phrase]:
        return moved(parts, starts)

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

    def spans(self, answer: Tree) -> Iterator[Labelled]:
        for node in answer.subtrees():
            if not node.is_leaf and node.start < node.end:
                yield Labelled(Phrase(node.start, node.end, node.label))


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
