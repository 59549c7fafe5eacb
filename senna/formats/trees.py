"""Trees in brackets, one per line, as `senna.text.trees` reads them."""

from __future__ import annotations

from senna.formats.base import Format, unbroken
from senna.text.trees import Tree, before_bracket


def bracketed(tree: Tree) -> str:
    """A tree in brackets, however deep; blanks in words are underscores."""
    parts: list[str] = []
    waiting: list[Tree | None] = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            parts[-1] += ")"
        elif node.word is not None:
            parts.append(f"({_plain(node.label)} {before_bracket(_plain(node.word))})")
        else:
            parts.append(f"({_plain(node.label)}")
            waiting += [None, *reversed(node.children)]
    return " ".join(parts)


def _plain(text: str) -> str:
    return unbroken(text).replace("(", "-LRB-").replace(")", "-RRB-")


FORMAT = Format(
    lambda line, answers, style: bracketed(answers["psg"]) + "\n",
    tasks=("psg",),
    needs=True,
    shows=("psg", "pos").__contains__,
)
