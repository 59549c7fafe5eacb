"""Documents as plain dictionaries, for JSON and back, and as tables of pandas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from senna.errors import SennaError
from senna.infer.confidence import Path, Scored
from senna.infer.pipeline import Annotation
from senna.outputs import output_of
from senna.tasks import TASKS, in_order, task_of
from senna.text.roles import VERB, Predicate
from senna.text.schemes import Phrase, phrases_of, tags_of
from senna.text.tokenizer import Token
from senna.text.trees import Tree, numbered
from senna.writing.output import Entries, Line, entries

if TYPE_CHECKING:
    from senna.document.document import Document, Sentence, Span

TABLES = ("tokens", "spans")
TINY = 1e-9  # a probability that was written as 0


def to_dict(doc: Document) -> dict[str, Any]:
    """Text, names of the tasks, and of each sentence what `senna tag --format jsonl` has."""
    lines = [Line(s.text, s.start, own) for s, own in zip(doc, doc.rows, strict=True)]
    made = list(entries(lines, doc.found, "iobes"))
    return {"text": doc.text, "tasks": list(doc.found), "sentences": made}


def from_dict(made: Any) -> tuple[str, list[list[Token]], Annotation]:
    """What the document is made of that `to_dict` was given."""
    try:
        text, tasks = made["text"], in_order(task_of(name).name for name in made["tasks"])
        rows = [_tokens(own, len(text)) for own in made["sentences"]]
        both = list(zip(rows, made["sentences"], strict=True))
        found = {task: [_found(task, row, own) for row, own in both] for task in tasks}
    except SennaError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise _no_document(f"{type(error).__name__}: {error}") from None
    return text, rows, found


def _no_document(why: str) -> SennaError:
    return SennaError(f"no document ({why})", mend="Give what doc.to_dict() or to_json() made.")


def _tokens(made: Entries, end: int) -> list[Token]:
    """The tokens of a sentence; they must lie in the text, one after another."""
    tokens = [Token(str(own["text"]), own["start"], own["end"]) for own in made["tokens"]]
    places = [place for token in tokens for place in token[1:]]
    starts = [token.start for token in tokens]
    if starts != sorted(starts) or not all(type(p) is int and 0 <= p <= end for p in places):
        raise _no_document("tokens that are not in its text, or not in order")
    return tokens


def _found(task: str, tokens: Sequence[Token], made: Entries) -> Any:
    """What was found of a task in a sentence."""
    n, output = len(tokens), output_of(task).gives
    if output == "roles":
        return [_predicate(own, n) for own in made["predicates"]]
    if output == "trees":
        tree = numbered(_tree(made["tree"], tokens))
        if [leaf.word for leaf in tree.leaves()] != [token.text for token in tokens]:
            raise _no_document("a tree of other words than the sentence's")
        return tree
    tags = list(map(str, made["tags"][task]))
    if len(tags) != n:
        raise _no_document(f"{len(tags)} tags of {n} tokens")
    phrases = phrases_of(tags, "iobes") if output == "phrases" else []  # refuses what is none
    scores = made.get("scores", {}).get(task)
    paths = [Path(own["score"], own["tags"]) for own in made.get("nbest", {}).get(task, [])]
    if scores is None and not paths:
        return tags
    spans = made["spans"][task] if phrases and scores is not None else []
    found = _scored(tags, scores or [], phrases, [own["score"] for own in spans])
    found.n_best, found.paths = max(len(paths), 1), paths
    return found


def _scored(
    tags: list[str], scores: list[float], phrases: Sequence[Phrase], of_phrases: list[float]
) -> Scored:
    """Tags whose scores, and those of their phrases, are what was written of them."""
    if scores and len(scores) != len(tags):
        raise _no_document(f"{len(scores)} scores of {len(tags)} tags")
    opens = [math.log(max(score, TINY)) for score in scores]
    for phrase, score in zip(phrases, of_phrases, strict=bool(scores)):
        opens[phrase.start] = math.log(max(score, TINY))
    return Scored(tags, scores, opens, [0.0] * len(opens))


def _predicate(made: Entries, n: int) -> Predicate:
    place = made["index"]
    phrases = [Phrase(own["first"], own["last"], str(own["role"])) for own in made["arguments"]]
    return Predicate(place, tags_of([*phrases, Phrase(place, place + 1, VERB)], n, "iobes"))


def _tree(made: Entries, tokens: Sequence[Token]) -> Tree:
    if "children" not in made:
        return Tree(made["label"], word=tokens[made["index"]].text)
    return Tree(made["label"], [_tree(child, tokens) for child in made["children"]])


# --------------------------------------------------------------------------- tables


def to_dataframe(doc: Document, of: str) -> Any:
    """See `Document.to_dataframe`."""
    if of not in TABLES:
        raise SennaError(f"no table of {of!r}", mend=f"Choose {' or '.join(TABLES)}.")
    try:
        import pandas
    except ImportError:
        raise SennaError("a table needs pandas", mend="pip install pandas") from None
    if of == "tokens":
        tagging = [task for task in doc.found if TASKS[task].is_tagging]
        columns = ["sentence", "token", "text", "start", "end", *tagging]
        return pandas.DataFrame(_token_rows(doc, tagging), columns=columns)
    columns = ["task", "label", "text", "start", "end", "sentence", "first", "last", "predicate"]
    made = pandas.DataFrame(_span_rows(doc), columns=columns)
    return made.astype({"predicate": "Int64"})  # whole numbers, some missing


def _token_rows(doc: Document, tagging: Sequence[str]) -> list[tuple[Any, ...]]:
    return [
        (i, k, *token, *(doc.found[task][i][k] for task in tagging))
        for i, row in enumerate(doc.rows)
        for k, token in enumerate(row)
    ]


def _span_rows(doc: Document) -> list[tuple[Any, ...]]:
    return [
        (task, own.label, own.text, own.start, own.end, i, own.first, own.last, predicate)
        for i, sentence in enumerate(doc)
        for task, own, predicate in _spans(sentence)
    ]


def _spans(sentence: Sentence) -> Iterator[tuple[str, Span, int | None]]:
    """All that has a label in a sentence, with its task, and for roles the predicate's token."""
    for task in sentence.found:
        if output_of(task).gives == "phrases":
            yield from ((task, span, None) for span in sentence.spans(task))
        elif output_of(task).gives == "roles":
            for frame in sentence.frames:
                for span in (frame.predicate, *frame.arguments):
                    yield task, span, frame.index
        elif output_of(task).gives == "trees":
            inner = (own for own in sentence.tree.subtrees() if not own.is_leaf)
            yield from ((task, own, None) for own in inner)
