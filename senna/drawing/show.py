"""Drawings of documents and their parts, for notebooks and files: see `senna.show`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from senna.atomic import put_text
from senna.document.document import Document, Sentence
from senna.document.parts import Span
from senna.drawing.html import fragment, page
from senna.errors import SennaError


def drawn(sentences: Iterable[Sentence], whole: bool = True) -> str:
    """Sentences as a page that is complete in itself, or as a part of one."""
    parts = ((one.text, one.doc.rows[one.index], one.answers) for one in sentences)
    return page(parts) if whole else fragment(parts)


@dataclass(frozen=True)
class Shown:
    """The result of `show`: a notebook draws it, and `save` writes it."""

    sentences: tuple[Sentence, ...]

    def _repr_html_(self) -> str:
        return drawn(self.sentences, whole=False)

    def html(self) -> str:
        """A page that is complete in itself, as a text."""
        return drawn(self.sentences)

    def save(self, path: str | Path) -> None:
        """Write a page that is complete in itself; it appears whole or not at all."""
        put_text(Path(path), self.html())


def show(what: Document | Sentence | Span) -> Shown:
    """A document, a sentence, or the sentence of a span, for a notebook to draw.

    Names are marked in the text; chunks, roles and trees are rows under the words.
    """
    if isinstance(what, Document):
        return Shown(tuple(what))
    if isinstance(what, Sentence | Span):
        return Shown((what if isinstance(what, Sentence) else what.sentence,))
    remedy = "Give a document, a sentence or a span; for a text, nlp(text)."
    raise SennaError(f"nothing to show in a {type(what).__name__}", remedy=remedy)
