"""Views of sentences on the page, each an `article`: drawings as in HTML, tables, two models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from senna.annotation.predicates import VERB
from senna.decoding.requests import Scored
from senna.drawing.html import article, figure, titled
from senna.drawing.parts import LabelRow, Parts, label_rows, rows_of
from senna.drawing.svg import safe
from senna.kinds import output_of
from senna.kinds.answer import Annotation, Answers, Line, of_sentence
from senna.tasks import ROLES, TAGGING, TASKS

WORTH = 0.05  # the least probability of a next best tagging that is shown
ARCS = "dependencies"  # the kind of output that is drawn as arcs
USUAL = tuple(name for name in TASKS if not TASKS[name].hidden)
NAMES = tuple(name for name in TASKS if TASKS[name].names)


class View(NamedTuple):
    """A view of the page: its name, a line on it, the tasks that are shown if a model has them."""

    called: str
    about: str
    tasks: tuple[str, ...]
    usual: tuple[str, ...] = USUAL  # those of the package's models that are shown, if any of them


VIEWS = {
    "names": View("Names", "Names of people, places, organisations and others.", NAMES),
    "roles": View(
        "Roles",
        "Who did what to whom: a row for each verb, with its arguments.",
        tuple(name for name in TASKS if TASKS[name].head == "roles"),
    ),
    "tree": View(
        "Tree",
        "Each sentence as nested phrases; in rows if it is long.",
        tuple(name for name in TASKS if TASKS[name].head == "trees"),
    ),
    "arcs": View(
        "Dependencies",
        "An arrow from each word to those that depend on it, with the relation.",
        tuple(name for name in TASKS if TASKS[name].output == ARCS),
    ),
    "table": View(
        "Table",
        "A row per word: where it starts, its tags, and its role for each verb.",
        tuple(TASKS),
        (*USUAL, "lemma", "upos", "dep"),
    ),
    "confidence": View(
        "Confidence",
        "How probable each tag is: the darker, the more doubtful. Below it, the next best choice.",
        TAGGING,
    ),
    "compare": View(
        "Compare", "The tags of two models; those that differ are outlined.", tuple(TASKS)
    ),
}


def drawn(view: str, lines: Sequence[Line], found: Annotation, width: float) -> str:
    """Sentences in a view; drawings are `width` pixels wide."""
    own = {"table": _table, "confidence": _confidence}.get(view)
    pairs = ((line, of_sentence(found, i)) for i, line in enumerate(lines))
    if own is None:
        return "".join(article(line.text, line.tokens, own_, width) for line, own_ in pairs)
    return "".join(f"<article>{own(line, answers)}</article>\n" for line, answers in pairs)


# --------------------------------------------------------------------------- the table


def _table(line: Line, answers: Answers) -> str:
    """The tokens of a sentence with a column for each task, and for each predicate."""
    begin = [str(token.start) for token in line.tokens]
    columns = [list(map(str, range(1, len(begin) + 1))), line.words, begin]
    names, tasks = ["", "word", "start"], [""] * 3
    for task, answer in answers.items():
        own = output_of(task).columns(line.words, answer, "iobes")
        rows = rows_of(line.words, task, answer)
        columns += own
        of_words = ["head", task] if TASKS[task].output == ARCS else [task, *(r.name for r in rows)]
        names += of_words[: len(own)]
        tasks += [task] * len(own)
    head = "".join(f'<th scope="col">{safe(name)}</th>' for name in names)
    rows_ = "".join(_row(row, tasks) for row in zip(*columns, strict=True))
    return f"<table><tr>{head}</tr>{rows_}</table>"


def _row(cells: Sequence[str], tasks: Sequence[str]) -> str:
    parts = [
        f"<td{titled(cell, task)}>{safe(cell)}</td>"
        for cell, task in zip(cells, tasks, strict=True)
    ]
    parts[1] = f'<th scope="row">{safe(cells[1])}</th>'
    return f"<tr>{''.join(parts)}</tr>"


# --------------------------------------------------------------------------- confidence


def _confidence(line: Line, answers: Answers) -> str:
    """Each word above its tags, the less probable the darker; what else the tags might be."""
    scored = {task: tags for task, tags in answers.items() if isinstance(tags, Scored)}
    columns = [
        f"<b>{safe(word)}</b>" + "".join(_shade(task, tags, i) for task, tags in scored.items())
        for i, word in enumerate(line.words)
    ]
    cells = "".join(f"<span>{column}</span>" for column in columns)
    next_best = "".join(_next_best(line, task, tags) for task, tags in scored.items())
    return f'<div class="q" role="group" aria-label="{", ".join(scored)}">{cells}</div>{next_best}'


def _shade(task: str, tags: Scored, i: int) -> str:
    score = tags.scores[i] if tags.scores else 1.0
    doubt = min(int((1 - score) * 10), 9)
    return (
        f'<i class="q{doubt}"{titled(tags[i], task)}>{safe(tags[i])} <small>{score:.2f}</small></i>'
    )


def _next_best(line: Line, task: str, tags: Scored) -> str:
    """The second of the best taggings, by the words that it tags otherwise, if it is probable."""
    if len(tags.paths) < 2 or tags.paths[1].score < WORTH:
        return ""
    best, other = tags.paths[:2]
    changes = ", ".join(
        f"{safe(new)} in place of {safe(tag)} for <b>{safe(word)}</b>"
        for word, tag, new in zip(line.words, best.tags, other.tags, strict=True)
        if tag != new
    )
    return (
        f'<p class="next">{safe(TASKS[task].about)}: the tags together have a probability of '
        f"{best.score:.2f}; the next best ({other.score:.2f}) have {changes}.</p>"
    )


# --------------------------------------------------------------------------- two models


def compared(
    lines: Sequence[Line], one: Annotation, other: Annotation, names: tuple[str, str], width: float
) -> str:
    """The answers of two models for the same sentences: rows in pairs, differences marked."""
    parts = []
    for i, line in enumerate(lines):
        rows = [
            (*_place(row), row._replace(name=f"{row.name} {name}"))
            for name, found in zip(names, (one, other), strict=True)
            for row in label_rows(line.words, {task: found[task][i] for task in one})
        ]
        rows.sort(key=lambda placed: placed[:3])  # rows of one place stay in order
        seen = Counter((*place, phrase) for *place, row in rows for phrase in row.phrases)
        different = frozenset(
            (k, phrase)
            for k, (*place, row) in enumerate(rows)
            for phrase in row.phrases
            if seen[(*place, phrase)] == 1
        )
        figure_ = figure(Parts(line.words, [r for *_, r in rows], [], [], different), width)
        n = len({phrase[:2] for _, phrase in different})
        said = f'<p class="diff">{n} difference{"s" * (n > 1)}</p>' if n else ""
        parts.append(f'<article><p dir="auto">{safe(line.text)}</p>{figure_}{said}</article>\n')
    return "".join(parts)


def _place(row: LabelRow) -> tuple[int, int, str]:
    """The key by which rows of two models are paired: of a predicate its word."""
    verbs = [phrase.start for phrase in row.phrases if phrase.label == VERB]
    verb = verbs[0] if row.task == ROLES and verbs else 0
    return list(TASKS).index(row.task), verb, row.name
