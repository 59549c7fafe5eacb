"""CoNLL-U, which has the answers of several tasks side by side, and CoNLL-U Plus.

What has a field of its own is there, and all else in MISC, for example `ner=B-PER`. A word outside
all phrases has no entry. Roles are `srl=2:B-A0,5:S-V`: the number of a predicate's word, and the
word's role for it; trees are cells of a column of brackets. Contractions have a line above their
words, `1-2 don't`. Of CoNLL-U that was read, all is kept but what is found anew.

CoNLL-U Plus (`conllup`) has a column for each task without a field. The columns are always the
same; those of tasks that were not tagged are `_`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from operator import add
from typing import Any

from senna.annotation.dependencies import ROOT, Arc, cycle_of
from senna.annotation.predicates import Predicate, regular
from senna.annotation.scheme_detection import detect, is_tag, wanted
from senna.annotation.schemes import convert
from senna.annotation.trees import TOP, Tree, numbered
from senna.errors import SennaError, counted, located
from senna.formats.brackets import tree_of_columns
from senna.formats.columns import marks_of, of_blocks
from senna.formats.conllu_lines import (
    DEPREL,
    EMPTY,
    FIELDS,
    FORM,
    HEAD,
    LEMMA,
    MISC,
    NAMES,
    PLUS,
    XPOS,
    ConlluReader,
    ConlluSentence,
    as_field,
    escaped,
    fill,
    filled,
    is_blank,
)
from senna.kinds import fields_of, output_of
from senna.kinds.answer import Answers, Gold, Line
from senna.kinds.tags.answer import as_pt0
from senna.pipeline.format import Format
from senna.pipeline.options import Options
from senna.tasks import PARSER, ROLES, TASKS, in_task_order
from senna.text import word_lists
from senna.text.lemmas import Lemma
from senna.text.tokens import Tokens

NOTHING = ("O", "*")  # tags of a word outside
GLUED = "SpaceAfter=No"
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
COLUMNS = tuple(
    name for name, task in TASKS.items() if not task.fields and task.output != "labels"
)  # those of MISC, in CoNLL-U Plus

# --------------------------------------------------------------------------- reading


def text_of(sentences: Sequence[ConlluSentence]) -> str:
    """The text of sentences that follow one another: a blank line stands between paragraphs."""
    text = ""
    for sentence in sentences:
        opens = any(re.match(r"#\s*new(par|doc)\b", comment) for comment in sentence.comments)
        text += ("\n\n" if opens else " ") * bool(text)
        text += sentence.comment("text") or sentence.surface()[0]
    return text


def checked_arcs(sentence: ConlluSentence, name: str) -> list[Arc]:
    """The tree of a sentence of a file called `name`, one arc per word.

    Raises SennaError, with the line, for a head that is no number or outside the sentence, no root
    or several, and a cycle.
    """
    words, lines = sentence.words, sentence.word_lines()
    for row, line in zip(words, lines, strict=True):
        if not _NUMBER.fullmatch(row[HEAD]) or int(row[HEAD]) > len(words):
            what = f"head {row[HEAD][:40]!r} in a sentence of {counted(len(words), 'word')}"
            remedy = "A head is the number of a word, or 0 for the root."
            raise SennaError(what, where=f"{name}:{line}", remedy=remedy)
    heads = [int(row[HEAD]) for row in words]
    roots = [i for i, head in enumerate(heads) if head == ROOT]
    if len(roots) != 1:
        line = lines[roots[1]] if roots else lines[0]
        what = f"{len(roots) or 'no'} roots in a sentence, expected one"
        raise SennaError(what, where=f"{name}:{line}")
    if cycle := cycle_of(heads):
        what = "a cycle of heads: " + " to ".join(str(i + 1) for i in [*cycle, cycle[0]])
        raise SennaError(what, where=f"{name}:{lines[min(cycle)]}")
    return [Arc(head, row[DEPREL]) for head, row in zip(heads, words, strict=True)]


def as_conllu(comments: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A sentence as a file has it, the blank line after it included."""
    lines = [*comments, *("\t".join(row) for row in rows)]
    return "".join(f"{line}\n" for line in lines) + "\n"


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


def answers_of(
    tasks: Iterable[str], sentences: Sequence[ConlluSentence], name: str
) -> dict[str, list[Any]]:
    """The answers about sentences of a file called `name`, of those tasks that have any there.

    A word without an entry is outside all phrases. Raises SennaError, with the line, for entries
    that are no tags or roles, and for what is no tree.
    """
    cells = [[_read_misc(row[MISC]) for row in sentence.words] for sentence in sentences]
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
            if output_of(task).kind == "phrases":
                answers[task] = _phrases(columns, sentences, name)
            elif task == ROLES:
                answers[task] = [_roles(column, sentence, name) for column, sentence in pairs]
            elif task == PARSER and all(row[XPOS] != EMPTY for s in sentences for row in s.words):
                answers[task] = [_tree(column, sentence, name) for column, sentence in pairs]
    return answers


