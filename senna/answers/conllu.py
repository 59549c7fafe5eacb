"""Answers of files in CoNLL-U, which have those of several tasks side by side.

Some tasks have fields of their own; the answers of others are entries of MISC (`ner=B-PER`), as
`senna.formats.conllu` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from senna.answers import output_of
from senna.answers.base import Gold
from senna.errors import SennaError
from senna.tasks import PARSER, ROLES, TASKS, in_task_order
from senna.text.conllu import (
    EMPTY,
    FORM,
    LEMMA,
    MISC,
    NAMES,
    ROOT,
    XPOS,
    ConlluReader,
    ConlluSentence,
    checked_arcs,
)
from senna.text.lemmas import Lemma
from senna.text.roles import Predicate, marks_of, regular
from senna.text.schemes import convert, detect, is_tag
from senna.text.trees import TOP, Tree, numbered, tree_of_columns


def _column(place: int) -> Callable[[ConlluSentence, str], list[str]]:
    return lambda sentence, name: [row[place] for row in sentence.words]


# What of a sentence, of a file called so, is the answer of a task.
ANSWERS: dict[str, Callable[[ConlluSentence, str], Any]] = {
    "pos": _column(NAMES.index("XPOS")),
    "upos": _column(NAMES.index("UPOS")),
    "feats": _column(NAMES.index("FEATS")),
    "lemma": lambda sentence, name: [Lemma.of(row[FORM], row[LEMMA]) for row in sentence.words],
    "dep": checked_arcs,
}
MAY_BE_EMPTY = ("feats", "dep")
# Fields that other values leave empty, too: a file where all heads are 0 has no trees.
EMPTIES = {"HEAD": (EMPTY, str(ROOT))}


def fields_of(answers: Mapping[str, Any], words: Sequence[str]) -> dict[str, list[str]]:
    """The fields of CoNLL-U that answers of tasks about a sentence's words fill."""
    return {
        field: column
        for task, answer in answers.items()
        for field, column in zip(
            TASKS[task].fields, output_of(task).columns(words, answer, ""), strict=False
        )
    }


def answers_of(
    tasks: Iterable[str], sentences: Sequence[ConlluSentence], name: str
) -> dict[str, list[Any]]:
    """The answers about sentences of a file called `name`, of those tasks that have any there.

    A word without an entry is outside all phrases. Raises SennaError, with the line, for entries
    that are no tags or roles, and for what is no tree.
    """
    cells = [[_entries(row[MISC]) for row in sentence.words] for sentence in sentences]
    named = {entry for words in cells for word in words for entry in word}
    answers: dict[str, list[Any]] = {}
    for task in in_task_order(tasks):
        if task in ANSWERS:
            fields = {NAMES.index(name): EMPTIES.get(name, [EMPTY]) for name in TASKS[task].fields}
            words = (row for sentence in sentences for row in sentence.words)
            if any(row[place] not in empties for row in words for place, empties in fields.items()):
                answers[task] = [ANSWERS[task](sentence, name) for sentence in sentences]
        elif task in named:
            columns = [[word.get(task, "") for word in words] for words in cells]
            pairs = zip(columns, sentences, strict=True)
            if output_of(task).is_iobes:
                answers[task] = _phrases(columns, sentences, name)
            elif task == ROLES:
                answers[task] = [_roles(column, sentence, name) for column, sentence in pairs]
            elif task == PARSER and all(row[XPOS] != EMPTY for s in sentences for row in s.words):
                answers[task] = [_tree(column, sentence, name) for column, sentence in pairs]
    return answers


def _entries(misc: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in misc.split("|"))
    return {name: value.replace(r"\p", "|") for name, _, value in pairs if value}


def _phrases(
    columns: Sequence[Sequence[str]], sentences: Sequence[ConlluSentence], name: str
) -> list[list[str]]:
    """Tags of phrases as IOBES, in whatever scheme they are."""
    for column, sentence in zip(columns, sentences, strict=True):
        for tag, line in zip(column, sentence.word_lines(), strict=True):
            if tag and not is_tag(tag):
                what = f"the tag {tag!r:.40} in MISC belongs to no known scheme"
                mend = "Tags are B-, I-, E-, S-, L-, U- and a type, or brackets, as in (NP* *)."
                raise SennaError(what, where=f"{name}:{line}", mend=mend)
    try:
        return _in_iobes(columns)
    except SennaError as error:
        raise SennaError(error.what, where=name, mend=error.mend) from None


