"""Sentences as HTML: the text with names marked in it, and the drawing of all else.

Letters repeat the meaning of each colour. There is no script, and nothing comes from outside: the
policy of a page forbids both. Text and labels are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna.annotation.schemes import Phrase, phrases_of
from senna.drawing.parts import Parts, colour, parts_of
from senna.drawing.svg import WIDTH, drawing, safe
from senna.extras.glossary import meaning
from senna.tasks import NAMES

# The tokenizer's patterns take time to compile.
if TYPE_CHECKING:
    from senna.text.tokens import Token

# The text, the tokens and the answers of a sentence.
Tagged = tuple[str, Sequence["Token"], Mapping[str, Any]]

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


def article(
    text: str, tokens: Sequence[Token], answers: Mapping[str, Any], width: float = WIDTH
) -> str:
    """A sentence: its text, names marked in it, and the drawings of all other tasks."""
    words = [token.text for token in tokens]
    parts = parts_of(words, {task: own for task, own in answers.items() if task != NAMES})
    shown = marked(text, tokens, phrases_of(answers.get(NAMES, ()), "iobes"))
    return f'<article>\n<p dir="auto">{shown}</p>\n{figure(parts, width)}</article>\n'


def figure(parts: Parts, width: float = WIDTH) -> str:
    """The drawing of what a sentence has, if it has anything; a narrow screen scrolls it."""
    has_parts = parts.rows or parts.arcs or parts.trees
    return f"<figure>{drawing(parts, width)}</figure>\n" if has_parts else ""


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
