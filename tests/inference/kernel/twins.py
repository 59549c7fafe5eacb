"""Random work for the compiled kernel and for NumPy: both must give the same bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from senna.annotation.schemes import all_tags
from senna.decoding.viterbi import Dense, Roles, paths_of
from senna.inference.convolutions import Convolutions
from senna.inference.exact import Weights, product, sums
from senna.inference.kernel import library
from senna.kinds.trees.head import SpanVectors, best_trees
from senna.model.folder import read_model
from senna.model.writing import write_model

Random = np.random.Generator
Arrays = tuple[np.ndarray, ...]


class Pair(NamedTuple):
    """What one piece of work gives in NumPy and in the kernel."""

    what: str
    expected: Arrays
    compiled: Arrays


@contextmanager
def at(level: str) -> Iterator[None]:
    """What is made and called here has this level of the kernel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SENNA_KERNEL", level)
        library.library.cache_clear()
        yield
    library.library.cache_clear()


def both(what: str, level: str, work: Any) -> Pair:
    """Do some work, which returns arrays, without the kernel and with it."""
    with at("off"):
        expected = work()
    with at(level):
        return Pair(what, expected, work())


def differ(pair: Pair) -> bool:
    """Whether a bit differs; of what is no number the bits are free."""
    for one, other in zip(pair.expected, pair.compiled, strict=True):
        assert one.shape == other.shape, pair.what
        assert one.dtype == other.dtype, pair.what
        whole = one.dtype.kind == "i"
        same = one == other if whole else one.view(np.int32) == other.view(np.int32)
        if not (same | (False if whole else np.isnan(one) & np.isnan(other))).all():
            return True
    return False


def normal(random: Random, *shape: int) -> np.ndarray:
    return random.normal(size=shape).astype(np.float32)


def lengths_of(random: Random, n: int, longest: int, shortest: int = 0) -> np.ndarray:
    """Lengths of sentences, some of them 0, 1 and `longest`."""
    lengths = random.integers(shortest, longest, n)
    lengths[:3] = shortest, 1, longest
    return lengths


