"""Documents shown in a notebook, or written as a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from senna.document.document import Document, Sentence, drawn
from senna.document.parts import Span
from senna.errors import SennaError
from senna.files import replacing


@dataclass(frozen=True)
class Shown:
    """The result of `show`: a notebook draws it, and `save` writes it."""

    sentences: tuple[Sentence, ...]

    def _repr_html_(self) -> str:
        """A part of the notebook's page."""
        return drawn(self.sentences, whole=False)

    def html(self) -> str:
        """A page that is complete in itself, as a text."""
        return drawn(self.sentences)

    def save(self, path: str | Path) -> None:
        """Write a page that is complete in itself; it appears whole or not at all."""
        with replacing(Path(path)) as temporary:
            temporary.write_text(self.html(), encoding="utf-8", newline="\n")


def show(what: Document | Sentence | Span) -> Shown:
    """A document, a sentence, or the sentence of a span, for a notebook to draw.

    Names are marked in the text; chunks, roles and trees are rows under the words.
    """
    if isinstance(what, Document):
        return Shown(tuple(what))
    if isinstance(what, Sentence | Span):
        return Shown((what if isinstance(what, Sentence) else what.sentence,))
    mend = "Give a document, a sentence or a span; for a text, nlp(text)."
    raise SennaError(f"nothing to show in a {type(what).__name__}", mend=mend)