def _in_iobes(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    brackets = any(tag[:1] in ("(", "*") for column in columns for tag in column)
    rows = [[tag or ("*" if brackets else "O") for tag in column] for column in columns]
    scheme = detect(rows)
    return [convert(tags, scheme, "iobes") for tags in rows]


def _roles(cells: Sequence[str], sentence: ConlluSentence, name: str) -> list[Predicate]:
    """The predicates of cells such as 2:B-A0,5:S-V, which have their words' numbers, from 1."""
    columns: dict[int, list[str]] = {}
    for i, line in enumerate(sentence.word_lines()):
        for part in cells[i].split(",") if cells[i] else ():
            number, colon, tag = part.partition(":")
            if not (colon and number.isascii() and number.isdigit() and len(number) < 9):
                raise SennaError(f"{part!r:.40} is no role", where=f"{name}:{line}")
            if not 0 < int(number) <= len(cells):
                raise SennaError("a role of a word that is not there", where=f"{name}:{line}")
            columns.setdefault(int(number) - 1, [""] * len(cells))[i] = tag
    places = sorted(columns)
    try:
        rows = _in_iobes([columns[place] for place in places])
    except SennaError as error:
        where = f"{name}:{sentence.line}"
        raise SennaError(error.what, where=where, mend=error.mend) from None
    return list(map(regular, places, rows))


def _tree(cells: Sequence[str], sentence: ConlluSentence, name: str) -> Tree:
    """The tree of a column of brackets, whose root has the usual name again."""
    forms, tags = zip(*((row[FORM], row[XPOS]) for row in sentence.words), strict=True)
    try:
        tree = tree_of_columns(tags, [cell or "*" for cell in cells], forms)
    except SennaError as error:
        raise SennaError(error.what, where=f"{name}:{sentence.line}") from None
    tree.label = TOP
    return numbered(tree)


def read_gold(task: str, lines: Iterable[str], name: str, columns: str) -> Iterator[Gold]:
    """The gold sentences of a task in a file called `name`; SennaError if it has none."""
    if columns:
        raise SennaError("the columns of CoNLL-U have names", where=name)
    sentences: Iterable[ConlluSentence] = ConlluReader()(lines, name=name)
    if task in ANSWERS:
        pairs = _of_fields(task, sentences, name)
    else:  # only the whole file tells its tag scheme, and whether it has answers at all
        sentences = list(sentences)
        pairs = zip(sentences, _of_misc(task, sentences, name), strict=True)
    for sentence, answer in pairs:
        forms, tags = [row[FORM] for row in sentence.words], [row[XPOS] for row in sentence.words]
        known = {} if EMPTY in tags else {"pos": tags}
        opens = sentence.opens_document
        yield Gold(forms, answer, known, name, sentence.line, opens=opens, given=sentence)


def _of_fields(
    task: str, sentences: Iterable[ConlluSentence], name: str
) -> Iterator[tuple[ConlluSentence, Any]]:
    """Sentences with the answers that their fields have."""
    for sentence in sentences:
        answer = ANSWERS[task](sentence, name)
        if task not in MAY_BE_EMPTY and all(tag == EMPTY for tag in answer):
            what = f"a sentence without {TASKS[task].about} (its {TASKS[task].fields[0]} is empty)"
            raise SennaError(what, where=f"{name}:{sentence.line}")
        yield sentence, answer


def _of_misc(task: str, sentences: Sequence[ConlluSentence], name: str) -> Iterable[Any]:
    """The answers that entries of MISC have; predicates may be those that have roles."""
    answers = answers_of([task], sentences, name)
    if task in answers:
        return map(output_of(task).regular, answers[task])
    if task == "predicates" and (roles := answers_of([ROLES], sentences, name)):
        words = [len(sentence.words) for sentence in sentences]
        return map(marks_of, words, roles[ROLES])
    what, mend = f"CoNLL-U has nothing for task {task}", f"It has {', '.join(ANSWERS)}."
    if output_of(task).is_iobes or task in (ROLES, PARSER):
        what = f"no {TASKS[task].about} in this file of CoNLL-U"
        with_pos = "pos," * (task == PARSER)  # the leaves of its trees
        mend = f"`senna tag --task {with_pos}{task} --format conllu` writes them into MISC."
    raise SennaError(what, where=name, mend=mend)