def products(random: Random, level: str) -> Iterator[Pair]:
    for n, n_in, n_out in ((1, 1, 1), (5, 7, 3), (49, 128, 49), (97, 200, 101), (300, 33, 221)):
        weights = normal(random, n_in, n_out) * np.float32(random.gamma(0.5) + 0.01)
        x = normal(random, n, n_in) * np.exp(3 * normal(random, n, 1))
        bias = normal(random, n_out)
        x[n // 2] = 0
        x[n // 3] *= np.float32(1e-25)
        x[n // 4, 0] = -0.0
        whole = np.clip(np.rint(x * 100), -255, 255)
        yield both(
            f"product {n} {n_in} {n_out}",
            level,
            lambda x=x, w=weights, b=bias: (
                product(x, Weights.of(w)),
                product(x[:, ::-1], Weights.of(w), b),
            ),
        )
        yield both("whole", level, lambda x=whole, w=weights: (Weights.of(w).apply(x),))


def sums_of_rows(random: Random, level: str) -> Iterator[Pair]:
    for n, units, n_parts in ((0, 5, 2), (1, 1, 1), (40, 33, 3), (300, 200, 5)):
        tables = [normal(random, size, units) for size in random.integers(1, 20, n_parts)]
        rows = [random.integers(0, len(table), n) for table in tables]
        for numbers in rows[1:]:
            numbers[random.random(n) < 0.3] = -1
        parts = list(zip(tables, rows, strict=True))
        bias = normal(random, units)
        yield both(
            f"sums {n} {units}",
            level,
            lambda p=parts, b=bias: (sums(p), sums(p, b), sums(p, b, rectified=True)),
        )


def folder_of(arrays: dict[str, np.ndarray], path: Path) -> Any:
    """A model folder that has these arrays and nothing else."""
    write_model(path, {"tasks": []}, arrays, {})
    return read_model(path)


def layer_arrays(
    random: Random, units: int, rank: int, width: int, n_layers: int
) -> dict[str, np.ndarray]:
    """Weights of gated convolutions, of one matrix (rank 0) or two."""
    arrays = {}
    for i in range(n_layers):
        name, n_in = f"gated-{i}", width * units
        arrays[f"{name}.bias"] = normal(random, 2 * units)
        if rank:
            arrays[f"{name}.down.weight"] = normal(random, n_in, rank)
            arrays[f"{name}.up.weight"] = normal(random, rank, 2 * units) / np.float32(10)
        else:
            arrays[f"{name}.weight"] = normal(random, n_in, 2 * units) / np.float32(10)
    return arrays


def convolutions(random: Random, level: str, path: Path) -> Iterator[Pair]:
    shapes = ((128, 48, 3), (200, 192, 3), (24, 10, 5), (40, 0, 3), (7, 3, 1), (9, 5, 3))
    for units, rank, width in shapes:
        arrays = layer_arrays(random, units, rank, width, 3)
        folder = folder_of(arrays, path / "model")
        lengths = lengths_of(random, int(random.integers(3, 12)), 60)
        x = normal(random, int(lengths.sum()), units) * np.float32(random.gamma(2))
        x[1] = 0
        x[2] = 3.25

        def work(folder=folder, units=units, width=width, x=x, lengths=lengths) -> Arrays:
            out = x.copy()
            Convolutions(folder, "gated", units, width, (1, 2, 4))(out, lengths)
            return (out,)

        yield both(f"convolutions {units} {rank} {width}", level, work)


def rounded(random: Random, scores: np.ndarray) -> np.ndarray:
    """Every other time of few values, so that many are equal."""
    return np.round(scores * 2) / 2 if random.random() < 0.5 else scores


def paths(random: Random, level: str) -> Iterator[Pair]:
    for kinds in (0, 1, 3, 11, 55):
        n = 1 + 4 * kinds
        tags = all_tags(f"K{i}" for i in range(kinds))
        transitions, initial = rounded(random, normal(random, n, n)), normal(random, n)
        role_scores = (
            rounded(random, normal(random, kinds + 1, kinds + 1)),
            rounded(random, normal(random, 4, kinds)),
            rounded(random, normal(random, kinds + 1)),
        )
        lengths = lengths_of(random, 20, 40)
        scores = rounded(random, normal(random, int(lengths.sum()), n))
        makers = {
            "dense": lambda t=transitions, i=initial: Dense(t, i),
            "phrases": lambda g=tags, t=transitions, i=initial: paths_of(g, t, i, True)[0],
            "roles": lambda scores=role_scores: Roles(*scores),
        }
        for name, make in makers.items() if kinds else [("dense", makers["dense"])]:
            yield both(
                f"{name} {kinds}",
                level,
                lambda make=make, s=scores, m=lengths: (make().decode(s, m).astype(np.int64),),
            )


def trees(random: Random, level: str) -> Iterator[Pair]:
    for units in (1, 7, 64, 200):
        lengths = lengths_of(random, 12, 40, 1)
        starts = np.cumsum(lengths) - lengths
        order = random.permutation(len(lengths))
        first, last = (normal(random, int(lengths.sum()), units) for _ in range(2))
        if random.random() < 0.5:
            first, last = np.sign(first), np.sign(last)  # many trees are equally good
        last[0] = 0
        said = SpanVectors(first, last, first, last)
        yield both(
            f"trees {units}",
            level,
            lambda s=said, a=starts[order], n=lengths[order]: best_trees(s, a, n),
        )


def everything(seed: int, level: str, path: Path) -> Iterator[Pair]:
    """All kinds of work."""
    random = np.random.default_rng(seed)
    yield from products(random, level)
    yield from convolutions(random, level, path)
    yield from paths(random, level)
    yield from trees(random, level)
    yield from sums_of_rows(random, level)
