"""Learn the weights of senna/text/sentence_model.py: sentence ends that no rule decides.

    python recipe/train_boundaries.py [--out senna/text/sentence_model.bin]

Learns from $SENNA_DATA/tokenization, the train parts of EWT and GUM, and prints how many of the
gaps in question are right in the dev parts; `scripts/measure_tokenizer.py` scores sentences. A
logistic regression by Adagrad, in some twenty seconds; its weights are rounded to sixteenths.
"""

import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from scripts.common import command, parser_of, tokenized
from senna.atomic import replacing
from senna.text import sentence_model
from senna.text.sentences import split

TRAIN, DEV = ("ewt-train", "gum-train"), ("ewt-dev", "gum-dev")
EPOCHS, BATCH, RATE, DECAY = 12, 64, 0.3, 0.05
BIAS = -0.25  # of all gaps: with it precision on GUM dev is that of the rules
UNIT = 16  # one, in the file's numbers
Gaps = tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--out", type=Path, default=sentence_model.WEIGHTS)
    chosen = parser.parse_args()
    rows, gold, _ = map(np.concatenate, zip(*map(gaps, TRAIN), strict=True))
    print(f"{len(gold):,} gaps, {len(np.unique(rows)):,} rows")
    weights = learn(rows, gold)
    for answer in (False, True):  # every gap has one of these two features
        weights[sentence_model.row(f"0{answer}")] += BIAS
    stored = np.clip(np.rint(weights * UNIT), -128, 127).astype(np.int8)
    for name in DEV:
        rows, gold, ruled = gaps(name)
        right = (stored[rows].sum(axis=1, dtype=np.int64) > 0) == gold
        by_rules = (ruled == gold).mean()
        print(f"{name}: {right.mean():.2%} right of {len(gold)}, by rules {by_rules:.2%}")
    with replacing(chosen.out) as place:
        Path(place).write_bytes(stored.tobytes())


def gaps(name: str) -> Gaps:
    """The gaps of a file that the rules are not sure of: rows of features, gold, what rules say."""
    rows: list[list[int]] = []
    gold: list[bool] = []
    ruled: list[bool] = []
    ends: set[int] = set()

    def collect(gap: sentence_model.Gap) -> bool:
        rows.append(sentence_model.rows(gap))
        gold.append(gap.end in ends)
        ruled.append(gap.ruled)
        return gold[-1]

    with patch.object(sentence_model, "ends", collect):
        for document in tokenized(name):
            ends = {end for _, end in document["sentences"]}
            split(document["text"])
    return np.array(rows), np.array(gold), np.array(ruled)


def learn(rows: NDArray[np.int64], gold: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights (SIZE,) of the rows (n_gaps, n_features)."""
    weights = np.zeros(sentence_model.N_ROWS)
    squares = np.full(sentence_model.N_ROWS, 1e-8)
    random = np.random.default_rng(1)
    for _ in range(EPOCHS):
        order = random.permutation(len(gold))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            guesses = 1 / (1 + np.exp(-weights[rows[batch]].sum(axis=1)))
            gradient = np.zeros_like(weights)
            np.add.at(gradient, rows[batch], (guesses - gold[batch])[:, None])
            touched = np.unique(rows[batch])
            gradient = gradient[touched] + DECAY * weights[touched]
            squares[touched] += gradient**2
            weights[touched] -= RATE * gradient / np.sqrt(squares[touched])
    return weights


if __name__ == "__main__":
    sys.exit(main())
