"""What is found, written: as columns, as JSON, and the table of all formats.

Each kind of output has one writer for columns and JSON. Other formats lie in modules of their own,
none of which is loaded unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from senna.errors import SennaError
from senna.infer.confidence import DIGITS, Scored
from senna.infer.pipeline import Annotation
from senna.tasks import TASKS
from senna.text import roles, schemes
from senna.text.roles import Predicate
from senna.text.trees import Tree, cells_of_tree

# The tokenizer's patterns take time to compile: text that is tokenised already does not wait.
if TYPE_CHECKING:
    from senna.text.conllu import ConlluSentence
    from senna.text.tokenizer import Token

Columns = list[list[str]]
Entries = dict[str, Any]


SHOWN = [f"{number / 1000:.{DIGITS}f}" for number in range(1001)]  # probabilities, in thousandths
NO_PATH = "_"  # in the column of a path that a sentence does not have


class Line(NamedTuple):
    """A sentence: its text, where that starts, its tokens, and where it comes from.

    Places are those in the input; of a page in its text, and then `source` has each token's place
    in the input.
    """

    text: str
    start: int
    tokens: Sequence[Token]
    file: str = ""  # where one is named
    row: int = 0  # of a table, from 1
    opens: bool = False  # whether a document begins with it
    given: ConlluSentence | None = None  # as it was read
    source: Sequence[tuple[int, int]] = ()

    @property
    def words(self) -> list[str]:
        """The words of its tokens."""
        return [token.text for token in self.tokens]

    @property
    def places(self) -> Sequence[tuple[int, int]]:
        """Where each of its tokens starts and ends in the input."""
        return self.source or [(token.start, token.end) for token in self.tokens]

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Where tokens [first, last) start and end in the input."""
        if self.source:
            return self.source[first][0], self.source[last - 1][1]
        return self.tokens[first].start, self.tokens[last - 1].end

    def span(self, name: str, phrase: schemes.Phrase) -> Entries:
        """A phrase, its label under `name`."""
        first, last, label = phrase
        begin = self.tokens[first].start - self.start
        text = self.text[begin : self.tokens[last - 1].end - self.start]
        start, end = self.place(first, last)
        return {
            name: label, "first": first, "last": last, "start": start, "end": end, "text": text
        }  # fmt: skip


class Writer(NamedTuple):
    """How one kind of output is written: what is found of a sentence, in a tag scheme."""

    columns: Callable[[Sequence[str], Any, str], Columns]  # beside the words
    mark: str  # beside a document mark in the first of these columns; O in others
    json: Callable[[Line, Any, str], Entries]  # what `BY_TASK` names stands by task


BY_TASK = ("tags", "spans", "scores", "nbest")


def _tags(words: Sequence[str], found: list[str], scheme: str) -> Columns:
    return _columns(found, "")


def _tags_json(line: Line, found: list[str], scheme: str) -> Entries:
    return {"tags": found, **_doubts(found, "")}


def _phrases(words: Sequence[str], found: list[str], scheme: str) -> Columns:
    return _columns(found, scheme)


def _phrases_json(line: Line, found: list[str], scheme: str) -> Entries:
    phrases = schemes.phrases_of(found, "iobes")
    spans = _with_scores([line.span("label", phrase) for phrase in phrases], phrases, found)
    return {"tags": _in_scheme(found, scheme), "spans": spans, **_doubts(found, scheme)}


def _in_scheme(tags: list[str], scheme: str) -> list[str]:
    """IOBES tags in another scheme; plain ones, for which it is empty, as they are."""
    return tags if scheme in ("", "iobes") else schemes.convert(tags, "iobes", scheme)


def _columns(found: list[str], scheme: str) -> Columns:
    """The tags; their scores and those of the next best paths, where they were asked for."""
    made = [_in_scheme(found, scheme)]
    if isinstance(found, Scored):
        if found.scores:
            made.append([SHOWN[round(score * 1000)] for score in found.scores])
        made += [_in_scheme(path.tags, scheme) for path in found.paths[1:]]
        lacking = [NO_PATH] * len(found)
        made += [lacking] * (found.n_best - max(len(found.paths), 1))
    return made


