"""CoNLL-2012: parts of speech, trees, predicates, names and roles, one word per line.

See `senna.text.conll2012`. Columns of what was not asked for are there, and say nothing. A file is
a document, also where its input says no name; so is what follows a document mark.
"""

from __future__ import annotations

from collections.abc import Iterator

from senna.answers.base import Answers, Line
from senna.files import Arriving
from senna.formats.base import (
    Format,
    Input,
    Piece,
    Reading,
    Style,
    as_lines,
    batches,
    unbroken,
    whole,
)
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


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    """A sentence, then a blank line; brackets, whatever the scheme."""
    document = unbroken(line.file) if line.file else UNKNOWN
    words, n = line.words, len(line.words)
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
    rows = (
        " ".join([document, "0", str(number), *map(unbroken, row)]) + "\n"
        for number, row in enumerate(zip(*columns, strict=True))
    )
    return f"{MARK} ({document}); part 000\n" * line.opens + "".join(rows) + "\n"


FORMAT = Format(_sentence, tasks=TASKS, shows=TASKS.__contains__, scheme="bracket", end=f"{END}\n")
CONLL2012 = Input(
    _conll2012,
    cut=_cut_conll2012,
    sentences=list,
    pos=lambda sentences: [sentence.pos for sentence in sentences],
    offsets=False,
)
