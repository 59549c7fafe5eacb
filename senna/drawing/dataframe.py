"""Documents as tables of pandas: see `Document.to_dataframe`."""

from __future__ import annotations

from typing import Any

from senna.annotation.predicates import Predicate
from senna.decoding.requests import Scored
from senna.document.document import Document
from senna.document.serialise import Rows
from senna.errors import SennaError
from senna.kinds import output_of
from senna.kinds.answer import Annotation

TABLES = ("tokens", "spans")
NUMBERS = ("sentence", "head", "token", "start", "end", "first", "last")  # columns of whole numbers
SPAN_COLUMNS = "task label text start end sentence first last predicate".split()


def to_dataframe(doc: Document, of: str) -> Any:
    rows, answers = doc.rows, doc.answers
    if of not in TABLES:
        raise SennaError(f"no table of {of!r}", remedy=f"Choose {' or '.join(TABLES)}.")
    try:
        import pandas
    except ImportError:
        raise SennaError("tables need pandas", remedy="pip install pandas") from None
    if of == "tokens":
        values = _values(rows, answers)
        cells = [
            (i, k, *token, *(column[i][k] for column in values.values()))
            for i, row in enumerate(rows)
            for k, token in enumerate(row)
        ]
        columns = ["sentence", "token", "text", "start", "end", *values]
        return _typed(pandas.DataFrame(cells, columns=columns))
    scores = any(_has_scores(answer) for of_task in answers.values() for answer in of_task)
    table = pandas.DataFrame(_span_rows(doc.text, rows, answers), columns=[*SPAN_COLUMNS, "score"])
    table = _typed(table)
    return table if scores else table.drop(columns="score")


def _typed(table: Any) -> Any:
    """The table with the same types of columns however many rows it has."""
    import pandas

    text = pandas.Series(["a"]).dtype
    kinds = {name: "int64" for name in NUMBERS if name in table}
    kinds |= {name: "Int64" for name in ("predicate",) if name in table}  # some are missing
    kinds |= {name: "float64" for name in table if str(name).endswith("score")}
    return table.astype({name: kinds.get(name, text) for name in table})


def _values(rows: Rows, answers: Annotation) -> dict[str, Any]:
    """The columns of values of tokens: tags, heads, and scores if there are any, by sentence."""
    columns: dict[str, Any] = {}
    for task, of_task in answers.items():
        kind = output_of(task).kind
        if kind == "dependencies":
            columns["head"] = [[arc.head for arc in arcs] for arcs in of_task]
            columns["deprel"] = [[arc.relation for arc in arcs] for arcs in of_task]
        elif kind == "labels":
            columns[task] = [
                [str(label)] * len(row) for label, row in zip(of_task, rows, strict=True)
            ]
        elif kind not in ("roles", "trees"):
            columns[task] = of_task
        scores = [getattr(answer, "scores", []) for answer in of_task]
        if kind != "labels" and any(scores):
            columns[f"{task}_score"] = scores
    return columns


def _has_scores(answer: Any) -> bool:
    if isinstance(answer, Scored):
        return bool(answer.scores)
    return isinstance(answer, list) and any(
        _has_scores(predicate.tags) for predicate in answer if isinstance(predicate, Predicate)
    )


def _span_rows(text: str, rows: Rows, answers: Annotation) -> list[tuple[Any, ...]]:
    table = []
    for i, row in enumerate(rows):
        for task, of_task in answers.items():
            answer = of_task[i]
            for span in output_of(task).spans(answer):
                first, last, label = span.phrase
                start, end = row[first].start, row[last - 1].end
                place = (text[start:end], start, end, i, first, last, span.predicate)
                table.append((task, label, *place, span.score(answer)))
    return table
