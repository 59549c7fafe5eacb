"""scripts/rerank.py: candidates, their probabilities, and which is chosen."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from senna.model.folder import ModelFolder, read_model
from senna.training.examples.corpora import Example
from tests import toys


@pytest.fixture
def examples() -> list[Example]:
    return [example for example in toys.corpus("chunk", 9).train if len(example.forms) > 1]


def model(folder: Path, seed: int) -> ModelFolder:
    config = replace(toys.SMALL, tasks=("chunk",))
    return read_model(toys.exported(toys.setup(config, seed=seed), folder))


def test_a_model_gives_candidates_its_own_probabilities(tmp_path, examples):
    from rerank import candidates_of, scored

    folder = model(tmp_path, 1)
    candidates = scored(folder, "chunk", examples, candidates_of(folder, "chunk", examples, 4))
    for of_one, example in zip(candidates, examples, strict=True):
        assert len({tuple(candidate.tags) for candidate in of_one}) == len(of_one) > 1
        for candidate in of_one:
            assert len(candidate.tags) == len(example.forms)
            assert candidate.second == pytest.approx(candidate.first, abs=0.05)  # weights of bytes


def test_the_share_decides_between_two_models(tmp_path, examples):
    from rerank import candidates_of, chosen, scored

    first, second = model(tmp_path / "a", 1), model(tmp_path / "b", 2)
    candidates = scored(second, "chunk", examples, candidates_of(first, "chunk", examples, 5))
    assert chosen(candidates, 0.0) == [of_one[0].tags for of_one in candidates]
    best = [max(of_one, key=lambda candidate: candidate.second).tags for of_one in candidates]
    assert chosen(candidates, 1.0) == best != chosen(candidates, 0.0)


def test_what_the_second_model_does_not_know_is_never_chosen():
    from rerank import Candidate, chosen

    one = [Candidate(["S-X"], -0.1, -math.inf), Candidate(["O"], -2.0, -3.0)]
    assert chosen([one], 0.0) == [["S-X"]]
    assert chosen([one], 0.5) == chosen([one], 1.0) == [["O"]]


def test_the_oracle_has_the_most_right_tags():
    from rerank import Candidate, oracle

    one = [
        Candidate(["O", "O"], -0.1),
        Candidate(["S-X", "S-Y"], -0.2),
        Candidate(["S-X", "O"], -3),
    ]
    assert oracle([one], [["S-X", "O"]]) == [["S-X", "O"]]
