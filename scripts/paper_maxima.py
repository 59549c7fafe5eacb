"""Figure 3 of the paper as a table: which words the maximum takes its numbers from.

    python scripts/paper_maxima.py runs/maxima/model

The model is one of task srl whose network is "sentence": docs/paper.md has the command that trained
it. For a predicate and a word to tag, each unit of the convolution gives its maximum over the
sentence (eq. 7). A number is that of the units whose maximum is at this word.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from common import command, parser_of, table_head, table_row
from numpy.typing import NDArray

import senna

SENTENCE = "The small firm often said that it would report its profits every month .".split()
PREDICATE, WORDS = "report", ("firm", "month")  # the verb, and the words to tag

Floats = NDArray[np.float32]
Counts = NDArray[np.int64]


class Recorder:
    """Stands in the place of a layer, and keeps what it last read."""

    words: Floats

    def __init__(self, layer: Any) -> None:
        self.layer = layer

    def __call__(self, words: Floats, lengths: Any) -> Floats:
        self.words = words.copy()
        result: Floats = self.layer(words, lengths)
        return result


def chosen(model: Path, sentence: Sequence[str], predicate: int) -> list[Counts]:
    """For each word to tag, how many units have their maximum at each word of the sentence."""
    nlp = senna.load(model=str(model), predicates="given")
    head: Any = nlp.pipeline.owners["srl"].heads["srl"]
    if not hasattr(getattr(head, "layer", None), "near"):
        raise SystemExit(f"paper_maxima: {model} is no sentence network for task srl")
    head.layer = Recorder(head.layer)
    nlp.roles([sentence], [[predicate]])
    words, near = head.layer.words, head.layer.layer.near
    return [counts(words, near, place) for place in range(len(sentence))]


def counts(words: Floats, near: Floats, place: int) -> Counts:
    """The number of units whose maximum for the word at `place` is at each word, (n_words,).

    words (n_words, units): what words give; near (2 reach + 1, units): what distances give.
    """
    reach = len(near) // 2
    away = np.clip(np.arange(len(words)) - place, -reach, reach) + reach
    highest = (words + near[away]).argmax(0)
    return np.bincount(highest, minlength=len(words))


@command
def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of(__doc__)
    parser.add_argument("model", type=Path)
    every = chosen(parser.parse_args(arguments).model, SENTENCE, SENTENCE.index(PREDICATE))
    columns = [every[SENTENCE.index(word)].tolist() for word in WORDS]
    print(table_head("", *(f"tagged: *{word}*" for word in WORDS)))
    for word, *numbers in zip(SENTENCE, *columns, strict=True):
        print(table_row(word, *numbers))


if __name__ == "__main__":
    sys.exit(main())
