"""Gold sentences of a task: read from a file of any format that its task knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

from senna.annotation.predicates import NO_PREDICATE
from senna.annotation.scheme_detection import is_tag, wanted
from senna.annotation.trees import words_of
from senna.errors import SennaError, counted, no_sentences
from senna.files import open_text
from senna.formats import props
from senna.formats.brackets import read_tree_lines
from senna.formats.columns import CONLL2012, marks_of, read_columns, without_text
from senna.kinds import output_of
from senna.kinds.answer import Gold, GoldOptions
from senna.kinds.labels.answer import Label, Pairs, named
from senna.kinds.tags.answer import as_pt0
from senna.lab.trees import read_levels
from senna.registry import LABELLED_TREES
from senna.tasks import TASKS
from senna.text.tokenizer import tokenize

NO_COLUMNS = "Leave out --columns."
HEADING = 50  # lines that may be comments before the first word


def is_conll2012(lines: Sequence[str]) -> bool:
    """Whether a file that begins with these lines is in CoNLL-2012."""
    return bool(lines) and lines[0].removeprefix("\ufeff").startswith(CONLL2012)


def is_conllu(lines: Sequence[str]) -> bool:
    """Whether a file that begins with these lines is in CoNLL-U (Plus), comments before words."""
    if lines and lines[0].removeprefix("\ufeff").startswith("# global.columns ="):
        return True
    for line in lines:
        row = line.removeprefix("\ufeff").rstrip("\r\n").split("\t")
        if not row[0].startswith("#") and row != [""]:
            return len(row) == 10 and re.fullmatch(r"0\.1|1|1-[0-9]+", row[0]) is not None
    return False


def read_gold(task: str, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """The gold sentences of a task in a file called `name`, in CoNLL-2012, CoNLL-U or its own."""
    rest = iter(lines)
    first = list(islice(rest, HEADING))
    every: Iterator[str] = chain(first, rest)
    if is_conll2012(first):
        from senna.formats import conll

        return conll.read_gold(task, every, name, how.columns)
    if is_conllu(first):
        from senna.formats import conllu

        return conllu.read_gold(task, every, name, how.columns)
    if output_of(task).kind == "phrases":
        from senna.extras import standoff

        if standoff.is_standoff(first, name):
            return standoff.read_gold(every, name, how.tell)
    if TASKS[task].is_tagging and next(map(_row, filter(str.strip, first)), None):
        return _read_rows(task, every, name)
    return _OWN.get(TASKS[task].output, read_tags)(every, name, how)


# --------------------------------------------------------------------------- formats of kinds


def read_tags(lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """Columns: word first, gold tag last, the second of three or more the part of speech."""
    places: dict[str, int] = {}
    width = 0
    for rows, line, mark in read_columns(without_text(lines, name), name=name):
        n = len(rows[0])
        if width and how.alike and n != width:
            what = f"{counted(n, 'column')}, expected {width} as in the first sentence"
            raise SennaError(what, where=f"{name}:{line}")
        if n != width:
            places, width = _places(how.columns, n, name, line), n
        columns = {kind: [row[i] for row in rows] for kind, i in places.items()}
        forms, tags = columns.pop("word"), columns.pop("tag")
        yield Gold(forms, tags, columns, name, line, opens=bool(mark))


def _places(names: str, n: int, name: str, line: int) -> dict[str, int]:
    if n < 2:
        what = "only one column: expected a word and its tag, separated by a tab or a space"
        raise SennaError(what, where=f"{name}:{line}")
    if not names:
        return {"word": 0, **({"pos": 1} if n > 2 else {}), "tag": n - 1}
    order = [cell.strip() for cell in names.split(",")]
    missing = [kind for kind in ("word", "tag") if kind not in order]
    if missing:
        what = f"the columns {names!r} have no {missing[0]!r}"
        remedy = "Call the column of the tags tag, whatever the task: for example word,pos,-,tag."
        raise SennaError(what, where=name, remedy=remedy)
    twice = [kind for i, kind in enumerate(order) if kind != "-" and kind in order[:i]]
    if twice:
        remedy = "Name the columns that are not used -, for example word,-,tag."
        raise SennaError(
            f"the columns {names!r} have {twice[0]!r} twice", where=name, remedy=remedy
        )
    if len(order) > n:
        what = f"the names {names!r} do not fit {counted(n, 'column')}"
        remedy = "Name the columns in order, for example word,pos,-,tag."
        raise SennaError(what, where=name, remedy=remedy)
    return {kind: order.index(kind) for kind in order}


def read_segments(lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """Columns of the lowest constituents, those of PT0's 25 types."""
    for gold in read_tags(lines, name, how):
        yield gold._replace(answer=as_pt0(gold.answer))


