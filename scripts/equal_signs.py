r"""Train a tiny network of step units to say whether two signs are equal, for teaching.

    python scripts/equal_signs.py [--hidden 20] [--epochs 20] [--rate 0.02] \
           [--first 0.5] [--seed 1]

A step has no gradient. So each unit is a step in the forward pass, and the backward pass takes the
gradient of tanh instead. With `--hidden 0`, the network is linear and cannot learn the task.
"""

import argparse

import numpy as np

INPUTS = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], float)
TARGETS = np.array([1, -1, -1, 1], float)  # 1 if both signs are equal


def learn(
    hidden: int = 20, epochs: int = 20, rate: float = 0.02, first: float = 0.5, seed: int = 1
) -> np.ndarray:
    """The network's four answers after training, for the rows of `INPUTS`: (4,) float64."""
    rng = np.random.default_rng(seed)
    n = hidden or 2  # without hidden units, the output sees the two inputs
    weights, bias = rng.uniform(-first, first, (n, 2)), rng.uniform(-first, first, n)
    out, out_bias = rng.uniform(-first, first, n), 0.0

    def units(x: np.ndarray) -> np.ndarray:
        return np.where(weights @ x + bias > 0, 1.0, -1.0) if hidden else x

    for _ in range(epochs):
        for row in rng.permutation(len(INPUTS)):
            x = INPUTS[row]
            h = units(x)
            error = 2 * (out @ h + out_bias - TARGETS[row])  # the gradient of the squared error
            slope = 1 - np.tanh(weights @ x + bias) ** 2  # of tanh, where the step has none
            back = error * out * slope
            out, out_bias = out - rate * error * h, out_bias - rate * error
            weights, bias = weights - rate * np.outer(back, x), bias - rate * back
    return np.array([out @ units(x) + out_bias for x in INPUTS])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train step units on equal signs.")
    for name, value in {"hidden": 20, "epochs": 20, "rate": 0.02, "first": 0.5, "seed": 1}.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    answers = learn(**vars(parser.parse_args()))
    for x, answer, target in zip(INPUTS, answers, TARGETS, strict=True):
        print(f"{x[0]:+.0f} {x[1]:+.0f}  answer {answer:+.2f}  target {target:+.0f}")
