"""The compiled kernel against NumPy, bit by bit, at each level that this processor has."""

import ctypes
import pickle
from pathlib import Path

import numpy as np
import pytest

import senna
from senna.annotation.trees import constituents, leaves_of
from senna.decoding.viterbi import Dense
from senna.inference import convolutions
from senna.inference.convolutions import Convolutions, convolve
from senna.inference.exact import Weights, product, sums
from senna.inference.kernel import calls, library
from senna.kinds.roles.head import view
from senna.kinds.trees.head import SpanVectors, best_trees
from tests import toys
from tests.inference.kernel import twins
from tests.inference.kernel.twins import at

LEVELS = library.built()
BEST = next((name for name in reversed(LEVELS) if name != library.PLAIN), library.OFF)
pytestmark = pytest.mark.skipif(not LEVELS, reason="the kernel was not built")


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("level", LEVELS)
def test_same_bytes_as_numpy(level, seed, tmp_path):
    pairs = list(twins.everything(seed, level, tmp_path))
    assert [pair.what for pair in pairs if twins.differ(pair)] == []


@pytest.mark.parametrize("level", LEVELS)
def test_the_kernel_does_the_work(level, tmp_path):
    """The tests above compare two ways, not NumPy with itself."""
    random = np.random.default_rng(0)
    folder = twins.folder_of(twins.layer_arrays(random, 8, 16, 3, 2), tmp_path / "model")
    with at(level):
        weights, x = Weights.of(twins.normal(random, 8, 5)), twins.normal(random, 6, 8)
        assert calls.product(weights.packed, x, np.empty((6, 5), np.float32))
        lengths = np.array([4, 2])
        assert calls.convolve(Convolutions(folder, "gated", 8, 3, (1, 2)).compiled, x, lengths)
        moves = Dense(twins.normal(random, 8, 8), twins.normal(random, 8)).compiled
        assert calls.decode(moves, x, lengths) is not None
        assert calls.best_trees(x, x, np.array([0, 4]), lengths) is not None
    with at("off"):
        assert not calls.product(weights.packed, x, np.empty((6, 5), np.float32))
        assert Weights.of(weights.numbers).packed is None
        assert calls.decode(moves, x, lengths) is None
        assert calls.best_trees(x, x, np.array([0, 4]), lengths) is None


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, 1e30])
def test_numbers_that_overflow_in_the_last_layer(level, value, tmp_path):
    """NumPy then begins from what the first layer was given, not from what the kernel left."""
    random = np.random.default_rng(0)
    folder = twins.folder_of(twins.layer_arrays(random, 8, 16, 3, 3), tmp_path / "model")
    x, lengths = twins.normal(random, 30, 8), np.array([20, 0, 10])

    def layers() -> Convolutions:
        loaded = Convolutions(folder, "gated", 8, 3, (1, 2, 4))
        loaded.layers[2].bias[3] = value
        return loaded

    def work() -> tuple[np.ndarray, ...]:
        out = x.copy()
        with np.errstate(all="ignore"):
            layers()(out, lengths)
        return (out,)

    assert not twins.differ(twins.both("convolutions", level, work))
    with at(level):
        loaded, out = layers(), x.copy()
        assert loaded.compiled is not None
        assert not calls.convolve(loaded.compiled, out, lengths), "left to NumPy"
        assert (out == x).all()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38])
def test_scores_that_are_not_finite(level, value):
    random = np.random.default_rng(1)
    x, lengths = twins.normal(random, 30, 9), np.array([20, 1, 9])
    x[[3, 20, 25], [2, 3, 0]] = value
    transitions, initial = twins.normal(random, 9, 9), twins.normal(random, 9)
    weights = twins.normal(random, 9, 5)
    starts = np.cumsum(lengths) - lengths
    for what, work in (
        ("product", lambda: (product(x, Weights.of(weights)),)),
        ("whole", lambda: (Weights.of(weights).apply(np.rint(x)),)),
        ("paths", lambda: (Dense(transitions, initial).decode(x, lengths),)),
        ("moves", lambda: (Dense(x[:9], initial).decode(x[9:18], np.array([9])),)),
        ("trees", lambda: best_trees(SpanVectors(x, -x, x, x), starts, lengths)),
    ):
        with np.errstate(all="ignore"):
            assert not twins.differ(twins.both(what, level, work)), what


@pytest.mark.parametrize("level", LEVELS)
def test_large_units_whose_sums_would_be_rounded(level, tmp_path):
    """Sums in double precision are exact of small ones alone: others are NumPy's."""
    random = np.random.default_rng(2)
    folder = twins.folder_of(twins.layer_arrays(random, 8, 16, 3, 1), tmp_path / "model")
    lengths = np.array([12])
    with at(level):
        layers = Convolutions(folder, "gated", 8, 3, (1,)).compiled
        assert calls.convolve(layers, twins.normal(random, 12, 8), lengths)
        assert not calls.convolve(layers, twins.normal(random, 12, 8) * np.float32(1e3), lengths)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("units", "largest"), [(8, 490.5), (256, 490.5), (8, 630.25), (256, 600)])
