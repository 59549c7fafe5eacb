"""The tiny network of step units for teachers."""

import numpy as np
import pytest


@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("hidden", [20, 0])
def test_only_hidden_units_learn_equal_signs(hidden, seed):
    from equal_signs import TARGETS, learn

    right = np.sign(learn(hidden=hidden, seed=seed)) == TARGETS
    assert right.all() == bool(hidden)


def test_without_training_the_answers_are_wrong():
    from equal_signs import TARGETS, learn

    answers = [np.sign(learn(epochs=0, seed=seed)) for seed in range(1, 11)]
    assert sum(bool((answer == TARGETS).all()) for answer in answers) < 5
