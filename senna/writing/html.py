"""One page of HTML, complete in itself: text with its names, and rows of labels under the words.

It has no script and asks for nothing from outside: its own policy forbids both. What a colour says
is said by letters too. The words under the text flow as text does, each above its labels, so that
a page is as wide as its screen. Each line begins with the names of the rows, and labels that go on
in it are repeated: where lines break is reckoned for three widths, of which style shows one. Text
and labels are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from senna.outputs.base import Annotation, LabelRow, Line
from senna.text.schemes import phrases_of
from senna.writing.cells import harmless
from senna.writing.labels import colour, label_rows
from senna.writing.output import Format, Style

# The tokenizer's patterns take time to compile.
if TYPE_CHECKING:
    from senna.text.tokenizer import Token

NAMES = "ner"  # whose phrases are marked in the text itself; all else stands in rows

# Colours that all eyes tell apart (Okabe and Ito 2008); the lines under words differ in style too.
_HUES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a")
_LINES = ("solid", "double", "dashed", "dotted")

# The narrowest pages that have a layout, by the class of what they alone show, in pixels (a rem
# has 16); and how wide letters are in words and in labels, at most, and what is around both.
LAYOUTS = {"s": 328, "m": 720, "l": 1056}
LETTER, WIDE_LETTER, SMALL_LETTER, AROUND = 9.5, 16.0, 8.0, 15.0
LEGEND = 66  # the widest names of rows; longer ones are cut

STYLE = """\
.senna{color-scheme:light dark;color:CanvasText;background:Canvas;
font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
overflow-wrap:anywhere;container-type:inline-size}
.senna h2{font-size:1rem;margin:2em 0 0;opacity:.75}
.senna article{padding:.8em 0;border-bottom:1px solid color-mix(in srgb,CanvasText 20%,Canvas)}
.senna p{margin:0;white-space:pre-line}
.senna mark{color:inherit;background:color-mix(in srgb,var(--c) 24%,Canvas);
border-bottom:3px var(--l) var(--c);border-radius:.2em;padding:.05em .2em;
-webkit-box-decoration-break:clone;box-decoration-break:clone}
.senna mark b{font-size:.7em;letter-spacing:.04em;margin-left:.4em}
.senna .g{display:flex;flex-wrap:wrap;row-gap:.7em;margin-top:.6em;font-size:.9em;line-height:1.45}
.senna .g>span{display:flex;flex-direction:column;max-width:100%}
.senna .g span>*{padding:0 .35em}
.senna .g b{font-weight:600}
.senna i{font-style:normal;font-size:.82em;line-height:1.55em;height:1.8em;box-sizing:border-box;
margin-top:2px;white-space:nowrap}
.senna .n>*{opacity:.75;padding-left:0!important;max-width:5.5em;overflow:hidden;
text-overflow:ellipsis}
.senna hr{border:0;margin:0;flex-basis:100%}
.senna small{font-size:inherit;opacity:.7}
@container (width<45rem){.senna .m:not(.s),.senna .l:not(.s){display:none}}
@container (45rem<=width<66rem){.senna .s:not(.m),.senna .l:not(.m){display:none}}
@container (width>=66rem){.senna .s:not(.l),.senna .m:not(.l){display:none}}
.senna .t{opacity:.75}
.senna .x{background:color-mix(in srgb,var(--c) 20%,Canvas);border-bottom:2px var(--l) var(--c)}
.senna .b{margin-left:2px;border-left:2px solid var(--c);border-radius:.3em 0 0 .3em}
.senna .e{margin-right:2px;border-right:2px solid var(--c)}
""" + "".join(
    f".senna .c{i}{{--c:{hue};--l:{_LINES[i % len(_LINES)]}}}\n" for i, hue in enumerate(_HUES)
)
HEAD = f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline'">
<title>senna</title>
<style>
{STYLE}body{{margin:0}}
main.senna{{max-width:70rem;margin:0 auto;padding:1rem}}
</style>
</head>
<body>
<main class="senna">
"""
FOOT = "</main>\n</body>\n</html>\n"


# The text, the tokens and the answers of a sentence.
Tagged = tuple[str, Sequence["Token"], Mapping[str, Any]]


def page(sentences: Iterable[Tagged]) -> str:
    """A whole page."""
    return HEAD + _articles(sentences) + FOOT


