"""Sentences as HTML: names marked in the text, rows of labels under the words, arcs and trees.

Letters repeat the meaning of each colour. The words above their labels flow as text does, so that
a sentence takes the width there is. There is no script, and nothing comes from outside: the policy
of a page forbids both. Text and labels are escaped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna.answers.base import LabelRow
from senna.drawing.colours import colour
from senna.drawing.letters import pixels
from senna.drawing.parts import Parts, parts_of
from senna.drawing.svg import drawing, safe
from senna.meanings import meaning
from senna.tasks import NAMES
from senna.text.schemes import Phrase, phrases_of

# The tokenizer's patterns take time to compile.
if TYPE_CHECKING:
    from senna.text.tokenizer import Token

# The text, the tokens and the answers of a sentence.
Tagged = tuple[str, Sequence["Token"], Mapping[str, Any]]

WORD, LABEL = 14.4, 11.8  # sizes of the fonts, in pixels; of one rem, 16
AROUND, LEGEND = 10, 124  # pixels around a word, and left of all of them
NARROW = 320  # the narrowest screen
NO_SCRIPT = "default-src 'none';style-src 'unsafe-inline'"


@cache
def style() -> str:
    """The style sheet of drawings; all of its rules are for what is in class "senna"."""
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def head() -> str:
    """The beginning of a page."""
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{NO_SCRIPT}">
<title>senna</title>
<style>
{style()}body{{margin:0}}
main.senna{{max-width:75rem;margin:0 auto;padding:1rem}}
</style>
</head>
<body>
<main class="senna">
"""


FOOT = "</main>\n</body>\n</html>\n"


def page(sentences: Iterable[Tagged]) -> str:
    """A whole page."""
    return head() + _articles(sentences) + FOOT


def fragment(sentences: Iterable[Tagged]) -> str:
    """The same as part of another page, such as a notebook."""
    return f'<style>\n{style()}</style>\n<div class="senna">\n{_articles(sentences)}</div>\n'


def _articles(sentences: Iterable[Tagged]) -> str:
    return "".join(article(*sentence) for sentence in sentences)


def article(text: str, tokens: Sequence[Token], answers: Mapping[str, Any]) -> str:
    """A sentence: its text, names marked in it, and the drawings of all other tasks."""
    words = [token.text for token in tokens]
    parts = parts_of(words, {task: own for task, own in answers.items() if task != NAMES})
    shown = marked(text, tokens, phrases_of(answers.get(NAMES, ()), "iobes"))
    drawn = grid(words, parts.rows) + figures(parts)
    return f'<article>\n<p dir="auto">{shown}</p>\n{drawn}</article>\n'


def figures(parts: Parts, width: float = 0) -> str:
    """The arcs and the trees of a sentence, each by itself."""
    every = [parts._replace(rows=[], arcs=[], trees=[tree]) for tree in parts.trees]
    every += [parts._replace(rows=[], trees=[])] if parts.arcs else []
    made = (drawing(own, width) if width else drawing(own) for own in every)
    return "".join(f"<figure>{svg}</figure>\n" for svg in made)


def titled(tag: str, task: str) -> str:
    """The attribute that shows the meaning of a tag under the pointer."""
    about = meaning(tag, task)
    return f' title="{safe(about)}"' if about else ""


def marked(text: str, tokens: Sequence[Token], phrases: Sequence[Phrase]) -> str:
    """A text with phrases marked in it."""
    parts, done, begin = [], 0, tokens[0].start if tokens else 0
    for first, last, label in phrases:
        # Words may share a place, as those of one surface token.
        start, end = max(tokens[first].start - begin, done), tokens[last - 1].end - begin
        opening = f'<mark class="c{colour(label)}"{titled(label, NAMES)}>'
        parts += [safe(text[done:start]), opening]
        parts += [safe(text[start:end]), f"<b>{safe(label)}</b></mark>"]
        done = end
    return "".join([*parts, safe(text[done:])])


def grid(
    words: Sequence[str],
    rows: Sequence[LabelRow],
    different: Collection[tuple[int, Phrase]] = (),
) -> str:
    """The words, each with its labels under it; left of each line the names of the rows.

    Phrases that are `different`, each with the number of its row, are outlined.
    """
    if not rows or not words:
        return ""
    cells = [
        _cells(row, len(words), [phrase for k, phrase in different if k == number])
        for number, row in enumerate(rows)
    ]
    wide = _narrow_before_a_label(words, rows)
    names = "<b></b>" + "".join(f"<i>{safe(row.name)}</i>" for row in rows)
    most = sum(pixels(word, WORD) + AROUND + 22 for word in words) / (NARROW - LEGEND)
    legend = f"<div>{names}</div>" * min(ceil(most) + 1, len(words))
    said = safe(", ".join(row.name for row in rows if row.name))
    parts = [f'<div class="g" role="group" aria-label="{said}">']
    parts.append(f'<div class="n" aria-hidden="true">{legend}</div>')
    for i, word in enumerate(words):
        column = "".join(own[i] for own in cells)
        start = '<span class="w">' if wide[i] else "<span>"
        parts.append(f"{start}<b>{safe(word)}</b>{column}</span>")
    return "".join([*parts, "</div>\n"])


def _narrow_before_a_label(words: Sequence[str], rows: Sequence[LabelRow]) -> list[bool]:
    """Which words would not hide the label that goes on in the next one: they need more room."""
    needed = [0.0] * (len(words) + 1)
    for row in rows:
        for start, end, label in row.phrases if row.bars else ():
            width = pixels(f"…{label}", LABEL)
            needed[start : end - 1] = [max(width, other) for other in needed[start : end - 1]]
    return [
        label > max(pixels(word, WORD) + AROUND, 2.2 * WORD)
        for word, label in zip(words, needed, strict=False)
    ]


def _cells(row: LabelRow, n: int, different: Collection[Phrase]) -> list[str]:
    """The cells under the words: a phrase's label under its first, a bar under all."""
    cells = ["<i></i>"] * n
    for phrase in row.phrases:
        start, end, label = phrase
        shown, mark, title = safe(label), " d" * (phrase in different), titled(label, row.task)
        if not row.bars:
            only = f'<i class="t{mark}"{title}>{shown}</i>'
            cells[start:end] = [only, *["<i></i>"] * (end - start - 1)]
            continue
        kind = f"x c{colour(label)}{mark}"
        for i in range(start, end):
            sides = " b" * (i == start) + " e" * (i == end - 1)
            again = f' data-l="{shown}"' if i > start else ""
            cells[i] = f'<i class="{kind}{sides}"{again}{title}>{"" if again else shown}</i>'
    return cells
