"""What is found, written: as columns or as JSON. Each kind of output has one writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from senna.infer.pipeline import Annotation
from senna.tasks import TASKS
from senna.text import roles, schemes
from senna.text.roles import Predicate

# The tokenizer's patterns take time to compile: text that is tokenised already does not wait.
if TYPE_CHECKING:
    from senna.text.tokenizer import Token

Tags = list[str]
Columns = list[list[str]]


class Line(NamedTuple):
    """A sentence for JSON: its text, where that starts in the input, and its tokens."""

    text: str
    start: int
    tokens: Sequence[Token]

    def span(self, name: str, phrase: schemes.Phrase) -> dict[str, Any]:
        """A phrase, its label under `name`."""
        first, last, label = phrase
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        text = self.text[start - self.start : end - self.start]
        return {
            name: label, "first": first, "last": last, "start": start, "end": end, "text": text
        }  # fmt: skip


class Writer(NamedTuple):
    """How one kind of output of a sentence is written."""

    columns: Callable[[Sequence[str], Any, str], Columns]  # words, what is found, tag scheme
    mark: Callable[[Any], list[str]]  # what stands in these columns beside a document mark
    json: Callable[[dict[str, Any], str, Line, Any, str], None]  # adds to an object, by task


# --------------------------------------------------------------------------- kinds of output


def _tags(words: Sequence[str], found: Tags, scheme: str) -> Columns:
    return [found]


def _add_tags(made: dict[str, Any], task: str, line: Line, found: Tags, scheme: str) -> None:
    made["tags"][task] = found


def _phrases(words: Sequence[str], found: Tags, scheme: str) -> Columns:
    return [found if scheme == "iobes" else schemes.convert(found, "iobes", scheme)]


def _add_phrases(made: dict[str, Any], task: str, line: Line, found: Tags, scheme: str) -> None:
    [made["tags"][task]] = _phrases((), found, scheme)
    phrases = schemes.phrases_of(found, "iobes")
    made["spans"][task] = [line.span("label", phrase) for phrase in phrases]


def _roles(words: Sequence[str], found: list[Predicate], scheme: str) -> Columns:
    """The word where it is a predicate, then one column a predicate."""
    own = [roles.column_of(predicate, scheme) for predicate in found]
    return [roles.predicate_column(words, found), *own]


def _add_roles(
    made: dict[str, Any], task: str, line: Line, found: list[Predicate], scheme: str
) -> None:
    made["predicates"] = [
        {
            "index": predicate.position,
            "text": line.tokens[predicate.position].text,
            "start": line.tokens[predicate.position].start,
            "end": line.tokens[predicate.position].end,
            "arguments": [line.span("role", phrase) for phrase in predicate.arguments],
        }
        for predicate in found
    ]


WRITERS = {
    "tags": Writer(_tags, lambda found: ["-X-"], _add_tags),
    "phrases": Writer(_phrases, lambda found: ["O"], _add_phrases),
    "roles": Writer(_roles, lambda found: [roles.NONE, *["O"] * len(found)], _add_roles),
}


def _writers(found: Annotation) -> list[tuple[str, Writer, list[Any]]]:
    return [(task, WRITERS[TASKS[task].output], own) for task, own in found.items()]


# --------------------------------------------------------------------------- sentences


def as_columns(
    kept: Sequence[Sequence[Sequence[str]]],
    found: Annotation,
    scheme: str,
    marks: Sequence[Sequence[str]] = (),
) -> str:
    """Columns of each sentence, words first, then those of each task; a blank line after each.

    A document mark, where one stood before a sentence, is as wide as its rows: scorers count
    columns there too.
    """
    writers = _writers(found)
    made = []
    for i, own in enumerate(kept):
        words = own[0]
        columns = (column for _, w, all_ in writers for column in w.columns(words, all_[i], scheme))
        text = "\n".join(map("\t".join, zip(*own, *columns, strict=True)))
        if marks and (mark := marks[i]):
            missing = ["O"] * (len(own) - len(mark))
            cells = (cell for _, writer, all_ in writers for cell in writer.mark(all_[i]))
            text = "\t".join([*mark, *missing, *cells]) + "\n\n" + text
        made.append(text)
    made.append("")
    return "\n\n".join(made)


def as_json(lines: Sequence[Line], found: Annotation, scheme: str) -> str:
    """One JSON object a sentence and line: text, tokens with offsets, and what each task found."""
    import json

    writers = _writers(found)
    made = []
    for i, line in enumerate(lines):
        tokens = [{"text": t.text, "start": t.start, "end": t.end} for t in line.tokens]
        own = {"text": line.text, "start": line.start, "tokens": tokens, "tags": {}, "spans": {}}
        for task, writer, all_ in writers:
            writer.json(own, task, line, all_[i], scheme)
        made.append(json.dumps(own, ensure_ascii=False) + "\n")
    return "".join(made)