def _read_misc(misc: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in misc.split("|"))
    return {name: value.replace(r"\p", "|") for name, _, value in pairs if value}


def _phrases(
    columns: Sequence[Sequence[str]], sentences: Sequence[ConlluSentence], name: str
) -> list[list[str]]:
    for column, sentence in zip(columns, sentences, strict=True):
        for tag, line in zip(column, sentence.word_lines(), strict=True):
            if tag and not is_tag(tag):
                what = f"the tag {tag!r:.40} in MISC belongs to no known scheme"
                raise SennaError(what, where=f"{name}:{line}", remedy=wanted(tag))
    with located(name):
        return _in_iobes(columns)


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
    with located(f"{name}:{sentence.line}"):
        rows = _in_iobes([columns[place] for place in places])
    return list(map(regular, places, rows))


def _tree(cells: Sequence[str], sentence: ConlluSentence, name: str) -> Tree:
    """The tree of a column of brackets, whose root has the usual name again."""
    forms, tags = zip(*((row[FORM], row[XPOS]) for row in sentence.words), strict=True)
    with located(f"{name}:{sentence.line}"):
        tree = tree_of_columns(tags, [cell or "*" for cell in cells], forms)
    tree.label = TOP
    return numbered(tree)


def read_gold(task: str, lines: Iterable[str], name: str, columns: str) -> Iterator[Gold]:
    """The gold sentences of a task in a file called `name`; SennaError if it has none."""
    if columns:
        remedy = "Leave out --columns."
        raise SennaError("the columns of CoNLL-U have names", where=name, remedy=remedy)
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
        return map(as_pt0, answers[task]) if task == "pt0" else answers[task]
    if task == "predicates" and (roles := answers_of([ROLES], sentences, name)):
        words = [len(sentence.words) for sentence in sentences]
        return map(marks_of, words, roles[ROLES])
    what, remedy = f"CoNLL-U has nothing for task {task}", f"It has {', '.join(ANSWERS)}."
    if output_of(task).kind == "phrases" or task in (ROLES, PARSER):
        what = f"no {TASKS[task].about} in this file of CoNLL-U"
        with_pos = "pos," * (task == PARSER)  # the leaves of its trees
        remedy = f"`senna tag --task {with_pos}{task} --format conllu` writes them into MISC."
    raise SennaError(what, where=name, remedy=remedy)


def placed(sentence: ConlluSentence, start: int = 0) -> tuple[str, Tokens]:
    """The text of a sentence, and its words with their places, which count from `start`."""
    text, places = sentence.surface()
    pairs = zip(sentence.words, places, strict=True)
    return text, Tokens.of((row[FORM], start + first, start + end) for row, (first, end) in pairs)


def _line(sentence: ConlluSentence) -> Line:
    text, tokens = placed(sentence)
    opens = sentence.opens_document
    return Line(text, 0, tokens, opens=opens, given=sentence, line=sentence.line)


# --------------------------------------------------------------------------- writing


def _conllu(line: Line, answers: Answers, options: Options) -> str:
    sentence, entries = sentence_of(line, answers), _misc(line, answers, options)
    changes = line.given or any(entries)
    for row, more in zip(sentence.words, entries, strict=True) if changes else ():
        if not more and row[MISC] in (EMPTY, GLUED):
            continue
        gone = {*answers, *more}  # older entries of these tasks are dropped
        kept = [part for part in row[MISC].split("|") if part.partition("=")[0] not in gone]
        kept = [part for part in kept if part and part != EMPTY]
        kept += [f"{name}={escaped(cell)}" for name, cell in more.items()]
        row[MISC] = "|".join(kept) or EMPTY
    return as_conllu(_with_labels(sentence.comments, answers), sentence.rows)


def _conllup(line: Line, answers: Answers, options: Options) -> str:
    plain = {task: answer for task, answer in answers.items() if task not in COLUMNS}
    words = line.words
    cells = [
        output_of(task).cells(words, answers[task], options.scheme)
        if task in answers
        else [EMPTY] * len(words)
        for task in COLUMNS
    ]
    columns = iter(zip(*cells, strict=True))
    written = []
    for row in _conllu(line, plain, options).split("\n"):
        number = row.partition("\t")[0]
        if not row or row.startswith("#"):
            written.append(row)
        elif number.isdigit():
            more = [escaped(cell) or EMPTY for cell in next(columns)]
            written.append("\t".join([row, *more]))
        else:
            written.append("\t".join([row, *[EMPTY] * len(COLUMNS)]))
    return "\n".join(written)


