"""Word vectors from counts: GloVe, and latent semantic analysis of documents or of neighbours.

usage: senna pretrain TEXT --ids runs/ids --out runs/vectors
       python scripts/count_vectors.py runs/ids --method glove --out runs/glove.txt
       senna vectors similarity runs/glove.txt LIST

The folder of ids is any that `senna pretrain` has made of a text. `glove` (Pennington et al. 2014)
fits the products of two tables to the logarithms of how often words stand near each other, by
Adagrad with a rate per row; a word's vector is the sum of its rows in both. `lsa` is the largest
singular vectors, each times the root of its value, of a matrix of words and contexts: with
`--contexts documents` of how often words occur in documents, weighted by how few have them (tf-idf;
Deerwester et al. 1990), with `--contexts words` of how much more often than by chance words stand
near each other (positive pointwise mutual information; Levy and Goldberg 2014). A document is 20
sentences in succession, as ids know no others.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from common import parser_of
from numpy.typing import NDArray

from senna.formats.vectors import Vectors
from senna.lab.vectors.write import write_vectors
from senna.pretraining.corpus import read_text
from senna.pretraining.lookup_table import LookupTable

DIMENSION = 100
WINDOW = 5  # words on each side
SENTENCES = 20  # of a document
PART = 2_000_000  # tokens that are counted at a time
CELLS = 1 << 14  # of a step of GloVe
LARGE, POWER = 100.0, 0.75  # counts from LARGE on have the weight 1, others (count / LARGE)^POWER
RATE = 0.3  # of Adagrad with one sum of squares per row
Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


class Counts(NamedTuple):
    """The cells of a matrix of words and contexts that are not 0, each once."""

    words: Ids
    contexts: Ids
    values: Floats
    shape: tuple[int, int]


def summed(keys: Ids, values: Floats) -> tuple[Ids, Floats]:
    """Distinct keys in order, and the sum of the values of each."""
    distinct, places = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(places, values, len(distinct)).astype(np.float64)


def parts_of(ids: NDArray[np.uint32]) -> Iterator[Ids]:
    """Pieces of about PART tokens that end between sentences, where an id is 0."""
    start = 0
    while start < len(ids):
        ends = np.flatnonzero(ids[start + PART : start + PART + 10_000] == 0)
        end = start + PART + int(ends[0]) + 1 if len(ends) else len(ids)
        yield ids[start:end].astype(np.int64)
        start = end


def neighbours(ids: NDArray[np.uint32], size: int, window: int) -> Counts:
    """How often each two of the first `size` words stand near each other in a sentence.

    Words `d` apart count 1 / d; others stay in their places.
    """
    keys, values = np.zeros(0, np.int64), np.zeros(0)
    for part in parts_of(ids):
        sentences = np.cumsum(part == 0)
        known = (part > 0) & (part <= size)
        found, near = [keys], [values]
        for d in range(1, window + 1):
            same = known[:-d] & known[d:] & (sentences[:-d] == sentences[d:])
            left, right = part[:-d][same] - 1, part[d:][same] - 1
            found += [left * size + right, right * size + left]
            near += [np.full(2 * len(left), 1 / d)]
        keys, values = summed(np.concatenate(found), np.concatenate(near))
    return Counts(*np.divmod(keys, size), values, (size, size))


def documents(ids: NDArray[np.uint32], size: int, sentences: int) -> Counts:
    """How often each of the first `size` words occurs in each document of so many sentences."""
    # An id of 0 stands before the first sentence, too.
    of_tokens = (np.cumsum(np.asarray(ids) == 0) - 1) // sentences
    known = np.flatnonzero((ids > 0) & (ids <= size))
    n = int(of_tokens[known].max(initial=0)) + 1
    keys = (ids[known].astype(np.int64) - 1) * n + of_tokens[known]
    distinct, values = summed(keys, np.ones(len(keys)))
    return Counts(*np.divmod(distinct, n), values, (size, n))


def tf_idf(counts: Counts) -> Counts:
    """log(1 + count), times the logarithm of how few documents have the word."""
    having = np.bincount(counts.words, minlength=counts.shape[0])
    rarity = np.log(counts.shape[1] / np.maximum(having, 1))
    return counts._replace(values=np.log1p(counts.values) * rarity[counts.words])


def mutual_information(counts: Counts) -> Counts:
    """log(p(word, context) / (p(word) p(context))) where that is above 0."""
    total = counts.values.sum()
    of_words = np.bincount(counts.words, counts.values, counts.shape[0])
    of_contexts = np.bincount(counts.contexts, counts.values, counts.shape[1])
    chance = of_words[counts.words] * of_contexts[counts.contexts]
    logs = np.log(counts.values * total / chance)
    kept = logs > 0
    return Counts(counts.words[kept], counts.contexts[kept], logs[kept], counts.shape)


def lsa(counts: Counts, dimension: int) -> Floats:
    """The largest left singular vectors, times the roots of their values: (n_words, dimension)."""
    torch.manual_seed(1)
    cells = torch.from_numpy(np.stack([counts.words, counts.contexts]))
    values = torch.from_numpy(counts.values)
    matrix = torch.sparse_coo_tensor(cells, values, counts.shape, check_invariants=True)
    # Some more than are kept, as the subspace is found by iteration.
    n = min(dimension + 10, *counts.shape)
    left, largest, _ = torch.svd_lowrank(matrix.coalesce(), n, niter=6)
    found: Floats = (left * largest.sqrt())[:, :dimension].numpy()
    return found


def glove(counts: Counts, dimension: int, epochs: int) -> Floats:
    """Vectors whose products with others, and two biases, are the logarithms of counts.

    The cost is the weighted mean square of what is missing, and is printed after each epoch.
    """
    torch.manual_seed(1)
    # The last number of a row is the bias.
    first = [(torch.rand(n, dimension + 1) - 0.5) / dimension for n in counts.shape]
    tables = list(map(LookupTable, first))
    rows, columns = map(torch.from_numpy, (counts.words, counts.contexts))
    logs = torch.from_numpy(np.log(counts.values)).float()
    weight = torch.from_numpy(np.minimum(counts.values / LARGE, 1.0) ** POWER).float()
    for epoch in range(epochs):
        total = 0.0
        for cells in torch.split(torch.randperm(len(rows)), CELLS):
            word, context = tables[0].take(rows[cells]), tables[1].take(columns[cells])
            product = (word[:, :-1] * context[:, :-1]).sum(1) + word[:, -1] + context[:, -1]
            cost = (weight[cells] * (product - logs[cells]).square()).sum()
            cost.backward()  # type: ignore[no-untyped-call]
            for table in tables:
                table.step(RATE)
            total += float(cost.detach())
        print(f"epoch {epoch + 1}: cost {total / len(rows):.4f}", flush=True)
    both: Floats = (tables[0].weight + tables[1].weight)[:, :-1].double().numpy()
    return both


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("ids", type=Path)
    parser.add_argument("--method", choices=("glove", "lsa"), required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--contexts", choices=("words", "documents"), default="words")
    parser.add_argument("--size", type=int, default=30_000, help="the most frequent words")
    parser.add_argument("--epochs", type=int, default=20, help="passes of glove over the cells")
    chosen = parser.parse_args()
    text, started = read_text(chosen.ids), time.process_time()
    size = min(chosen.size, len(text.words))
    if chosen.method == "lsa" and chosen.contexts == "documents":
        counts = tf_idf(documents(text.ids, size, SENTENCES))
    else:
        counts = neighbours(text.ids, size, WINDOW)
    print(f"{len(counts.values):,} cells of {counts.shape[0]:,} words", flush=True)
    if chosen.method == "glove":
        table = glove(counts, DIMENSION, chosen.epochs)
    else:
        if chosen.contexts == "words":
            counts = mutual_information(counts)
        table = lsa(counts, DIMENSION)
    vectors = Vectors(text.words[:size], table.astype(np.float32))
    write_vectors(vectors, chosen.out, force=True)
    print(f"{chosen.out}: {(time.process_time() - started) / 60:.1f} CPU minutes")


if __name__ == "__main__":
    main()
