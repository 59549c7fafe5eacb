r"""The text itself, one sentence per line, with phrases in brackets: `[PER John Smith] lives here.`

With parts of speech the words stand apart and have theirs behind them: `[PER John/NNP Smith/NNP]`.
A bracket or backslash of the text has a backslash before it.
"""

from __future__ import annotations

import re

from senna.answers import output_of
from senna.answers.base import Answers, Line
from senna.errors import SennaError
from senna.formats.base import Format, Style
from senna.text.schemes import phrases_of
from senna.text.shown import on_one_line

_SIGN = re.compile(r"[\[\]\\]")


def _sentence(line: Line, answers: Answers, style: Style) -> str:
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


FORMAT = Format(
    _sentence, tasks=("ner",), shows=lambda task: task == "pos" or output_of(task).is_iobes
)