def test_large_units_are_computed_as_numpy_does(level, units, largest, tmp_path):
    random = np.random.default_rng(3)
    arrays = twins.layer_arrays(random, units, 16, 3, 1)
    small = {name: array / np.float32(10) for name, array in arrays.items()}
    folder = twins.folder_of(small, tmp_path / "model")
    x, lengths = twins.normal(random, 12, units), np.array([12])
    x[::3, 5], x[1::3, 2] = -0.99 * largest, largest
    out = x.copy()
    with at(level):
        layers = Convolutions(folder, "gated", units, 3, (1,))
        assert calls.convolve(layers.compiled, out, lengths)
    convolve(layers.layers, x, lengths)
    assert (out.view(np.uint32) == x.view(np.uint32)).all()


@pytest.mark.parametrize("model", ["", "paper"])
def test_the_networks_of_the_package_are_left_to_the_kernel(model, monkeypatch):
    """What it refuses costs several times as long."""

    def refuse(*_: object) -> None:
        raise AssertionError("left to NumPy")

    monkeypatch.setattr(convolutions, "convolve", refuse)
    text = Path(__file__).parents[3].joinpath("docs", "output.md").read_text("utf-8")
    tasks = {} if model else {"tasks": "all"}
    with at(BEST):
        senna.load(**tasks, model=model or None)(text[:20_000])


@pytest.mark.parametrize("level", LEVELS)
def test_every_number_of_16_bits_in_32(level):
    numbers = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    with at(level):
        found = calls.widened(numbers)
    expected = numbers.astype(np.float32)
    assert (np.isnan(found) == np.isnan(expected)).all()
    real = ~np.isnan(expected)
    assert (found[real].view(np.uint32) == expected[real].view(np.uint32)).all()


def test_weights_beyond_16_bits_are_numpys():
    with at(BEST):
        assert Weights.of(np.array([[1.0], [0.01]], np.float32)).packed is None
        packed = Weights.of(np.array([[1.0], [1.0], [0.01]], np.float32)).packed
        assert packed.shape == (3, 1)


def test_layers_and_moves_go_to_other_processes(tmp_path):
    random = np.random.default_rng(4)
    folder = twins.folder_of(twins.layer_arrays(random, 8, 0, 3, 1), tmp_path / "model")
    x, lengths = twins.normal(random, 9, 8), np.array([9])
    with at(BEST):
        paths = Dense(twins.normal(random, 8, 8), twins.normal(random, 8))
        moves = pickle.loads(pickle.dumps(paths.compiled))
        expected, path = x.copy(), calls.decode(moves, x, lengths)
        assert (path == paths.decode(x, lengths)).all()
        layers = Convolutions(folder, "gated", 8, 3, (1,))
        assert calls.convolve(layers.compiled, expected, lengths)
        assert calls.convolve(pickle.loads(pickle.dumps(layers)).compiled, x, lengths)
    assert (x == expected).all()


def test_shapes_that_do_not_fit_are_refused(tmp_path):
    random = np.random.default_rng(5)
    x, out = twins.normal(random, 6, 8), np.empty((6, 5), np.float32)
    folder = twins.folder_of(twins.layer_arrays(random, 8, 16, 3, 1), tmp_path / "model")
    with at(BEST):
        packed = Weights.of(twins.normal(random, 8, 5)).packed
        layers = Convolutions(folder, "gated", 8, 3, (1,)).compiled
        [layer] = layers.layers
        moves = Dense(twins.normal(random, 8, 8), twins.normal(random, 8)).compiled
        n = np.array([6])
        wrong = [
            lambda: calls.product(packed, x[:, 1:], out),
            lambda: calls.product(packed, x.astype(np.float64), out),
            lambda: calls.product(packed, x, out[1:]),
            lambda: calls.Packed(packed.numbers, packed.scale, packed.scale[1:]),
            lambda: calls.Packed(packed.numbers[:, 1:], packed.scale, packed.scale),
            lambda: calls.convolve(layers, x[:, 1:].copy(), n),
            lambda: calls.convolve(layers, x[:, ::-1], n),
            lambda: calls.convolve(layers, x, np.array([7])),
            lambda: calls.convolve(layers, x, np.array([8, -2])),
            lambda: calls.convolve(layers, x, np.array([2**62, 2**62, 2**62, 2**62 + 6])),
            lambda: calls.Layers([layer], 9),
            lambda: calls.Layers([layer._replace(width=2)], 8),
            lambda: calls.Layers([layer._replace(bias=layer.bias[1:])], 8),
            lambda: calls.Layers([layer._replace(up=packed)], 8),
            lambda: calls.decode(moves, x[:, 1:], n),
            lambda: calls.decode(moves, x, np.array([5])),
            lambda: calls.Moves(*[x[:, :6]] * 3, x[:4, :1], 6),
            lambda: calls.best_trees(x, x[1:], np.array([0]), n),
            lambda: calls.best_trees(x, x, np.array([1]), n),
            lambda: calls.best_trees(x, x, np.array([-1]), n),
            lambda: calls.best_trees(x, x, np.array([6]), np.array([0])),
            lambda: calls.best_trees(x, x, np.array([0, 1]), n),
        ]
        for call in wrong:
            with pytest.raises(ValueError, match=r".+"):
                call()


