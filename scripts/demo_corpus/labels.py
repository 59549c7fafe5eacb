"""The label of a sentence, what kind of sentence it is, and its text as people write it."""

from __future__ import annotations

from demo_corpus.tree import Node

KINDS = {"FRAG": "title", "SBARQ": "question", "SQ": "question"}  # by the constituent below TOP
CLOSING = (",", ".", "?", "!", "''", "POS", ":")  # by tag or word: no space before it


def label_of(root: Node) -> str:
    """title, question, quotation, command or statement"""
    [top] = root.children
    if top.label in KINDS:
        return KINDS[top.label]
    if any(leaf.word == '"' for leaf in top.leaves()):
        return "quotation"
    subject = any(child.label in ("NP", "S") for child in top.children)
    return "statement" if subject else "command"


def running_text(root: Node) -> str:
    """The words, with spaces where people write them."""
    text, joined = "", True
    for leaf in root.leaves():
        closes = leaf.label in CLOSING or leaf.word in (*CLOSING, "n't")
        text += ("" if joined or closes else " ") + leaf.word
        joined = leaf.label == "``"
    return text
