"""Part-of-speech tags, chunks, named entities and more for English, fast and with NumPy alone.

>>> import senna
>>> nlp = senna.load()
>>> doc = nlp("Anna Weber flew to Lisbon.")
>>> [(span.text, span.label) for span in doc.spans("ner")]
[('Anna Weber', 'PER'), ('Lisbon', 'LOC')]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from senna.errors import SennaError
from senna.version import __version__

# The program passes here before it can answer Ctrl-C: nothing more is imported.
if TYPE_CHECKING:
    from pathlib import Path

    from senna.document.document import Constituent, Document, Frame, Match, Sentence, Span, Token
    from senna.document.nlp import Nlp
    from senna.document.show import show
    from senna.evaluation import Evaluation, evaluate
    from senna.training.start import train

__all__ = [
    "Constituent",
    "Document",
    "Evaluation",
    "Frame",
    "Match",
    "Nlp",
    "SennaError",
    "Sentence",
    "Span",
    "Token",
    "__version__",
    "evaluate",
    "load",
    "show",
    "train",
]

_HOMES = {  # of what is imported when it is asked for
    "evaluation": ("Evaluation", "evaluate"),
    "document.document": ("Constituent", "Document", "Frame", "Match", "Sentence", "Span", "Token"),
    "document.nlp": ("Nlp",),
    "document.show": ("show",),
    "training.start": ("train",),
}


def load(
    tasks: str | Sequence[str] | None = None,
    model: str | Path | None = None,
    *,
    convention: str = "modern",
    line_breaks: str = "auto",
    input: str = "text",
    predicates: str | Path = "auto",
    scores: bool = False,
    n_best: int = 1,
    min_confidence: float = 0.0,
    gazetteer: Mapping[str, Sequence[str]] | None = None,
    force: bool = False,
) -> Nlp:
    """Load the package's models for some tasks (all by default), or one model.

    `model` names one of the package, "ner", or a folder, "./ner". `convention` and `line_breaks`
    say how raw text is split, `input` whether texts are "text" or "html", `predicates` how those of
    srl are found: "auto", "pos", the `Path` of a model (see `senna tag --help`), or "given", where
    `roles` is told them. With `scores` tags and spans tell how probable they are; `n_best` taggings
    of each task are kept; spans less probable than `min_confidence` are left out. `gazetteer` lists
    phrases of some types, {"PER": [...]}, that models know beside their own lists, or with `force`
    that are names of these types. Raises `SennaError` for an unknown task or a damaged folder.
    """
    from pathlib import Path

    from senna.document.nlp import Nlp
    from senna.infer.confidence import Asked
    from senna.infer.pipeline import FINDERS, Pipeline
    from senna.model.folder import model_path
    from senna.text.choices import CONVENTIONS, LINE_BREAKS, TEXTS

    for name, value, known in (
        ("convention", convention, CONVENTIONS),
        ("line_breaks", line_breaks, LINE_BREAKS),
        ("input", input, TEXTS),
        ("predicates", "auto" if isinstance(predicates, Path) else predicates, FINDERS),
    ):
        if value not in known:
            mend = f"Choose {' or '.join(known)}."
            raise SennaError(f"{name} = {value!r} is not known", mend=mend)
    if isinstance(tasks, str):
        tasks = [task.strip() for task in tasks.split(",")]
    folder = model_path(model) if isinstance(model, str) else model
    asked = Asked(scores, n_best, min_confidence)
    pipeline = Pipeline.load(tasks, folder, predicates, asked, gazetteer or {}, force)
    return Nlp(pipeline, convention, line_breaks, input)


def __getattr__(name: str) -> Any:
    """What is public, imported when it is asked for."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"senna.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
