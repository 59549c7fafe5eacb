r"""Sentences in brackets, one per line: `inline`, with phrases in brackets, and `trees`.

`inline` is the text itself: `[PER John Smith] lives here.` With parts of speech the words stand
apart and have theirs behind them: `[PER John/NNP Smith/NNP]`. A bracket or backslash of the text
has a backslash before it. Trees are as `senna.annotation.trees` reads them.
"""

from __future__ import annotations

import re

from senna.annotation.schemes import phrases_of
from senna.annotation.trees import bracketed
from senna.drawing.text_width import on_one_line
from senna.errors import SennaError
from senna.kinds import output_of
from senna.kinds.answer import Answers, Line
from senna.pipeline.format import Format, Style

_SIGN = re.compile(r"[\[\]\\]")


def _inline(line: Line, answers: Answers, style: Style) -> str:
    """A sentence with the phrases of one task; SennaError where there are several."""
    tasks = [task for task in answers if output_of(task).is_iobes]
    if len(tasks) > 1:
        what = f"shows the phrases of one task, not of {' and '.join(tasks)}"
        raise SennaError(what, where="--format inline", mend=f"Choose: --task {tasks[0]}.")
    tags, pos = answers[tasks[0]] if tasks else [], answers.get("pos", [])
    opened, closed = dict[int, str](), set[int]()
    for start, end, label in phrases_of(tags, "iobes"):
        opened[start] = f"[{label} "
        closed.add(end - 1)
    parts: list[str] = []
    last = line.start
    for i, token in enumerate(line.tokens):
        gap = line.text[last - line.start : token.start - line.start]
        word = line.text[token.start - line.start : token.end - line.start]
        last = token.end
        parts.append((" " * bool(parts) if pos else on_one_line(gap)) + opened.get(i, ""))
        parts.append(_SIGN.sub(r"\\\g<0>", on_one_line(word)))
        parts.append((f"/{pos[i]}" if pos else "") + ("]" if i in closed else ""))
    return "".join(parts) + "\n"


FORMATS = {
    "inline": Format(
        _inline,
        about="sentences with names in brackets",
        tasks=("ner",),
        shows=lambda task: task == "pos" or output_of(task).is_iobes,
    ),
    "trees": Format(
        lambda line, answers, style: bracketed(answers["psg"]) + "\n",
        about="one tree per line",
        tasks=("psg",),
        needs=True,
        shows=("psg", "pos").__contains__,
    ),
}
