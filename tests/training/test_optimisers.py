"""Steps of the weights: every optimiser learns, and L2 is in the loss of a sentence."""

import dataclasses
import math

import pytest
import torch

from senna.registry import OPTIMISERS
from senna.training.layers.weights import regularised
from tests.training.test_loop import by_heart, small, trainer_of, weights_of

RATES = {"adam": 0.01, "sgd": 0.4, "adagrad": 0.05, "momentum": 0.1, "nesterov": 0.1}
RATES |= {"adadelta": 5.0, "rmsprop": 0.005}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_every_optimiser_learns(tmp_path, name):
    rates = {"learning_rate": RATES[name], "schedule": "constant"}
    trainer = trainer_of(
        small("ner", epochs=12, optimiser=name, **rates), by_heart("ner", 10), tmp_path
    )
    words = trainer.model.inputs.word.detach().clone()
    assert trainer.scores()["ner"] < 60
    assert trainer.run().best_score > 80
    assert not torch.equal(words, trainer.model.inputs.word.detach())


@pytest.mark.parametrize("optimiser", ["adam", "sgd"])
def test_l2_is_half_the_squares_of_matrices_in_the_loss_of_a_sentence(tmp_path, optimiser):
    """Not of biases, and not of lookup tables."""
    config = small("ner", optimiser=optimiser, clip=0.0, l2=0.02, schedule="constant")
    gradients = []
    for l2 in (0.0, 0.02):
        train = dataclasses.replace(config.train, l2=l2)
        out = tmp_path / str(l2)
        trainer = trainer_of(dataclasses.replace(config, train=train), by_heart("ner"), out)
        with torch.no_grad():
            head = trainer.model.head("ner")
            head.transitions += 0.5
            head.output.bias += 0.5
        before = weights_of(trainer)
        trainer.total_steps = 1
        batch = trainer.examples.batches.batch("ner", trainer.tasks[0].train[:3])
        trainer.loss, trainer.n_words = 0.0, 0
        trainer.step(("ner", batch, {}))
        learnt = (item for item in trainer.model.named_parameters() if item[1].grad is not None)
        gradients.append({name: weights.grad.to_dense() for name, weights in learnt})
    matrices = {"shared.0.linear.weight", "heads.ner.output.weight", "heads.ner.transitions"}
    letters = "inputs.forms.letters.convolution.weight"
    factor = 0.02 * (1 if optimiser == "adam" else 3)
    plain, regular = gradients
    for name, gradient in plain.items():
        more = factor * before[name] if name in {*matrices, letters} else 0.0
        torch.testing.assert_close(regular[name], gradient + more, msg=name)
    assert len(regularised(trainer.model)) == 4
    assert math.isclose(float(before["heads.ner.transitions"].mean()), 0.5)
