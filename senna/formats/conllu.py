"""CoNLL-U: what has a field of its own there, and all else in MISC, for example `ner=B-PER`.

A word outside all phrases has no entry. Roles are `srl=2:B-A0,5:S-V`: the number of a predicate's
word, and the word's role for it; trees are cells of a column of brackets. Contractions have a line
above their words, `1-2 don't`. Of CoNLL-U that was read, all is kept but what is found anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

from senna.answers import output_of
from senna.answers.base import Answers, Line
from senna.answers.conllu import fields_of
from senna.files import Arriving
from senna.formats.base import Format, Input, Piece, Reading, Style, batches, whole
from senna.tasks import TASKS
from senna.text import english
from senna.text.conllu import (
    EMPTY,
    FIELDS,
    FORM,
    MISC,
    XPOS,
    ConlluReader,
    ConlluSentence,
    as_conllu,
    as_field,
    escaped,
    filled,
    is_blank,
)
from senna.text.tokenizer import Tokens

NOTHING = ("O", "*")  # tags of a word outside
GLUED = "SpaceAfter=No"


def _cut_conllu(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    for batch in batches(source, whole(source, name, ConlluReader())):
        yield Piece(0, sum(len(sentence.rows) * 40 for sentence in batch), batch)


def _conllu(piece: Piece, reading: Reading) -> list[Line]:
    lines: list[Line] = []
    sentences: list[ConlluSentence] = piece.content
    for sentence in sentences:
        text, places = sentence.surface()
        pairs = zip(sentence.words, places, strict=True)
        tokens = Tokens.of((row[FORM], *place) for row, place in pairs)
        line = Line(text, 0, tokens, opens=sentence.opens_document, given=sentence)
        lines.append(line._replace(line=sentence.line))
    return lines


def _xpos(sentences: list[ConlluSentence]) -> list[list[str]]:
    return [[row[XPOS] for row in sentence.words] for sentence in sentences]


def _written(line: Line, answers: Answers, style: Style) -> str:
    """A sentence in CoNLL-U."""
    sentence = sentence_of(line, answers)
    for row, more in zip(sentence.words, _entries(line, answers, style), strict=True):
        gone = {*answers, *more}  # older entries of these tasks are dropped
        kept = [part for part in row[MISC].split("|") if part.partition("=")[0] not in gone]
        kept = [part for part in kept if part and part != EMPTY]
        kept += [f"{name}={escaped(cell)}" for name, cell in more.items()]
        row[MISC] = "|".join(kept) or EMPTY
    return as_conllu(_with_labels(sentence.comments, answers), sentence.rows)


def sentence_of(line: Line, answers: Answers) -> ConlluSentence:
    """A sentence with the fields that answers fill; all else is as it was read, or empty."""
    return filled(line.given or _sentence(line), fields_of(answers, line.words))


def _entries(line: Line, answers: Answers, style: Style) -> list[dict[str, str]]:
    """The entries of each word in MISC."""
    words = line.words
    of_words: list[dict[str, str]] = [{} for _ in words]
    for task, answer in answers.items():
        if TASKS[task].fields:
            continue
        cells = output_of(task).cells(words, answer, style.scheme)
        for entries, cell in zip(of_words, cells, strict=True):
            if cell not in NOTHING and cell:
                entries[task] = cell
    for entries, (start, end) in zip(of_words, line.places if style.offsets else (), strict=False):
        entries |= {"start_char": str(start), "end_char": str(end)}
    return of_words


def _sentence(line: Line) -> ConlluSentence:
    """A sentence that was no CoNLL-U."""
    forms = [_form(token.text) for token in line.tokens]
    glued = [token.end == following.start for token, following in pairwise(line.tokens)] + [False]
    undivided = _undivided(line)
    taken = {i for first, (last, _) in undivided.items() for i in range(first - 1, last)}
    joined = [is_glued and i not in taken for i, is_glued in enumerate(glued)]
    for first, last in english.contractions(forms, joined):
        undivided[first] = last, "".join(forms[first:last])
    rows, text, inside = [], "", 0  # the end of the surface token in which words stand
    for i, form in enumerate(forms):
        if i in undivided:
            inside, surface = undivided[i]
            rows.append(_row(f"{i + 1}-{inside}", surface, glued[inside - 1]))
            text += surface + " " * (not glued[inside - 1])
        rows.append(_row(str(i + 1), form, glued[i] and i >= inside))
        text += (form + " " * (not glued[i])) * (i >= inside)
    return ConlluSentence(_comments(line, text.rstrip(" ")), rows)


def _undivided(line: Line) -> dict[int, tuple[int, str]]:
    """Surface tokens whose words all have its place: its words [first, last), and its form.

    So `ConlluSentence.surface` places words that do not add up to it, as in *Gimme*.
    """
    found = {}
    tokens = enumerate(line.tokens)
    for (start, end), group in groupby(tokens, key=lambda pair: (pair[1].start, pair[1].end)):
        places = [i for i, _ in group]
        if len(places) > 1 and start < end:
            form = _form(line.text[start - line.start : end - line.start])
            found[places[0]] = places[-1] + 1, form
    return found


def _form(text: str) -> str:
    """A form that is never empty."""
    form = as_field(text)
    return EMPTY if is_blank(form) else form


def _row(number: str, form: str, glued: bool) -> list[str]:
    return [number, form, *[EMPTY] * (FIELDS - 3), GLUED if glued else EMPTY]


def _with_labels(comments: list[str], answers: Answers) -> list[str]:
    """Comments with those of answers; older ones of their names are dropped."""
    named = {
        name: value
        for task, answer in answers.items()
        for name, value in output_of(task).comments(task, answer).items()
    }
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


# Tasks with fields of their own run with the usual ones: a row has all of them.
FORMAT = Format(
    _written, more=tuple(task.name for task in TASKS.values() if task.fields), offsets=True
)
CONLLU = Input(_conllu, cut=_cut_conllu, sentences=list, pos=_xpos, offsets=False)