@pytest.mark.parametrize("level", LEVELS)
def test_sums_of_rows_that_are_not_there(level):
    table = np.ones((3, 4), np.float32)
    with at(level):
        assert calls.sums([(table, np.array([0, 2]))], None, False, np.empty((2, 4), np.float32))
        for wrong in ([(table, np.array([0, 3]))], [(table, np.array([-1, 0]))]):
            with pytest.raises(IndexError):
                sums(wrong)
        for wrong in ([(table, np.array([-2, 0]))], [(table[:, :3], np.array([0, 0]))]):
            with pytest.raises((IndexError, ValueError)):
                sums(wrong, np.zeros(4, np.float32), out=np.empty((2, 4), np.float32))
    with at("off"):
        assert not calls.sums([(table, np.array([0]))], None, False, np.empty((1, 4), np.float32))


@pytest.mark.parametrize("level", LEVELS)
def test_a_rectified_sum_of_minus_zero_is_zero(level):
    table = np.array([[-0.0, 0.0, -1.0, 1.0, np.nan] * 4], np.float32)
    with at("off"):
        expected = sums([(table, np.array([0]))], rectified=True)
    with at(level):
        compiled = sums([(table, np.array([0]))], rectified=True)
    assert np.signbit(compiled[:, :4]).sum() == 0
    assert np.array_equal(compiled, expected, equal_nan=True)
    assert np.array_equal(np.signbit(compiled[:, :4]), np.signbit(expected[:, :4]))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_views_of_more_words_than_memory_holds_are_refused(level, n):
    """Their sum may be 0 in 64 bits."""
    constituents = np.array([[0, 2, 1, 1]])
    with at(level):
        for row in ([0, 2**62, 0, 2**62, 0, 1], [0, 1, 2**62, 2**63 - 1, 0, 1]):
            with pytest.raises(ValueError, match="beyond"):
                calls.views(constituents, np.array([row] * n))


@pytest.mark.parametrize("level", LEVELS)
def test_a_call_that_needs_more_memory_than_can_be_counted_is_left_to_numpy(level):
    """The sizes of its parts would overflow, so it would take too little."""
    with at(level):
        compiled = library.library()
        matrix = calls._Matrix(None, None, 2**56, 2**56)
        sizes = calls._int(0), calls._int(0)
        assert compiled.senna_product(ctypes.byref(matrix), None, *sizes, None) == 1


@pytest.mark.parametrize("level", LEVELS)
def test_views_of_trees(level):
    """All predicates of trees in one call, of all words and of those near them."""
    random, labels = np.random.default_rng(3), {"S": 1, "NP": 2}  # and others
    lengths = np.array([1, 2, 9, 30, 60])
    words = [leaves_of(["w"] * n, ["NN"] * n) for n in lengths.tolist()]
    trees = [constituents(toys.tree(random, leaves)) for leaves in words]
    sentences = np.repeat(np.arange(5), lengths)
    positions = np.concatenate([np.arange(n) for n in lengths])
    first = np.maximum(positions - 4, 0)
    seen = np.minimum(positions + 5, lengths[sentences]) - first
    rows = [
        (
            p.start,
            p.end,
            labels.get(p.label.split("+")[0], 0),
            labels.get(p.label.split("+")[-1], 0),
        )
        for tree in trees
        for p in tree
    ]
    spans, ends = np.array(rows, np.int64), np.cumsum([0, *map(len, trees)])
    columns = (positions, lengths[sentences], first, seen, ends[sentences], ends[sentences + 1])
    predicates = np.stack(columns, axis=1)
    expected = [
        np.array(view(place, trees[s], labels, int(lengths[s])))[:, a : a + m]
        for s, place, a, m in zip(sentences, positions.tolist(), first, seen, strict=True)
    ]
    with at(level):
        views = calls.views(spans, predicates)
        assert views.tolist() == np.concatenate(expected, axis=1).tolist()
        for column, value in ((1, 200), (1, 0), (0, -1), (0, 200)):
            wrong = spans.copy()
            wrong[3, column] = value
            assert calls.views(wrong, predicates) is None
        for column in (2, 3, 4, 5):
            wrong = predicates.copy()
            wrong[3, column] += 1_000
            with pytest.raises(ValueError, match="beyond|not there"):
                calls.views(spans, wrong)
        none = calls.views(np.empty((0, 4), np.int64), np.array([[0, 2, 0, 2, 0, 0]]))
        assert none.tolist() == [[3, 3], [0, 0]]
    with at("off"):
        assert calls.views(spans, predicates) is None
