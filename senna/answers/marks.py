"""Words that are marked, such as predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from senna.answers.base import Gold, GoldOptions
from senna.answers.phrases import PhraseOutput
from senna.answers.roles import OF_GOLD, RoleOutput
from senna.text.roles import marks_of


class MarkOutput(PhraseOutput):
    """Which words are predicates, tagged S-V; read from files of roles."""

    of_gold = OF_GOLD

    def read(self, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
        for gold in RoleOutput().read(lines, name, how):
            yield gold._replace(answer=marks_of(len(gold.forms), gold.answer))

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        return gold

    def vocabulary(self, answers: Iterable[list[str]]) -> list[str]:
        """All predicates are of one word."""
        return sorted({"O", "S-V"}.union(*answers))


OUTPUT = MarkOutput()
