"""Trees in brackets: read, and written one per line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from senna.annotation.trees import TOP, Tree, bracketed, folded
from senna.errors import SennaError
from senna.pipeline.format import Format

_OPENED = re.compile(r"\(([^()*]+)")
_TOKEN = re.compile(r"[()]|[^()\s]+", re.ASCII)  # words may have a no-break space in them


def read_trees(text: str, name: str, line: int = 1) -> Iterator[Tree]:
    """The trees of a bracketed text, not numbered; line breaks mean nothing in it.

    `name` is the text's and `line` the number of its first line, for messages. Raises SennaError
    for unbalanced brackets, for words outside constituents, and for brackets with nothing in them.
    """
    stack: list[Tree] = []
    first = 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "(":
            first = first if stack else match.start()
            stack.append(Tree(""))
        elif not stack:
            raise _bad(f"{token!r} outside brackets", text, match.start(), name, line)
        elif token == ")":
            tree = stack.pop()
            if not tree.is_leaf and not tree.children:
                what = "the brackets are empty"
                raise _bad(what, text, match.start(), name, line)
            tree.label = tree.label or TOP
            if not stack:
                yield tree
            elif stack[-1].is_leaf:
                raise _bad("a word beside a constituent", text, match.start(), name, line)
            else:
                stack[-1].children.append(tree)
        elif not stack[-1].label and not stack[-1].children:
            stack[-1].label = token
        elif stack[-1].is_leaf or stack[-1].children:
            what = f"{token!r} beside another word or constituent"
            raise _bad(what, text, match.start(), name, line)
        else:
            stack[-1].word = token.replace("-LRB-", "(").replace("-RRB-", ")")
    if stack:
        what = f"{len(stack)} brackets of the tree that begins here are never closed"
        raise _bad(what, text, first, name, line)


def read_tree_lines(lines: Iterable[str], name: str) -> Iterator[tuple[int, Tree]]:
    """The trees of a file, as `read_trees`, each with the number of a line that it stands in.

    No more is read at a time than until all brackets are closed.
    """
    text, first, n_open = list[str](), 1, 0
    for number, line in enumerate(lines, start=1):
        text.append(line)
        n_open += line.count("(") - line.count(")")
        if n_open <= 0:
            yield from ((first, tree) for tree in read_trees("".join(text), name, first))
            text, first, n_open = [], number + 1, 0
    yield from ((first, tree) for tree in read_trees("".join(text), name, first))


def _bad(what: str, text: str, offset: int, name: str, line: int) -> SennaError:
    line += text.count("\n", 0, offset)
    remedy = "Trees look like (S (NP (PRP She)) ...), those with labels like (3 (2 She) ...)."
    return SennaError(what, where=f"{name}:{line}", remedy=remedy)


def dissolved(tree: Tree, *labels: str) -> Tree:
    """A copy in which the children of each constituent of these labels stand in its place.

    The root stays, whatever it is called.
    """

    def make(node: Tree, children: list[Tree]) -> Tree:
        kept: list[Tree] = []
        for child in children:
            inner = not child.is_leaf and child.label in labels
            kept += child.children if inner else [child]
        return Tree(node.label, kept, node.word)

    return folded(tree, make)


def tree_of_columns(tags: Sequence[str], cells: Sequence[str], words: Sequence[str]) -> Tree:
    """A tree from a column of brackets, such as `(S(NP*)`, `(VP*`, `*))`; `*` is the word.

    Raises SennaError for cells that are no brackets, and for a column that is not one tree.
    """
    root = Tree("")
    stack = [root]
    for tag, cell, word in zip(tags, cells, words, strict=True):
        opened, star, closed = cell.partition("*")
        for label in _OPENED.findall(opened):
            stack.append(Tree(label))
            stack[-2].children.append(stack[-1])
        if not star or closed.strip(")") or len(closed) >= len(stack) or len(stack) == 1:
            raise SennaError(f"{cell!r} does not fit a column of brackets")
        stack[-1].children.append(Tree(tag, word=word))
        del stack[len(stack) - len(closed) :]
    if len(stack) > 1 or len(root.children) != 1:
        raise SennaError(f"the column of brackets is {len(root.children)} trees, expected one")
    return root.children[0]


FORMATS = {
    "trees": Format(
        lambda line, answers, options: bracketed(answers["psg"]) + "\n",
        about="one tree per line",
        tasks=("psg",),
        needs=True,
        shows=("psg", "pos").__contains__,
    ),
}
