"""Options of the commands that learn from running text, or score it."""

from __future__ import annotations

from typing import Annotated

from senna.cli.options import choice

KindOption = Annotated[
    str,
    choice(
        ("text", "tokens"),
        "--input",
        help="text: raw English; tokens: one sentence per line, in any language.",
    ),
]
