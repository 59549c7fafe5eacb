"""Inflected forms in sentences of one pattern, whose lemmas are known.

tests/quality/lemmas has three files: irregular verbs (past tense, participle, lemma), plurals of
nouns and regular verbs. `measure_quality.py --lemmas` counts those whose lemma is right. No model
and no table learns from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import senna
from senna.files import open_text
from senna.model.folder import model_path, shipped

LEMMAS = Path(__file__).resolve().parents[1] / "tests" / "quality" / "lemmas"
PATTERNS = {
    "past": "Yesterday they {} it again .",
    "participle": "They have {} it again .",
    "plural": "We saw the other {} there .",
    "ed": "Yesterday they {} it .",
    "s": "She {} it often .",
    "ing": "They are {} it now .",
}
HEADING = """\
| lemmas | all | right |
|---|---:|---:|"""
Item = tuple[str, str, str]  # the name of a pattern, a form and its lemma


def read(path: Path) -> list[Item]:
    """The forms of a file, each with its pattern and lemma."""
    with open_text(path) as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return [item for row in rows for item in _items(path.stem, row)]


def _items(name: str, row: Sequence[str]) -> Iterator[Item]:
    if name == "irregular-verbs":
        past, participle, lemma = row
        yield from (("past", past, lemma), ("participle", participle, lemma))
    elif name == "irregular-plurals":
        yield ("plural", *row)  # type: ignore[misc]
    else:
        form, ending, lemma = row
        yield ending, form, lemma


def report(models: Sequence[str], errors: bool) -> Iterator[str]:
    """The table; with `errors` the wrong lemmas below each of its rows.

    models: none, or one, a name or a folder, in the place of the package's for lemmas.
    """
    chosen = model_path(models[-1]) if models else shipped()["lemma"]
    nlp = senna.load(tasks=["pos", "lemma"], model={"lemma": chosen})
    yield HEADING
    for path in sorted(LEMMAS.glob("*.txt")):
        items = read(path)
        sentences = [PATTERNS[name].format(form).split() for name, form, _ in items]
        found = [
            (form, lemmas[words.index(form)], lemma)
            for (_, form, lemma), words, lemmas in zip(
                items, sentences, nlp.tag(sentences)["lemma"], strict=True
            )
        ]
        wrong = [one for one in found if one[1] != one[2]]
        yield f"| {path.stem.replace('-', ' ')} | {len(found)} | {len(found) - len(wrong)} |"
        if errors:
            yield from (f"  {form}: {lemma}, expected {right}" for form, lemma, right in wrong)
