"""Inflected forms in sentences of one pattern, whose lemmas are known.

tests/quality/lemmas has three files: irregular verbs (past tense, participle, lemma), plurals of
nouns and regular verbs. `measure_quality.py --lemmas` counts those whose lemma is right. No model
and no table learns from them. Of a FILE of tokens, a sentence per line, it counts the inflected
words in lower case whose lemma is no word: neither in the vocabulary of the base table nor a lemma
of the model's table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import cast

import senna
from senna.files import open_text
from senna.heads.lemmas import LemmaHead
from senna.model.folder import model_path, shipped
from senna.text.lemmas import ENDINGS, apply_rule

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
OPEN = """\
| open text | words | inflected | lemma is no word |
|---|---:|---:|---:|"""
SENTENCES = 10_000  # of open text
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


def report(models: Sequence[str], errors: bool, files: Sequence[Path] = ()) -> Iterator[str]:
    """The table; with `errors` the wrong lemmas below each of its rows.

    models: none, or one, a name or a folder, in the place of the package's for lemmas.
    """
    chosen = model_path(models[-1]) if models else shipped()["lemma"]
    nlp = senna.load(tasks=["pos", "lemma"], model={"lemma": chosen})
    if files:
        yield OPEN
        for path in files:
            yield from _open_text(nlp, path, errors)
        return
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


def _open_text(nlp: senna.Nlp, path: Path, errors: bool) -> Iterator[str]:
    """The row of a file, and the lemmas that are no words."""
    with open_text(path) as file:
        sentences = [line.split() for line in islice(file, SENTENCES)]
    answers = nlp.tag(sentences)
    head = cast(LemmaHead, nlp.pipeline.owners["lemma"].heads["lemma"])
    assert head.table is not None and head.words is not None
    lemmas = {apply_rule(rule, form) for (form, _), rule in head.table.known.items()}
    lemmas |= set(head.words.entries)
    inflected = [
        (form, lemma)
        for row in zip(sentences, answers["pos"], answers["lemma"], strict=True)
        for form, tag, lemma in zip(*row, strict=True)
        if tag in ENDINGS and form.isalpha() and form.islower()
    ]
    wrong = [pair for pair in inflected if pair[1] not in lemmas]
    words = sum(map(len, sentences))
    yield f"| {path.name} | {words:,} | {len(inflected):,} | {len(wrong)} |"
    if errors:
        yield from (f"  {form}: {lemma}" for form, lemma in wrong)
