"""Average the weights of models that were trained on from one model.

usage: python recipe/average_models.py runs/one/mean runs/one/model runs/other/model...

Their mean often scores higher than each of them (Wortsman et al. 2022, "Model soups"). Of the word
table, rows that some of them do not store count as they are in the base. All else is the first
one's; `ship_model.py --score` computes the scores of its card again.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from ship_model import parts_of, put

from scripts.common import command, parser_of
from senna.inference.lookup import load_words
from senna.model.folder import read_model
from senna.model.writing import quantise

WORDS, ROWS, TRAINED = "words", "words.rows", "words.trained"


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("models", type=Path, nargs="+")
    chosen = parser.parse_args()
    folders = [read_model(path) for path in chosen.models]
    every = [dict(folder.arrays()) for folder in folders]
    meta, first, texts = parts_of(folders[0])
    arrays: dict[str, Any] = {
        name: np.mean([one[name] for one in every], axis=0, dtype=np.float64).astype(array.dtype)
        for name, array in first.items()
        if not name.startswith(WORDS)
    }
    rows, trained = (
        np.unique(np.concatenate([one[name] for one in every])) for name in (ROWS, TRAINED)
    )
    tables = [load_words(folder, {}) for folder in folders]
    vectors = np.mean([table.vectors(rows) for table in tables], axis=0, dtype=np.float64)
    arrays |= quantise(vectors, "int8")
    meta["notes"] = [
        *meta.get("notes", []),
        f"Weights are the mean of those of {len(every)} trainings.",
    ]
    data = [folder.about.get("data", {}) for folder in folders]
    meta["data"] = {name: one[name] for one in data for name in one}
    put(chosen.target, meta, arrays | {ROWS: rows, TRAINED: trained}, texts)


if __name__ == "__main__":
    sys.exit(main())
