"""Keep some of the numbers of word vectors: the base table joins those of two objectives.

python scripts/take_numbers.py base 100-150 --out runs/paper/likelihood
python scripts/take_numbers.py base 0-100 --out runs/paper/skipgram
"""

from pathlib import Path

from common import command, parser_of

from senna.errors import SennaError
from senna.formats.vectors import Vectors, load_vectors
from senna.lab.vectors.write import write_vectors


def taken(vectors: Vectors, numbers: str) -> Vectors:
    """The numbers from the first up to the second, as slices have them; SennaError if none."""
    first, _, end = numbers.partition("-")
    size = vectors.table.shape[1]
    if not (first.isdecimal() and end.isdecimal() and int(first) < int(end) <= size):
        raise SennaError(
            f"no numbers of vectors of {size}: {numbers!r}", remedy="For example 0-50."
        )
    return Vectors(vectors.words, vectors.table[:, int(first) : int(end)])


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("vectors", help="a file, a folder or a model")
    parser.add_argument("numbers", help="for example 100-150: the last 50 of 150")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    write_vectors(taken(load_vectors(chosen.vectors), chosen.numbers), chosen.out)


if __name__ == "__main__":
    raise SystemExit(main())
