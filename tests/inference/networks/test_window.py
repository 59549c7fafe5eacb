"""The window network against plain loops."""

import numpy as np
import pytest

from senna.errors import SennaError
from senna.inference.exact import LEVELS
from senna.inference.networks.settings import WindowConfig
from senna.inference.networks.window import HiddenLayer
from senna.model.folder import read_model
from senna.model.writing import write_model
from senna.pipeline.pipeline import Pipeline
from senna.text.vocabulary import Spelling
from tests import oracles, toys
from tests.inference.kernel.twins import folder_of
from tests.inference.networks.texts import Text, load

LINEAR = (("weight", 2), ("bias", 1))  # arrays of a layer, and their dimensions


@pytest.mark.parametrize(
    ("widths", "shared"),
    [
        *(((1,), 1), ((5,), 1), ((3, 1), 1), ((5, 3, 7), 1), ((5, 3, 7), 2)),
        *(((width,), 0) for width in (1, 3, 5)),
    ],
)
def test_against_plain_loops(tmp_path, widths, shared):
    """From form vectors to scores, word by word, from what the folder stores.

    Without hidden layers, shared = 0, the output layer of each task sees the window itself.
    """
    units = (8, 5, 4)[: len(widths)] if shared else ()
    window = toys.window(widths, units, max(shared, 1))
    network = load(toys.model(tmp_path / "model", "chunk", "ner", network=window))
    forms = [["The", "x", "Anna", "Weber"], ["unknown"], ["12", "."]]
    encoder, text = network.first.encoder, Text(network, forms)

    def layer(name: str) -> list[np.ndarray]:
        return [network.folder.array(f"{name}.{k}", *[None] * n) for k, n in LINEAR]

    padding = encoder.encode([Spelling.of("")])[0]
    for task in ("chunk", "ner"):
        expected = []
        for own in forms:
            x = encoder.encode(list(map(Spelling.of, own)))
            for i in range(len(units)):
                name = f"layer-{i}" if i < shared else f"{task}.layer-{i}"
                x = oracles.window_layer(x, *layer(name), padding if i == 0 else None)
            output = layer(f"{task}.output")
            expected.append(oracles.window_layer(x, *output, padding, linear=True))
        head = network.heads[task]
        columns = [head.tags.index(name) for name in head.names]
        scores = np.concatenate(expected)[:, columns]
        # Activations are whole numbers up to 255.
        np.testing.assert_allclose(text.scores(task), scores, atol=0.02 if units else 0.05)
        assert np.abs(scores).max() > 0.5
        assert list(map(len, text.annotate(task))) == [4, 1, 2]


def test_linear_layers_that_do_not_fit_each_other(tmp_path):
    """In a damaged folder: of two tasks, which share the features."""
    linear = toys.window((3,), ())
    folder = read_model(toys.model(tmp_path / "model", "pos", "ner", network=linear))
    arrays = dict(folder.arrays())
    arrays["ner.output.weight"] = arrays["ner.output.weight"][:-3]
    texts = {name: folder.lines(name) for name in folder.meta["files"] if name.endswith(".txt")}
    meta = {key: value for key, value in folder.meta.items() if key not in ("format", "files")}
    write_model(tmp_path / "other", meta, arrays, texts)
    with pytest.raises(SennaError, match="numbers a word, the features have|do not fit"):
        Pipeline.load(model=tmp_path / "other")


@pytest.mark.parametrize("width", [1, 3, 5, 7])
@pytest.mark.parametrize("lengths", [[1], [4], [3, 1, 0, 2, 9], [0], []])
def test_a_later_hidden_layer(tmp_path, width, lengths):
    random = np.random.default_rng(width)
    x = np.rint(LEVELS * random.uniform(-1, 1, (sum(lengths), 3))).astype(np.float32)
    weights = random.normal(0, 0.5, (width * 3, 4)).astype(np.float32)
    bias = random.normal(size=4).astype(np.float32)
    settings = WindowConfig((1, width), (3, 4), 2)
    folder = folder_of({"layer-1.weight": weights, "layer-1.bias": bias}, tmp_path / "model")
    layer = HiddenLayer(folder, settings, "", 1)
    found = layer(x.copy(), np.array(lengths, np.int64))
    parts = np.split(x / LEVELS, np.cumsum(lengths)[:-1]) if lengths else []
    expected = [oracles.window_layer(part, weights, bias) for part in parts]
    whole = np.concatenate(expected) if expected else np.zeros((0, 4))
    # Half a step, and what weights of eight bits lose.
    np.testing.assert_allclose(found, LEVELS * whole, atol=1.5)
    assert np.array_equal(found, np.rint(found))
    assert (np.abs(found) == LEVELS).any() or len(found) < 4, "HardTanh cuts something off"
