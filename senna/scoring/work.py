"""Options of a scorer, and its additions to the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict


class ScoreOptions(TypedDict, total=False):
    """How to read, score and print, where not as usual. Not every option goes with every task."""

    as_is: bool  # read all tags as conlleval does, IOBES and brackets too
    raw: bool  # tags are bare types, each token per phrase
    outside: str  # the tag outside phrases with raw, in addition to O
    delimiter: str | None  # what separates columns, a regular expression
    merge_to: bool  # count IN and TO as one tag of the word "to"
    predicates: str  # whose roles a model finds: "gold" (the default), or as `senna tag`
    kinds: str  # of gold predicates, as "v,n"; "all"; the default is "v"
    columns: str  # names of the columns before gold roles, as "word,-,predicate"
    levels: str  # a file of the gold sentences' levels of trees, for a model that reads them
    from_text: bool  # split the text of gold sentences anew into sentences and words
    case: str | None  # how a model is given the words: "upper", "lower", "title" (headlines)
    memory: bool  # whether a document's names help a model to see them again; True by default
    latex: bool  # make the report a LaTeX table
    confusion: bool  # add a table of gold types by predicted types to the report
    relaxed: bool  # add the measures of SemEval 2013 to the report
    errors: int  # add so many of the commonest errors


@dataclass
class Work:
    """One evaluation: its options, and what scorers add to the report."""

    task: str
    options: ScoreOptions
    known: frozenset[str] | None = None  # the words that the model has seen
    labels: str = ""  # the names that the model has for labels of files
    notes: list[str] = field(default_factory=list)
    text: str = ""  # after the report
    tables: dict[str, object] = field(default_factory=dict)  # the same in JSON


def shown(file: str) -> str:
    """The name of a file in messages."""
    return "<stdin>" if file == "-" else file
