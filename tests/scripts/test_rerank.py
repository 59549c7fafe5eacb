"""scripts/experiments/rerank.py: candidates, their probabilities, and which is chosen."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from senna.model.folder import ModelFolder, read_model
from senna.training.examples.data import Example
from tests import toys

EXPERIMENTS = Path(__file__).parents[2] / "scripts" / "experiments"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXPERIMENTS))


@pytest.fixture
def examples() -> list[Example]:
    return [example for example in toys.corpus("chunk", 9).train if len(example.forms) > 1]


def model(folder: Path, seed: int) -> ModelFolder:
    config = replace(toys.SMALL, tasks=("chunk",))
    return read_model(toys.exported(toys.setup(config, seed=seed), folder))


def test_the_share_decides_between_two_models(tmp_path: Path, examples: list[Example]) -> None:
    from rerank import candidates_of, chosen, scored

    first, second = model(tmp_path / "a", 1), model(tmp_path / "b", 2)
    candidates = scored(second, "chunk", examples, candidates_of(first, "chunk", examples, 5))
    assert chosen(candidates, 0.0) == [of_one[0].tags for of_one in candidates]
    best = [max(of_one, key=lambda candidate: candidate.second).tags for of_one in candidates]
    assert chosen(candidates, 1.0) == best != chosen(candidates, 0.0)


def test_what_the_second_model_does_not_know_is_never_chosen() -> None:
    from rerank import Candidate, chosen

    one = [Candidate(["S-X"], -0.1, -math.inf), Candidate(["O"], -2.0, -3.0)]
    assert chosen([one], 0.0) == [["S-X"]]
    assert chosen([one], 0.5) == chosen([one], 1.0) == [["O"]]
