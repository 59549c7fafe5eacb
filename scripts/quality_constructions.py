"""Constructions that are easily wrong, each with the one decision that matters.

tests/quality/constructions has a file per kind; a line is a sentence of tokens, a bar, and what
must be found in it:

    He made a cake . | frame made                  made is a predicate
    Was the king killed ? | role killed A1 the king
    The dog that bit me died . | arc died root     a word, its relation (without subtype), its head
    Swimming is fun . | arc Swimming csubj fun
    Merge branch dev | pos Merge VB
    FIRE IN LISBON | name LOC LISBON

`measure_quality.py --constructions` counts the sentences in which it is. No model learns from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import senna
from senna.files import open_text
from senna.model.folder import model_path
from senna.text.schemes import phrases_of

FILES = Path(__file__).resolve().parents[1] / "tests" / "quality" / "constructions"
TASKS = {"frame": "srl", "role": "srl", "arc": "dep", "pos": "pos", "name": "ner"}
HEADING = """\
| constructions | sentences | right |
|---|---:|---:|"""


class Item(NamedTuple):
    """A sentence and what must be found in it: the kind of it, and its words."""

    words: list[str]
    kind: str
    rest: list[str]


def read(path: Path) -> list[Item]:
    """The sentences of a file; SennaError, with the line, for what is not in its format."""
    with open_text(path) as file:
        return [item(line, f"{path}:{number}") for number, line in enumerate(file, start=1)]


def item(line: str, where: str) -> Item:
    """The sentence of a line."""
    sentence, _, decision = line.partition(" | ")
    kind, *rest = decision.split() or [""]
    words = sentence.split()
    labels = {"role": (1,), "arc": (1,), "pos": (1,), "name": (0,)}.get(kind, ())
    unknown = [word for i, word in enumerate(rest) if i not in labels and word not in words]
    if kind not in TASKS or not rest or unknown:
        what = f"{' '.join(unknown) or decision!r} is no decision about the sentence"
        raise senna.SennaError(what, where=where)
    return Item(words, kind, rest)


def right(item: Item, answers: Mapping[str, Any]) -> bool:
    """Whether the answers about a sentence, by task, have what must be found."""
    words, kind, (first, *rest) = item
    if kind == "pos":
        return bool(answers["pos"][words.index(first)] == rest[0])
    if kind == "name":
        spans = phrases_of(answers["ner"], "iobes")
        return (first, rest) in [(span.label, words[span.start : span.end]) for span in spans]
    place = words.index(first)
    if kind == "arc":
        head = words.index(rest[1]) + 1 if rest[1:] else 0
        arc = answers["dep"][place]
        return bool(arc.head == head and arc.relation.partition(":")[0] == rest[0])
    frames = {predicate.position: predicate.arguments for predicate in answers["srl"]}
    if kind == "frame":
        return place in frames
    found = [(a.label, words[a.start : a.end]) for a in frames.get(place, ())]
    return (rest[0], rest[1:]) in found


def report(models: Sequence[str], errors: bool) -> Iterator[str]:
    """A line for each kind, and with `errors` one for each sentence that is wrong.

    models: names or folders, in the place of the package's for the tasks that they have.
    """
    paths = {task: model_path(name) for name in models for task in senna.load(None, name).tasks}
    tasks = sorted({*TASKS.values()})
    own = {task: path for task, path in paths.items() if task in tasks}
    nlp = senna.load(tasks, own or None, predicates=paths.get("predicates", "auto"))
    yield HEADING
    for path in sorted(FILES.glob("*.txt")):
        items = read(path)
        answers = nlp.pipeline.annotate([item.words for item in items])
        rows = [{task: answers[task][i] for task in tasks} for i in range(len(items))]
        wrong = [item for item, row in zip(items, rows, strict=True) if not right(item, row)]
        yield f"| {path.stem.replace('-', ' ')} | {len(items)} | {len(items) - len(wrong)} |"
        if errors:
            for item in wrong:
                yield f"  {' '.join(item.words)} | {' '.join([item.kind, *item.rest])}"