def read_roles(lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """Columns of roles; predicates of the kinds asked for."""
    for sentence in props.read_roles(lines, name=name, names=how.columns):
        columns = {"pos": sentence.pos, "pt0": sentence.pt0}
        tags = {task: column for task, column in columns.items() if column}
        answer, every = sentence.of_kinds(how.kinds), sentence.predicates
        others = {place for place, _ in every} - {place for place, _ in answer}
        yield Gold(sentence.forms, answer, tags, name, sentence.line, frozenset(others))


def read_marks(lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """The predicates of columns of roles."""
    for gold in read_roles(without_text(lines, name), name, how):
        yield gold._replace(answer=marks_of(len(gold.forms), gold.answer))


def read_trees(lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """Bracketed trees, one or several on a line or over lines; traces are no words."""
    if how.columns:
        raise SennaError("trees have no columns to be named", where=name, remedy=NO_COLUMNS)
    for line, tree in read_tree_lines(lines, name):
        if words := words_of(tree):
            tags = {"pos": [word.label for word in words]}
            yield Gold([str(word.word) for word in words], tree, tags, name, line)


def read_arcs(lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """Only CoNLL-U has dependency trees: see `senna.formats.conllu`."""
    if not any(map(str.strip, lines)):
        raise no_sentences(name)
    remedy = "Its lines have ten columns, separated by tabs; comments begin with #."
    raise SennaError("not in CoNLL-U", where=name, remedy=remedy)


def read_labels(lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """Lines of a label, a tab and a text, tokenised as `senna tag` does; or labelled trees."""
    if how.columns:
        raise SennaError("labels have no columns to be named", where=name, remedy=NO_COLUMNS)
    pairs, is_tree = [pair.split("=") for pair in how.labels.split(",") if pair], None
    for number, line in enumerate(lines, start=1):
        line = line.removeprefix("\ufeff").rstrip("\r\n")
        if not line.strip():
            continue
        before, is_tree = is_tree, line.lstrip().startswith("(") and "\t" not in line
        try:
            if before not in (None, is_tree):
                what = "the file mixes trees and lines of a label and a text"
                raise SennaError(what, remedy="Use two files.")
            sentences = LABELLED_TREES["nodes"].labelled if is_tree else _texts
            yield from sentences(line, pairs, name, number)
        except SennaError as error:
            where = error.where or f"{name}:{number}"
            raise SennaError(error.what, where=where, remedy=error.remedy) from None


def _texts(line: str, pairs: Pairs, name: str, number: int) -> Iterator[Gold]:
    label, tab, text = line.partition("\t")
    forms, label = [token.text for token in tokenize(text)], label.strip()
    if not (tab and label and forms):
        part = "text after the tab" if tab and label else "label before the tab"
        raise SennaError(f"no {part}" if tab else "no tab", remedy="A line is LABEL, tab, text.")
    if "\t" in text.strip("\t"):
        raise SennaError("a second tab", remedy="A line is LABEL, tab, text; the text has no tab.")
    if chosen := named(label, pairs):
        yield Gold(forms, Label(chosen), {}, name, number)


_OWN = {  # by kinds of answers: see `Task.output`
    **dict.fromkeys(("tags", "phrases", "values", "lemmas"), read_tags),
    "segments": read_segments,
    "roles": read_roles,
    "marks": read_marks,
    "trees": read_trees,
    "dependencies": read_arcs,
    "labels": read_labels,
}


# --------------------------------------------------------------------------- additions


def _row(line: str) -> dict[str, Any]:
    """The object of a line of JSON if it has a list of tokens, else nothing."""
    try:
        row = json.loads(line.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) and isinstance(row.get("tokens"), list) else {}


def _read_rows(task: str, lines: Iterable[str], name: str) -> Iterator[Gold]:
    """Rows of JSON with tokens and their tags, as data sets of Hugging Face are saved."""
    key = f"{task}_tags"
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row, where = _row(line), f"{name}:{number}"
        words = row.get("tokens", [])
        tags = row.get(key, row.get("tags"))
        if isinstance(tags, list) and tags and all(type(tag) is int for tag in tags):
            remedy = (
                f'Write names[tag] for each, with names = data.features["{key}"].feature.names.'
            )
            raise SennaError("the tags are numbers, not names", where=where, remedy=remedy)
        if (
            not isinstance(tags, list)
            or {*map(type, [*words, *tags])} - {str}
            or len(words) != len(tags)
        ):
            remedy = f'Rows look like {{"tokens": ["Ann", "ran"], "{key}": ["B-PER", "O"]}}.'
            raise SennaError("no row of tokens with their tags", where=where, remedy=remedy)
        for tag in tags if output_of(task).kind == "phrases" else ():
            if not is_tag(tag):
                what = f'tag "{tag}" belongs to no known scheme'
                raise SennaError(what, where=where, remedy=wanted(tag))
        if words:
            yield Gold(words, tags, {}, name, number)


def with_levels(gold: Iterable[Gold], lines: Iterable[str], name: str) -> Iterator[Gold]:
    """Gold sentences with the levels of their trees among their tags.

    `lines` are those of a `*.levels` file called `name`, which has the same sentences.
    """
    levels = read_levels(lines, name)
    for sentence in gold:
        words, tags, line = next(levels, ([], {}, 0))
        if words != sentence.forms:
            what = f"other words than {sentence.name}:{sentence.line}" if line else "too short"
            remedy = "It needs the same sentences, in the same order."
            raise SennaError(what, where=f"{name}:{line}" if line else name, remedy=remedy)
        yield sentence._replace(tags=sentence.tags | tags)
    rest = next(levels, None)
    if rest is not None:
        raise SennaError("sentences that the gold file lacks", where=f"{name}:{rest[2]}")


class Listed(NamedTuple):
    """The predicates of a sentence as a user gives them: tokens from 0, in order.

    `length` is the sentence's number of tokens, if the list has it; `where` is file:line.
    """

    places: list[int]
    length: int | None
    where: str

    def of(self, forms: Sequence[str]) -> list[int]:
        """The predicates, if they fit a sentence; else SennaError."""
        n = len(forms)
        remedy = f'The sentence begins "{" ".join(forms[:6])}".'
        if self.length not in (None, n):
            what = f"{counted(self.length, 'token')}, but the sentence of the input has {n}"
            raise SennaError(what, where=self.where, remedy=remedy)
        if self.places and self.places[-1] >= n:
            what = f"predicate {self.places[-1] + 1}, but the sentence of the input has {n}"
            raise SennaError(what, where=self.where, remedy=remedy)
        return self.places


def read_predicates(lines: Iterable[str], *, name: str) -> Iterator[Listed]:
    """The predicates of sentences, from a list or a column.

    A list has one line per sentence: the numbers of its predicates, from 1, separated by blanks; an
    empty line is a sentence without any. A column has one token per line, a hyphen where it is no
    predicate, and a blank line after each sentence; further columns are not read, so a file of
    props serves too. What the first line with anything in it begins with shows which it is.
    """
    rows = enumerate((line.removeprefix("\ufeff").split() for line in lines), start=1)
    before = []  # up to the first line with anything in it
    for row in rows:
        before.append(row)
        if row[1]:
            break
    every = chain(before, rows)
    if all(_is_number(cells[0]) for _, cells in before if cells):
        yield from (_listed(cells, f"{name}:{number}") for number, cells in every)
        return
    for filled, group in groupby(every, key=lambda row: bool(row[1])):
        if filled:
            numbers, tokens = zip(*group, strict=True)
            places = [i for i, cells in enumerate(tokens) if cells[0] != NO_PREDICATE]
            yield Listed(places, len(tokens), f"{name}:{numbers[0]}")


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def _listed(cells: Sequence[str], where: str) -> Listed:
    places = []
    for cell in cells:
        # Python refuses to read a number of thousands of digits.
        if not _is_number(cell) or len(cell) > 9 or cell.strip("0") == "":
            remedy = "A line holds the numbers of a sentence's predicates, from 1."
            raise SennaError(
                f"{cell[:40]!r} is not the number of a token", where=where, remedy=remedy
            )
        places.append(int(cell) - 1)
    return Listed(sorted(set(places)), None, where)


def listed_predicates(file: str) -> Iterator[Listed]:
    """The predicates that a file lists, sentence by sentence."""
    with open_text(file) as lines:
        yield from read_predicates(lines, name=file)
