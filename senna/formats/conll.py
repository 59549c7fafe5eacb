"""The columns of the CoNLL shared tasks, a word per line: those of 2003, 2005 and 2012.

In CoNLL-2003 (`conll`) words, parts of speech, chunks and names have a space between. What is not
asked for is `_`, so that each column keeps its place. Trees and roles follow as in CoNLL-2005
(`props`, see `senna.formats.props`), in brackets, predicates before their roles.

In CoNLL-2012 (OntoNotes) the columns are document, part, number of the word, word, part of speech,
cell of the tree, predicate, frameset, sense, speaker, name, then roles, one column per predicate,
and coreference::

    #begin document (letter); part 000
    letter 0 0 Ann   NNP (TOP(S(NP*) -    -       - - (PERSON) (ARG0*) -
    letter 0 1 ran   VBD (VP*))      run  run.02  - - *        (V*)    -

    #end document

What is not known is `-`, or `*` where there may be brackets. Roles are written as PropBank has
them: ARG0 for A0, ARGM-TMP for AM-TMP. Columns of what was not asked for are there, and say
nothing. A file is a document, also where its input says no name; so is what follows a document
mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from senna.annotation.predicates import VERB, Predicate, predicate_column
from senna.annotation.schemes import convert
from senna.annotation.trees import Tree, cells_of_tree, unbroken
from senna.errors import SennaError, counted, located
from senna.formats.brackets import tree_of_columns
from senna.formats.columns import CONLL2012, DOCUMENT_MARK, marks_of, of_blocks, read_columns
from senna.formats.props import in_column, predicate_of, props_of
from senna.kinds import output_of
from senna.kinds.answer import Answers, Gold, Line
from senna.pipeline.format import Format
from senna.pipeline.options import Options
from senna.text.tokens import spaced

PLACES = ("pos", "chunk", "ner")  # of the columns of CoNLL-2003 after the word
END = "#end document"
WORD, POS, PARSE, NAME, ROLES = 3, 4, 5, 10, 11
UNKNOWN, NONE = "-", "*"

_cells = re.compile(r"[^ \t\r\n]+").findall
_LONG = re.compile(r"(?<=\()([CR]-)?ARG(?=[0-9AM])")
_SHORT = re.compile(r"(?<=\()([CR]-)?A(?=[0-5AM][-*])")


# --------------------------------------------------------------------------- reading CoNLL-2012


class Conll2012Sentence(NamedTuple):
    """A sentence: the cells of each word, its first line, the file's name.

    Its parts raise SennaError, with the line, for brackets that do not match.
    """

    rows: list[list[str]]
    line: int
    name: str
    opens_document: bool = False

    def column(self, place: int) -> list[str]:
        """The cells of a column."""
        return [row[place] for row in self.rows]

    @property
    def forms(self) -> list[str]:
        return self.column(WORD)

    @property
    def pos(self) -> list[str]:
        """Its parts of speech; none where they are not known."""
        tags = self.column(POS)
        return [] if set(tags) == {UNKNOWN} else tags

    @property
    def names(self) -> list[str]:
        """Its names as cells in brackets; (PERSON) is (PERSON*)."""
        return [c if NONE in c else f"{c[:-1]}{NONE}{c[-1:]}" for c in self.column(NAME)]

    @property
    def tree(self) -> Tree:
        with located(f"{self.name}:{self.line}"):
            return tree_of_columns(self.column(POS), self.column(PARSE), self.forms)

    @property
    def predicates(self) -> list[Predicate]:
        """Its predicates with their roles; each stands where its column has V."""
        predicates = []
        for place in range(ROLES, len(self.rows[0]) - 1):
            cells = [_LONG.sub(r"\1A", cell) for cell in self.column(place)]
            verbs = [i for i, cell in enumerate(cells) if f"({VERB}*" in cell]
            if not verbs:
                what, where = f"no (V*) in column {place + 1}", f"{self.name}:{self.line}"
                raise SennaError(what, where=where, remedy="A column of roles has its predicate.")
            with in_column(place + 1, self.name, range(self.line, self.line + len(cells))):
                predicates.append(predicate_of(verbs[0], cells))
        return sorted(predicates)


def read_conll2012(
    lines: Iterable[str], *, name: str, start: int = 1
) -> Iterator[Conll2012Sentence]:
    """The sentences of a CoNLL-2012 file, one at a time.

    `name` is the file's, for messages, `start` the number of the first line. Raises SennaError,
    with the line, for one that has other columns than its sentence, or too few.
    """

    def plain(line: str) -> str:
        if line.startswith((CONLL2012, f"\ufeff{CONLL2012}")):
            return DOCUMENT_MARK
        return "" if line.startswith(END) else " ".join(_cells(line))

    for rows, line, mark in read_columns(map(plain, lines), name=name, start=start):
        if len(rows[0]) <= ROLES:
            what = f"{counted(len(rows[0]), 'column')}, expected at least {ROLES + 1}"
            raise SennaError(what, where=f"{name}:{line}", remedy="CoNLL-2012 has as many.")
        yield Conll2012Sentence(rows, line, name, bool(mark))


# Of each task that CoNLL-2012 has something of, the gold answer about a sentence.
ANSWERS: dict[str, Callable[[Conll2012Sentence], Any]] = {
    "pos": lambda sentence: sentence.pos,
    "ner": lambda sentence: sentence.names,
    "srl": lambda sentence: sentence.predicates,
    "predicates": lambda sentence: marks_of(len(sentence.rows), sentence.predicates),
    "psg": lambda sentence: sentence.tree,
}


def read_gold(task: str, lines: Iterable[str], name: str, columns: str) -> Iterator[Gold]:
    """The gold sentences of a task in a file in CoNLL-2012; SennaError if it has none."""
    if task not in ANSWERS:
        remedy = f"It has {', '.join(ANSWERS)}."
        raise SennaError(f"CoNLL-2012 has nothing for task {task}", where=name, remedy=remedy)
    if columns:
        remedy = "Leave out --columns."
        raise SennaError("the columns of CoNLL-2012 have names", where=name, remedy=remedy)
    for sentence in read_conll2012(lines, name=name):
        if task in ("pos", "psg") and UNKNOWN in sentence.column(POS):
            what = "a word without a part of speech"
            raise SennaError(what, where=f"{name}:{sentence.line}")
        tags = {"pos": sentence.pos} if sentence.pos else {}
        answer, opens = ANSWERS[task](sentence), sentence.opens_document
        yield Gold(sentence.forms, answer, tags, name, sentence.line, opens=opens)


def _line(sentence: Conll2012Sentence) -> Line:
    forms, opens = sentence.forms, sentence.opens_document
    return Line(" ".join(forms), 0, spaced(forms), opens=opens, line=sentence.line)


# --------------------------------------------------------------------------- writing


def _conll2003(line: Line, answers: Answers, options: Options) -> str:
    """A sentence as columns, then a blank line; a document begins with a mark."""
    later = [task for task in answers if task not in PLACES]
    # Any number of columns comes last.
    later.sort(key=lambda task: output_of(task).kind == "roles")
    words = line.words
    columns = [words]
    for task in (*PLACES, *later):
        if task in answers:
            output = output_of(task)
            scheme = "bracket" if output.kind == "roles" else options.scheme
            columns += output.columns(words, answers[task], scheme)
        else:
            columns.append(["_"] * len(words))
    mark = " ".join([DOCUMENT_MARK, "-X-", *["O"] * (len(columns) - 2)]) + "\n\n"
    rows = (" ".join(map(unbroken, row)) for row in zip(*columns, strict=True))
    return mark * line.opens + "\n".join(rows) + "\n\n"


def _props(line: Line, answers: Answers, options: Options) -> str:
    """A sentence as props; brackets, whatever the scheme."""
    rows = props_of(line.words, answers["srl"]).rows
    return "\n".join("\t".join(map(unbroken, row)) for row in rows) + "\n\n"


def _conll2012(line: Line, answers: Answers, options: Options) -> str:
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
    roles = [map(long_role, convert(tags, "iobes", "bracket")) for _, tags in predicates]
    columns = words, pos, parse, marks, unknown, unknown, unknown, names, *roles, unknown
    rows = (
        " ".join([document, "0", str(number), *map(unbroken, row)]) + "\n"
        for number, row in enumerate(zip(*columns, strict=True))
    )
    return f"{CONLL2012} ({document}); part 000\n" * line.opens + "".join(rows) + "\n"


def long_role(cell: str) -> str:
    """A cell of roles in brackets, with PropBank's own names: (A0* is (ARG0*."""
    return _SHORT.sub(r"\1ARG", cell)


def short_name(cell: str) -> str:
    """A cell of a name in brackets; one of a single word has no star: (PERSON*) is (PERSON)."""
    return cell.replace(NONE, "") if cell.startswith("(") and cell.endswith(")") else cell


TASKS = ("pos", "ner", "srl", "psg")  # that have columns in CoNLL-2012
INPUTS = {
    "conll2012": of_blocks(
        lambda: read_conll2012,
        _line,
        lambda sentences: [sentence.pos for sentence in sentences],
        "CoNLL-2012",
    )
}
FORMATS = {
    "conll": Format(_conll2003, about="CoNLL-2003", tasks=PLACES, scheme="iob2"),
    "conll2012": Format(
        _conll2012,
        about="CoNLL-2012 (OntoNotes)",
        tasks=TASKS,
        shows=TASKS.__contains__,
        scheme="bracket",
        end=f"{END}\n",
    ),
    "props": Format(
        _props,
        about="CoNLL-2005 columns of roles",
        tasks=("srl",),
        needs=True,
        shows=("srl",).__contains__,
        scheme="bracket",
    ),
}
