"""CoNLL-2012: parts of speech, trees, predicates, names and roles, one word per line.

See `senna.text.conll2012`. Columns of what was not asked for are there, and say nothing. A file is
a document, also where its input says no name; so is what follows a document mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from senna.answers.base import Annotation, Line
from senna.errors import SennaError
from senna.files import Arriving
from senna.formats.base import Format, Input, Piece, Reading, Style, as_lines, batches, whole
from senna.formats.cells import unbroken
from senna.text.conll2012 import (
    END,
    NONE,
    UNKNOWN,
    Conll2012Sentence,
    long_role,
    read_conll2012,
    short_name,
)
from senna.text.headings import CONLL2012 as MARK
from senna.text.roles import column_of, predicate_column
from senna.text.schemes import convert
from senna.text.tokenizer import spaced
from senna.text.trees import cells_of_tree

TASKS = ("pos", "ner", "srl", "psg")  # that have columns


def _cut_conll2012(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    for batch in batches(source, whole(source, name, read_conll2012)):
        yield Piece(0, sum(len(sentence.rows) * 60 for sentence in batch), batch)


def _conll2012(piece: Piece, reading: Reading) -> list[Line]:
    sentences: list[Conll2012Sentence] = piece.content
    return [
        line._replace(opens=sentence.opens_document, line=sentence.line)
        for sentence in sentences
        for line in as_lines(" ".join(sentence.forms), [spaced(sentence.forms)])
    ]


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences, a blank line after each; brackets, whatever the scheme.

    Raises SennaError where all that was found has no place.
    """
    if answers and not answers.keys() & set(TASKS):
        what, mend = f"has no place for {' and '.join(answers)}", "Choose columns, conllu or jsonl."
        raise SennaError(what, where="--format conll2012", mend=mend)
    parts = []
    for i, line in enumerate(lines):
        document = unbroken(line.file) if line.file else UNKNOWN
        if line.opens:
            parts.append(f"{END}\n{MARK} ({document}); part 000\n")
        rows = _rows(document, line.words, {task: of_task[i] for task, of_task in answers.items()})
        parts += [*(" ".join(row) + "\n" for row in rows), "\n"]
    return "".join(parts)


def _rows(document: str, words: Sequence[str], answers: Mapping[str, Any]) -> Iterator[list[str]]:
    """The cells of each word."""
    n = len(words)
    unknown, none = [UNKNOWN] * n, [NONE] * n
    pos, parse = answers.get("pos", unknown), none
    if tree := answers.get("psg"):
        pos, parse = [leaf.label for leaf in tree.leaves()], cells_of_tree(tree, tree.label)
    names = none
    if "ner" in answers:
        names = [short_name(cell) for cell in convert(answers["ner"], "iobes", "bracket")]
    predicates = sorted(answers.get("srl", ()))
    marks = predicate_column(words, predicates) if predicates else unknown
    roles = [map(long_role, column_of(predicate)) for predicate in predicates]
    columns = words, pos, parse, marks, unknown, unknown, unknown, names, *roles, unknown
    for number, row in enumerate(zip(*columns, strict=True)):
        yield [document, "0", str(number), *map(unbroken, row)]


FORMAT = Format(write, tasks=TASKS, shows=TASKS.__contains__, scheme="bracket", end=f"{END}\n")
CONLL2012 = Input(
    _conll2012,
    cut=_cut_conll2012,
    sentences=list,
    pos=lambda sentences: [sentence.pos for sentence in sentences],
    offsets=False,
)
