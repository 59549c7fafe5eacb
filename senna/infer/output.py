"""What is found, written: as columns or as JSON. Each kind of output has one writer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from senna.infer.pipeline import Annotation
from senna.tasks import TASKS
from senna.text import roles, schemes
from senna.text.roles import Predicate
from senna.text.trees import Tree, cells_of_tree

# The tokenizer's patterns take time to compile: text that is tokenised already does not wait.
if TYPE_CHECKING:
    from senna.text.tokenizer import Token

Columns = list[list[str]]
Entries = dict[str, Any]


class Line(NamedTuple):
    """A sentence for JSON: its text, where that starts in the input, and its tokens."""

    text: str
    start: int
    tokens: Sequence[Token]

    def span(self, name: str, phrase: schemes.Phrase) -> Entries:
        """A phrase, its label under `name`."""
        first, last, label = phrase
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        text = self.text[start - self.start : end - self.start]
        return {
            name: label, "first": first, "last": last, "start": start, "end": end, "text": text
        }  # fmt: skip


class Writer(NamedTuple):
    """How one kind of output is written: what is found of a sentence, in a tag scheme."""

    columns: Callable[[Sequence[str], Any, str], Columns]  # beside the words
    mark: str  # beside a document mark in the first of these columns; O in others
    json: Callable[[Line, Any, str], Entries]  # "tags" and "spans" stand by task


def _tags(words: Sequence[str], found: list[str], scheme: str) -> Columns:
    return [found]


def _tags_json(line: Line, found: list[str], scheme: str) -> Entries:
    return {"tags": found}


def _phrases(words: Sequence[str], found: list[str], scheme: str) -> Columns:
    return [found if scheme == "iobes" else schemes.convert(found, "iobes", scheme)]


def _phrases_json(line: Line, found: list[str], scheme: str) -> Entries:
    [tags] = _phrases((), found, scheme)
    spans = [line.span("label", phrase) for phrase in schemes.phrases_of(found, "iobes")]
    return {"tags": tags, "spans": spans}


def _roles(words: Sequence[str], found: list[Predicate], scheme: str) -> Columns:
    """The word where it is a predicate, then one column a predicate."""
    own = [roles.column_of(predicate, scheme) for predicate in found]
    return [roles.predicate_column(words, found), *own]


def _roles_json(line: Line, found: list[Predicate], scheme: str) -> Entries:
    made: list[Entries] = []
    for own in found:
        text, start, end = line.tokens[own.position]
        arguments = [line.span("role", phrase) for phrase in own.arguments]
        made.append({"index": own.position, "text": text, "start": start, "end": end})
        made[-1]["arguments"] = arguments
    return {"predicates": made}


def _trees(words: Sequence[str], found: Tree, scheme: str) -> Columns:
    """Brackets, a cell a word, whatever the scheme."""
    return [cells_of_tree(found)]


def _trees_json(line: Line, found: Tree, scheme: str) -> Entries:
    return {"tree": _nested(line, found)}


def _nested(line: Line, tree: Tree) -> Entries:
    """A constituent for JSON: label, place and parts; a word has its part of speech and index."""
    if tree.is_leaf:
        return {"label": tree.label, "index": tree.start}
    own = line.span("label", schemes.Phrase(tree.start, tree.end, tree.label))
    del own["text"]
    return {**own, "children": [_nested(line, child) for child in tree.children]}


WRITERS = {
    "tags": Writer(_tags, "-X-", _tags_json),
    "phrases": Writer(_phrases, "O", _phrases_json),
    "roles": Writer(_roles, roles.NONE, _roles_json),
    "trees": Writer(_trees, "*", _trees_json),
}


def as_columns(
    kept: Sequence[Columns], found: Annotation, scheme: str, marks: Sequence[Sequence[str]] = ()
) -> str:
    """Columns of each sentence, words first, then those of each task; a blank line after each.

    A document mark, where one stood before a sentence, is as wide as its rows: scorers count
    columns there too.
    """
    writers = [(WRITERS[TASKS[task].output], own) for task, own in found.items()]
    made = []
    for i, own in enumerate(kept):
        added = [writer.columns(own[0], all_[i], scheme) for writer, all_ in writers]
        rows = zip(*own, *(column for columns in added for column in columns), strict=True)
        text = "\n".join(map("\t".join, rows))
        if marks and marks[i]:
            cells = [*marks[i], *["O"] * (len(own) - len(marks[i]))]
            for (writer, _), columns in zip(writers, added, strict=True):
                cells += [writer.mark, *["O"] * (len(columns) - 1)]
            text = "\t".join(cells) + "\n\n" + text
        made.append(text)
    made.append("")
    return "\n\n".join(made)


def as_json(lines: Sequence[Line], found: Annotation, scheme: str) -> str:
    """One JSON object a sentence and line: text, tokens with offsets, and what each task found."""
    import json

    made = entries(lines, found, scheme)
    return "".join(json.dumps(own, ensure_ascii=False) + "\n" for own in made)


def entries(lines: Sequence[Line], found: Annotation, scheme: str) -> Iterator[Entries]:
    """What `as_json` writes of each sentence."""
    for i, line in enumerate(lines):
        tokens = [{"text": t.text, "start": t.start, "end": t.end} for t in line.tokens]
        by_task: dict[str, Entries] = {"tags": {}, "spans": {}}
        own = {"text": line.text, "start": line.start, "tokens": tokens, **by_task}
        for task, all_ in found.items():
            for name, value in WRITERS[TASKS[task].output].json(line, all_[i], scheme).items():
                if name in by_task:
                    by_task[name][task] = value
                else:
                    own[name] = value
        yield own
