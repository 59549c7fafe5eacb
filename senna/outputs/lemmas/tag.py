"""From a network's last layer to lemmas: the best rule of each word, applied to its form."""

from __future__ import annotations

from collections.abc import Sequence

from senna.model.folder import ModelFolder
from senna.outputs.tags.tag import TagHead
from senna.paths.confidence import PLAIN, Request
from senna.products.exact import Floats
from senna.products.workspace import Block
from senna.text.capitals import CASELESS, kind_of
from senna.text.lemmas import apply_rule


class LemmaHead(TagHead):
    """The output layer of rules."""

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[list[str]]:
        """The lemmas of each sentence's words; x is what the network gives, (n_words, units)."""
        answers = super().__call__(x, block, request)
        for forms, rules in zip(block.forms, answers, strict=True):
            caseless = kind_of(forms) == CASELESS
            rules[:] = [apply_rule(*pair, caseless) for pair in zip(rules, forms, strict=True)]
        return answers


def head(folder: ModelFolder, task: str, units: int, settings: object) -> LemmaHead:
    """The head above an encoder that gives `units` numbers per word."""
    return LemmaHead(folder, task, units)
