"""Generated sentences: their trees, predicates and words."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def lexicon() -> Any:
    """A few words; "hang" stands in tests/quality/frames."""
    forms: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for lemma in ("juggl", "hang", "munch"):
        forms[lemma] |= {"VB": [lemma], "VBP": [lemma], "VBZ": [f"{lemma}s"], "VBD": [f"{lemma}ed"]}
    forms["hang"]["VBD"] = ["hung"]
    names = {"first": ["Ola"], "last": ["Vedd"], "places": ["Marburgh"], "firms": ["Korv"]}
    nouns = {"nouns": ["spoon"], "plurals": ["spoons"], "adjectives": ["blue"]}
    return SimpleNamespace(forms=forms, verbs=["hang", "juggl", "munch"], **names, **nouns)


def test_sentences_have_one_tree_and_a_predicate_per_verb(
    lexicon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.syspath_prepend(str(SCRIPTS / "experiments"))
    from demo_corpus import columns
    from demo_corpus.tree import bracketed
    from turned_sentences import Turned

    writer, seen = Turned(lexicon, "seed"), set()
    for _ in range(300):
        tree = writer.sentence()
        seen.add(re.sub(r" .*", "", bracketed(tree).removeprefix("(TOP (")))
        leaves = list(tree.leaves())
        words = [leaf.word for leaf in leaves]
        assert words[0][0].isupper() and words[-1] in ".!"
        assert not {"hang", "hangs", "hung", "hanging"} & {word.lower() for word in words}
        verbs = [i for i, leaf in enumerate(leaves) if leaf.label[:2] == "VB"]
        helped = [i for i in verbs if words[i] in ("do", "does")]
        predicates = [i for i, row in enumerate(columns.srl_rows(tree)) if row[4] != "-"]
        assert predicates == [i for i in verbs if i not in helped]
        inner = words[1:]
        assert all(word.islower() or word in (*"I.!", "Ola", "Vedd", "Marburgh") for word in inner)
    assert seen == {"S", "SINV"}
