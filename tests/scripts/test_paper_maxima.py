"""The picture of which words the maximum takes its numbers from."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.tiny import train_small

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
SENTENCE = "The firm said that it would report its < profits & more every month .".split()
SETTINGS = ("network.kind=sentence", "network.sentence.units=30", "network.sentence.hidden=8")
REACH = ("network.sentence.distance=2", "network.sentence.width=3")


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


@pytest.mark.parametrize("reach", [1, 3, 9])
def test_counts_against_loops(reach: int) -> None:
    from paper_maxima import counts

    random = np.random.default_rng(reach)
    words = random.normal(size=(7, 11)).astype(np.float32)
    near = random.normal(size=(2 * reach + 1, 11)).astype(np.float32)
    for place in range(7):
        expected = [0] * 7
        for unit in range(11):
            away = [max(-reach, min(reach, t - place)) for t in range(7)]
            values = [words[t, unit] + near[reach + away[t], unit] for t in range(7)]
            expected[values.index(max(values))] += 1
        assert counts(words, near, place).tolist() == expected


def test_units_of_a_model_are_counted_once_and_drawn(tmp_path: Path) -> None:
    from paper_maxima import chosen, main

    model = train_small("srl", tmp_path / "run", *SETTINGS, *REACH)
    predicate = SENTENCE.index("report")
    every = chosen(model, SENTENCE, predicate)
    assert [len(counts) for counts in every] == [len(SENTENCE)] * len(SENTENCE)
    assert all(counts.sum() == 30 for counts in every)
    # The predicate is part of what words give.
    other = chosen(model, SENTENCE, 2)
    assert any((a != b).any() for a, b in zip(every, other, strict=True))
    path = tmp_path / "maxima.svg"
    sentence = ["--sentence", " ".join(SENTENCE), "--words", "firm", "<", "--write", str(path)]
    main([str(model), *sentence])
    picture = path.read_text(encoding="utf-8")
    ElementTree.fromstring(picture)
    shown = re.findall(r'middle">(\d+)<', picture)
    places = SENTENCE.index("firm"), SENTENCE.index("<")
    assert [int(n) for n in shown] == [n for place in places for n in every[place].tolist()]
    with pytest.raises(SystemExit, match="the sentence has no word 'banana'"):
        main([str(model), "--words", "banana"])
