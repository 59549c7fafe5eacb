"""Make the base table that the shipped models share: vectors, one byte per number, and word case.

usage: python recipe/make_base.py VECTORS --text TEXT... [--out senna/models/base]
           [--notes NOTES] [--record runs/steps/base.json]

The usual case of each word is counted at all places of the text but the first of a sentence.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from make_models import made_by
from numpy.typing import NDArray

from scripts.common import command, parser_of
from senna.formats.vectors import read_vectors
from senna.model.writing import add_about, quantise, write_model
from senna.pretraining.corpus import Text, prepare
from senna.text.vocabulary import PADDING, RARE, caps, normalise
from senna.version import __version__

SCALE = 0.12  # element deviation
# By the value of the caps feature: small letters, a capital, all capitals.
COLUMN = {1: 0, 2: 2, 3: 1, 4: 1}
# Share of a word's places within sentences where it has a capital: below each of these bounds.
CASE_BOUNDS = (0.02, 0.1, 0.3, 0.6, 0.9, 0.98)


def case_value(lower: int, capital: int, upper: int) -> int:
    """The usual case of a word seen so often in lower case, with a capital, in upper case.

    RARE for less than three places; 2 to 8 by the share of capitals; 9 for upper case.
    """
    n = lower + capital + upper
    if n < 3:
        return RARE
    if 2 * upper > n:
        return 3 + len(CASE_BOUNDS)
    share = (capital + upper) / n
    return 2 + sum(share >= bound for bound in CASE_BOUNDS)


def count_case(text: Text, words: list[str]) -> NDArray[np.uint8]:
    """The value of `case_value` for each word, after PADDING and RARE."""
    rows = {word: row for row, word in enumerate(words)}
    counts = [[0, 0, 0] for _ in words]
    ids = text.ids
    inner = np.bincount(ids[1:][ids[:-1] != 0], minlength=len(text.words) + 1)
    for word, n in zip(text.words, inner[1:].tolist(), strict=True):
        row = rows.get(normalise(word))
        if row is not None:
            counts[row][COLUMN[caps(word)]] += n
    return np.array([PADDING, RARE, *(case_value(*row) for row in counts)], np.uint8)


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="to count case on")
    parser.add_argument("--out", type=Path, default=Path("senna/models/base"))
    parser.add_argument("--notes", default="", help="where the vectors come from, for the card")
    parser.add_argument("--record", type=Path, help="of the step that this is")
    chosen = parser.parse_args()
    vectors = read_vectors(chosen.vectors)
    words, table = vectors.words, np.asarray(vectors.table, np.float32)
    table = table * (SCALE / table.std())
    about: dict[str, Any] = {"notes": [chosen.notes] if chosen.notes else []}
    if chosen.record:
        about["made"] = made_by(chosen.record)
    with TemporaryDirectory() as folder:
        case = count_case(prepare(chosen.text, Path(folder), case="keep", say=print), words)
    rows = np.concatenate([np.zeros((2, table.shape[1]), np.float32), table])
    arrays = quantise(rows, "int8") | {"words.case": case}
    meta = {"senna": __version__, "tasks": [], **about}
    write_model(chosen.out, meta, arrays, {"words.txt": words})
    add_about(chosen.out, {})
    print(f"{chosen.out}: {len(words):,} words of {table.shape[1]} numbers")


if __name__ == "__main__":
    sys.exit(main())
