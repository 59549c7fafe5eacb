"""Trees in brackets, one per line, as `senna.annotation.trees` reads them."""

from __future__ import annotations

from senna.annotation.trees import bracketed
from senna.pipeline.format import Format

FORMATS = {
    "trees": Format(
        lambda line, answers, style: bracketed(answers["psg"]) + "\n",
        about="one tree per line",
        tasks=("psg",),
        needs=True,
        shows=("psg", "pos").__contains__,
    ),
}
