"""Part-of-speech tags, chunks, named entities and more for English, fast and with NumPy alone.

>>> import senna
>>> nlp = senna.load()
>>> doc = nlp("Anna Weber flew to Lisbon.")
>>> [(span.text, span.label) for span in doc.spans("ner")]
[('Anna Weber', 'PER'), ('Lisbon', 'LOC')]
"""

from __future__ import annotations

from senna.errors import SennaError
from senna.version import __version__

# The program imports this before it can answer Ctrl-C: nothing more is imported, not even `typing`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from senna.document.document import Document, Sentence, read
    from senna.document.nlp import Nlp, load
    from senna.document.parts import Constituent, Frame, Match, Span, Token
    from senna.drawing.show import show
    from senna.extras.glossary import Meaning, explain
    from senna.extras.search.search import search
    from senna.formats.vectors import word_vectors
    from senna.pipeline.evaluate import Evaluation, evaluate
    from senna.pipeline.files import convert
    from senna.pipeline.output_folder import convert_each
    from senna.training.start import train

__all__ = [
    "Constituent",
    "Document",
    "Evaluation",
    "Frame",
    "Match",
    "Meaning",
    "Nlp",
    "SennaError",
    "Sentence",
    "Span",
    "Token",
    "__version__",
    "convert",
    "convert_each",
    "evaluate",
    "explain",
    "load",
    "read",
    "search",
    "show",
    "train",
    "word_vectors",
]

_HOMES = {  # of what is imported when it is asked for
    "pipeline.files": ("convert",),
    "pipeline.evaluate": ("Evaluation", "evaluate"),
    "pipeline.output_folder": ("convert_each",),
    "document.document": ("Document", "Sentence", "read"),
    "document.nlp": ("Nlp", "load"),
    "document.parts": ("Constituent", "Frame", "Match", "Span", "Token"),
    "drawing.show": ("show",),
    "extras.search.search": ("search",),
    "extras.glossary": ("Meaning", "explain"),
    "training.start": ("train",),
    "formats.vectors": ("word_vectors",),
}


def __getattr__(name: str) -> Any:
    """A public name, imported when it is asked for."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"senna.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
