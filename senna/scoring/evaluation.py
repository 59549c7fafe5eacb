"""Evaluating tagged sentences of a task: which scorer, which reading of the tags, what to print."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from senna.scoring import accuracy, conlleval
from senna.scoring.confusion import (
    Confusion,
    confusion,
    error_entries,
    error_list,
    phrase_pairs,
    table,
    table_entries,
    tag_pairs,
)
from senna.scoring.tagged import TaggedSentence

TASKS = ("pos", "chunk", "ner")


@dataclass(frozen=True)
class Evaluation:
    """What came of evaluating a task.

    `figures` are phrase scores, or word accuracy for pos; `iobes` names the columns that were read
    as IOBES; `confusion` is there where it was asked for.
    """

    task: str
    figures: conlleval.Scores | accuracy.Accuracy
    iobes: tuple[str, ...] = ()
    confusion: Confusion | None = None


def evaluate(
    sentences: Iterable[TaggedSentence],
    task: str,
    *,
    as_is: bool = False,
    phrases: bool | None = None,
    with_confusion: bool = False,
    known: frozenset[str] | None = None,
    form: Callable[[str], str] = str,
) -> Evaluation:
    """Score the predicted tags of `sentences` against their gold tags.

    `phrases` says whether to score phrases, as for all tasks but pos unless told otherwise. Columns
    in IOBES are then read as such; with `as_is` all are read as conlleval reads them, and sentences
    are scored one by one without being held in memory. For word accuracy see
    `senna.scoring.accuracy.score_words`, also about `known` and `form`. Raises SennaError for tags
    that do not belong in a column of IOBES.
    """
    if phrases is None:
        phrases = task != "pos"
    iobes: tuple[str, ...] = ()
    if phrases and not as_is:
        sentences = list(sentences)
        iobes = conlleval.iobes_columns(sentences)
        if iobes:
            sentences = conlleval.bring_to_iob2(sentences, iobes)
    if with_confusion:
        sentences = list(sentences)
    figures: conlleval.Scores | accuracy.Accuracy
    if phrases:
        figures = conlleval.score(sentences)
    else:
        figures = accuracy.score_words(sentences, known, form)
    pairs = phrase_pairs if phrases else tag_pairs
    return Evaluation(task, figures, iobes, confusion(sentences, pairs) if with_confusion else None)


def as_text(
    evaluation: Evaluation, *, latex: bool = False, with_table: bool = False, errors: int = 0
) -> str:
    """The report, conlleval's to the byte for phrases; then the table, then the errors, if asked.

    `latex` concerns phrase scores alone. Bytes that were no UTF-8 are lone surrogates.
    """
    figures = evaluation.figures
    if isinstance(figures, accuracy.Accuracy):
        text = accuracy.report(figures)
    else:
        text = conlleval.latex(figures) if latex else conlleval.report(figures)
    if evaluation.confusion is not None:
        if with_table:
            text += "\n" + table(evaluation.confusion)
        if errors:
            text += "\n" + error_list(evaluation.confusion, errors)
    return text


def as_json(evaluation: Evaluation, *, with_table: bool = False, errors: int = 0) -> str:
    """The same figures as one JSON object, ended by a line feed."""
    figures = evaluation.figures
    if isinstance(figures, accuracy.Accuracy):
        entries = accuracy.as_dict(figures)
    else:
        entries = conlleval.as_dict(figures)
    result: dict[str, object] = {"task": evaluation.task, **entries}
    if evaluation.iobes:
        result["read_as_iobes"] = list(evaluation.iobes)
    if evaluation.confusion is not None:
        if with_table:
            result["confusion"] = table_entries(evaluation.confusion)
        if errors:
            result["errors"] = error_entries(evaluation.confusion, errors)
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"