def sentence_of(line: Line, answers: Answers) -> ConlluSentence:
    """A sentence with the fields that answers fill; all else is as it was read, or empty."""
    fields = fields_of(answers, line.words)
    return filled(line.given, fields) if line.given else _sentence(line, fields)


def _misc(line: Line, answers: Answers, options: Options) -> list[dict[str, str]]:
    words = line.words
    of_words: list[dict[str, str]] = [{} for _ in words]
    for task, answer in answers.items():
        if TASKS[task].fields:
            continue
        cells = output_of(task).cells(words, answer, options.scheme)
        for entries, cell in zip(of_words, cells, strict=True):
            if cell not in NOTHING and cell:
                entries[task] = cell
    for entries, (start, end) in zip(
        of_words, line.places if options.offsets else (), strict=False
    ):
        entries |= {"start_char": str(start), "end_char": str(end)}
    return of_words


def _sentence(line: Line, fields: Mapping[str, Sequence[str]]) -> ConlluSentence:
    forms = list(map(_form, line.words))
    glued = [end == start for (_, end), (start, _) in pairwise(line.tokens.places)] + [False]
    undivided = _undivided(line)
    taken = {i for first, (last, _) in undivided.items() for i in range(first - 1, last)}
    joined = [is_glued and i not in taken for i, is_glued in enumerate(glued)]
    for first, last in word_lists.contractions(forms, joined):
        undivided[first] = last, "".join(forms[first:last])
    spaces = ["" if is_glued else " " for is_glued in glued]
    surfaces = list(map(add, forms, spaces))
    misc = [GLUED if is_glued else EMPTY for is_glued in glued]
    above = {}  # rows of surface tokens, by the first of their words
    for first, (last, surface) in undivided.items():
        above[first] = _row(f"{first + 1}-{last}", surface, misc[last - 1])
        surfaces[first:last] = [surface + spaces[last - 1], *[""] * (last - first - 1)]
        misc[first:last] = [EMPTY] * (last - first)
    rows = [_row(str(i), *word) for i, word in enumerate(zip(forms, misc, strict=True), start=1)]
    fill(rows, fields)
    for first in sorted(above, reverse=True):
        rows.insert(first, above[first])
    return ConlluSentence(_comments(line, "".join(surfaces).rstrip(" ")), rows)


def _undivided(line: Line) -> dict[int, tuple[int, str]]:
    """Surface tokens whose words all have its place: its words [first, last), and its form.

    So `ConlluSentence.surface` places words that do not add up to it, as in *Gimme*.
    """
    found: dict[int, tuple[int, str]] = {}
    places = line.tokens.places
    if len({*places}) == len(places):
        return found
    for (start, end), group in groupby(range(len(places)), key=places.__getitem__):
        first, *others = group
        if others and start < end:
            form = _form(line.text[start - line.start : end - line.start])
            found[first] = others[-1] + 1, form
    return found


@lru_cache(1 << 14)
def _form(text: str) -> str:
    form = as_field(text)
    return EMPTY if is_blank(form) else form


def _row(number: str, form: str, misc: str) -> list[str]:
    return [number, form, *[EMPTY] * (FIELDS - 3), misc]


def _with_labels(comments: list[str], answers: Answers) -> list[str]:
    """Comments with the labels of the sentence; older ones of their names are dropped."""
    named = {task: label for task, label in answers.items() if output_of(task).kind == "labels"}
    kept = [line for line in comments if line[1:].partition("=")[0].strip() not in named]
    return [*kept, *(f"# {name} = {as_field(value)}" for name, value in named.items())]


def _comments(line: Line, text: str) -> list[str]:
    """The comments above the words; the name of a sentence is unique in its input."""
    file = as_field(line.file)
    opened = f"# newdoc id = {file}" if file else "# newdoc"
    opened += f":{line.row}" if line.row and file else ""
    place = f"{line.row or line.line}.{line.places[0][0]}" if line.tokens else "0"
    name = f"{re.sub(r'[ /]', '_', file)}:" * bool(file) + place
    return [*([opened] if line.opens else []), f"# sent_id = {name}", f"# text = {text}"]


INPUTS = {
    "conllu": of_blocks(
        ConlluReader,
        _line,
        lambda sentences: [[row[XPOS] for row in sentence.words] for sentence in sentences],
        "CoNLL-U, CoNLL-U Plus",
    )
}
# Tasks with fields of their own run with the usual ones: a row has all of them.
_FORM = Format(
    _conllu,
    about="CoNLL-U",
    more=tuple(task.name for task in TASKS.values() if task.fields),
    offsets=True,
)
FORMATS = {
    "conllu": _FORM,
    "conllup": _FORM._replace(
        about="CoNLL-U Plus: a column for each task that has no field in CoNLL-U",
        sentence=_conllup,
        head=" ".join([PLUS, *NAMES, *(f"SENNA:{name.upper()}" for name in COLUMNS)]) + "\n",
    ),
}