def _doubts(found: list[str], scheme: str) -> Entries:
    """The scores and the best paths, where they were asked for."""
    made: Entries = {}
    if isinstance(found, Scored):
        if found.scores:
            made["scores"] = [round(score, DIGITS) for score in found.scores]
        if found.n_best > 1:
            paths = ((own.score, _in_scheme(own.tags, scheme)) for own in found.paths)
            made["nbest"] = [{"score": round(score, DIGITS), "tags": tags} for score, tags in paths]
    return made


def _with_scores(
    spans: list[Entries], phrases: Sequence[schemes.Phrase], tags: list[str]
) -> list[Entries]:
    """Phrases for JSON, each with its score where they were asked for."""
    if isinstance(tags, Scored) and tags.scores:
        for span, (first, last, _) in zip(spans, phrases, strict=True):
            span["score"] = round(tags.span(first, last), DIGITS)
    return spans


def _roles(words: Sequence[str], found: list[Predicate], scheme: str) -> Columns:
    """The word where it is a predicate, then one column a predicate."""
    own = [column for predicate in found for column in _columns(predicate.tags, scheme)]
    return [roles.predicate_column(words, found), *own]


def _roles_json(line: Line, found: list[Predicate], scheme: str) -> Entries:
    made: list[Entries] = []
    for own in found:
        text = line.tokens[own.position].text
        start, end = line.place(own.position, own.position + 1)
        phrases = own.arguments
        arguments = [line.span("role", phrase) for phrase in phrases]
        arguments = _with_scores(arguments, phrases, own.tags)
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
        placed = zip(line.words, line.places, strict=True)
        tokens = [{"text": word, "start": start, "end": end} for word, (start, end) in placed]
        begin = line.source[0][0] if line.source else line.start
        by_task: dict[str, Entries] = {"tags": {}, "spans": {}}
        own: Entries = {"file": line.file} if line.file else {}
        own |= {"row": line.row} if line.row else {}
        own |= {"text": line.text, "start": begin, "tokens": tokens}
        after: Entries = {}
        for task, all_ in found.items():
            for name, value in WRITERS[TASKS[task].output].json(line, all_[i], scheme).items():
                if name in BY_TASK:
                    by_task.setdefault(name, {})[task] = value
                else:
                    after[name] = value
        yield own | by_task | after


# --------------------------------------------------------------------------- the table of formats


class Style(NamedTuple):
    """What a user may choose of a format."""

    scheme: str = "iobes"
    offsets: bool = False


class Format(NamedTuple):
    """How sentences are written.

    `write` gets some of them and what each task found in them. `head` and `foot` stand before the
    first and after the last. `tasks` are run where none is named; where it `needs` them, no less.
    """

    write: Callable[[Sequence[Line], Annotation, Style], str]
    tasks: tuple[str, ...] = ()
    needs: bool = False
    scheme: str = "iobes"  # where none is named
    offsets: bool = False  # whether it can show them
    head: str = ""
    foot: str = ""


def _write_columns(lines: Sequence[Line], found: Annotation, style: Style) -> str:
    kept = [[line.words] for line in lines]
    if style.offsets:
        for columns, line in zip(kept, lines, strict=True):
            columns += [list(map(str, places)) for places in zip(*line.places, strict=True)]
    return as_columns(kept, found, style.scheme)


def _write_json(lines: Sequence[Line], found: Annotation, style: Style) -> str:
    return as_json(lines, found, style.scheme)


_HERE = {
    "columns": Format(_write_columns, offsets=True),
    "jsonl": Format(_write_json, offsets=True),
}
_MODULES = {name: f"writing.{name}" for name in ("conll", "conllu", "props", "inline", "trees")}
_MODULES |= {"ansi": "writing.ansi", "html": "writing.html"}


def format_of(name: str) -> Format:
    """The format of a name in `senna.writing.FORMATS`."""
    if name in _HERE:
        return _HERE[name]
    made: Format = import_module(f"senna.{_MODULES[name]}").FORMAT
    return made


def tasks_for(name: str, asked: Sequence[str], own_model: bool) -> list[str] | None:
    """The tasks to run for a format where a user names some; None: all of the model, or package.

    Raises SennaError where they are not what the format needs.
    """
    form = format_of(name)
    missing = [task for task in form.tasks if task not in asked] if form.needs else []
    missing = [] if "all" in asked else missing
    if asked and missing:
        mend = f"Add it to --task: {','.join([*asked, *missing])}."
        raise SennaError(f"needs task {missing[0]}", where=f"--format {name}", mend=mend)
    if asked or (own_model and not form.needs):
        return [*asked] or None
    return [*form.tasks] or None