def fragment(sentences: Iterable[Tagged]) -> str:
    """The same as part of another page, such as a notebook."""
    return f'<style>\n{STYLE}</style>\n<div class="senna">\n{_articles(sentences)}</div>\n'


def _articles(sentences: Iterable[Tagged]) -> str:
    return "".join(article(*sentence) for sentence in sentences)


def article(text: str, tokens: Sequence[Token], answers: Mapping[str, Any]) -> str:
    """A sentence: its text, names marked in it, and its words with rows of labels."""
    shown = _marked(text, tokens, answers.get(NAMES, ()))
    words = [token.text for token in tokens]
    rows = label_rows(words, {task: answer for task, answer in answers.items() if task != NAMES})
    return f'<article>\n<p dir="auto">{shown}</p>\n{_grid(words, rows)}</article>\n'


def _write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    parts = []
    for i, line in enumerate(lines):
        if line.opens and line.file:
            row = f" {line.row}" if line.row else ""
            parts.append(f"<h2>{_safe(line.file)}{row}</h2>\n")
        of_line = {task: of_task[i] for task, of_task in answers.items()}
        parts.append(article(line.text, line.tokens, of_line))
    return "".join(parts)


def _marked(text: str, tokens: Sequence[Token], tags: Sequence[str]) -> str:
    """The text with its names marked."""
    parts, done, begin = [], 0, tokens[0].start if tokens else 0
    for first, last, label in phrases_of(tags, "iobes"):
        # Words may share a place, as those of one surface token.
        start, end = max(tokens[first].start - begin, done), tokens[last - 1].end - begin
        name = f"<b>{_safe(label)}</b>"
        parts += [_safe(text[done:start]), f'<mark class="c{colour(label)}">']
        parts += [_safe(text[start:end]), name, "</mark>"]
        done = end
    return "".join([*parts, _safe(text[done:])])


def _grid(words: Sequence[str], rows: Sequence[LabelRow]) -> str:
    """The words, each with its labels under it; on each line first the names of the rows."""
    if not rows:
        return ""
    breaks = _breaks(words, rows)
    labels = [_labels(row, breaks) for row in rows]
    names = "<b>&#8203;</b>" + "".join(f"<i>{_safe(row.name)}</i>" for row in rows)
    parts = [f'<div class="g"><span class="n">{names}</span>']
    for i, (word, layouts) in enumerate(zip(words, breaks, strict=True)):
        if layouts:
            parts.append(f'<hr class="{layouts}"><span class="n {layouts}">{names}</span>')
        column = "".join(row[i] for row in labels)
        parts.append(f"<span><b>{_safe(word)}</b>{column}</span>")
    return "".join([*parts, "</div>\n"])


def _breaks(words: Sequence[str], rows: Sequence[LabelRow]) -> list[str]:
    """For each word the layouts in which a new line begins with it, but for the first."""
    widths = [sum(LETTER if c.isascii() else WIDE_LETTER for c in word) for word in words]
    for row in rows:
        for start, _, label in row.phrases:
            widths[start] = max(widths[start], SMALL_LETTER * len(label))
    legend = min(SMALL_LETTER * max(len(row.name) for row in rows), LEGEND)
    begins: list[list[str]] = [[] for _ in words]
    for layout, width in LAYOUTS.items():
        used = 0.0
        for i, needed in enumerate(widths):
            if used and used + needed + AROUND > width - legend:
                begins[i].append(layout)
                used = 0.0
            used += needed + AROUND
    return list(map(" ".join, begins))


def _labels(row: LabelRow, breaks: Sequence[str]) -> list[str]:
    """What stands under each word: a phrase's label under its first, a bar under all.

    Where a line begins within the phrase the label stands again.
    """
    cells = ["<i></i>"] * len(breaks)
    for start, end, label in row.phrases:
        for i in range(start, end):
            shown = _safe(label)
            if i > start:
                shown = f'<small class="{breaks[i]}">…{shown}</small>' if breaks[i] else ""
            sides = " b" * (i == start) + " e" * (i == end - 1)
            kind = f"x c{colour(label)}{sides}" if row.bars else "t"
            cells[i] = f'<i class="{kind}">{shown}</i>'
    return cells


def _safe(text: str) -> str:
    return escape(harmless(text))


FORMAT = Format(_write, head=HEAD, foot=FOOT)
