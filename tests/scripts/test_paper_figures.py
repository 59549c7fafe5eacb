"""The picture of hidden units."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def test_points_are_means_and_stand_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from paper_figures import TEST, hidden_units, points

    scores = {10: [90.0], 50: [92.0, 94.0], 900: [94.0]}
    results = [
        {"training": f"units-{n}", "scores": {"chunk": {TEST: score}}}
        for n, every in scores.items()
        for score in every
    ]
    curve = list(points([*results, {"training": "criteria-word", "scores": {}}]))
    assert [(n, mean) for n, mean, _ in curve] == [(10, 90.0), (50, 93.0), (900, 94.0)]
    assert [spread for *_, spread in curve] == [0.0, pytest.approx(2**0.5), 0.0]
    picture = hidden_units(curve)
    ElementTree.fromstring(picture)
    places = [
        tuple(map(float, p)) for p in re.findall('<circle cx="([^"]*)" cy="([^"]*)"', picture)
    ]
    assert places == sorted(places)  # more units stand farther to the right
    heights = [y for _, y in places]
    assert heights == sorted(heights, reverse=True)  # and better ones higher
