"""The table of which words the maximum takes its numbers from."""

import numpy as np
import pytest

from senna.inference.networks.settings import SentenceConfig
from senna.training.config import NetworkConfig
from tests import toys


@pytest.mark.parametrize("reach", [1, 3, 9])
def test_counts_against_loops(reach):
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


def test_units_of_a_model_are_counted_once_and_printed(tmp_path, capsys):
    from paper_maxima import SENTENCE, chosen, main

    network = NetworkConfig("sentence", sentence=SentenceConfig(3, 30, 8, distance=2))
    model = toys.model(tmp_path / "model", "srl", network=network)
    every = chosen(model, SENTENCE, SENTENCE.index("report"))
    assert [len(counts) for counts in every] == [len(SENTENCE)] * len(SENTENCE)
    assert all(counts.sum() == 30 for counts in every)
    # The predicate is part of what words give.
    other = chosen(model, SENTENCE, 4)
    assert any((a != b).any() for a, b in zip(every, other, strict=True))
    capsys.readouterr()
    main([str(model)])
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [word for word, *_ in rows] == SENTENCE
    shown = [[int(row[column]) for row in rows] for column in (1, 2)]
    assert shown == [every[SENTENCE.index(word)].tolist() for word in ("firm", "month")]
