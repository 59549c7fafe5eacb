r"""Tag the easiest words first: a perceptron that sees the tags it has given on both sides.

    python scripts/easy_first.py chunk --train data/demo/chunk/train.txt \
        --test data/demo/chunk/test.txt

Of all words without a tag, the one whose best tag has the highest score gets it; then its
neighbours are scored anew (Tsuruoka and Tsujii 2005; Goldberg and Elhadad 2010). `--order left`
tags from left to right by the same features. In training a wrong choice moves the weights towards
the best right one, until a right one is chosen: the tagger learns in the order that it finds by
itself. The weights are the mean of those before each choice (Collins 2002). Features are
indicators: forms and parts of speech of five words, the last letters, and the tags of the two words
on each side, where they have one.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from common import command, parser_of
from numpy.typing import NDArray

from senna.kinds import output_of
from senna.training.config import DataConfig, Source
from senna.training.examples.corpora import Example, read_source, tags_of

REACH = 2  # words on each side whose tags a word sees
TRIES = 50  # wrong choices in succession before training goes on with a right tag
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Sentence(NamedTuple):
    """A sentence as numbers: the features of each word, (n, n_features), and its gold tags."""

    features: Ints
    gold: list[int]


class Names:
    """Numbers of names; those that are new once it is closed have 0."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {"": 0}
        self.closed = False

    def of(self, name: str) -> int:
        if self.closed:
            return self.numbers.get(name, 0)
        return self.numbers.setdefault(name, len(self.numbers))


def features_of(example: Example) -> Iterator[list[str]]:
    """The names of each word's features."""
    forms = ["", "", *(form.lower() for form in example.forms), "", ""]
    pos = ["", "", *example.tags.get("pos", [""] * len(example.forms)), "", ""]
    for i, form in enumerate(example.forms, start=2):
        names = [f"w{d}={forms[i + d]}" for d in (-2, -1, 0, 1, 2)]
        names += [f"p{d}={pos[i + d]}" for d in (-2, -1, 0, 1, 2)]
        names += [f"pp{d}={pos[i + d]} {pos[i + d + 1]}" for d in (-1, 0)]
        names += [f"end={form[-3:].lower()}", f"large={form[:1].isupper()}", "every word"]
        yield names


class Tagger:
    """Weights of features, and of the tags on both sides, for each tag."""

    def __init__(self, n_features: int, n_tags: int, easy: bool) -> None:
        self.easy, self.n_tags = easy, n_tags
        # Rows of features, of the tags of each neighbour, and of both next tags together; the tag
        # n_tags is that of a word that has none yet.
        first = n_features
        self.near = [first + i * (n_tags + 1) for i in range(2 * REACH)]
        self.both = first + 2 * REACH * (n_tags + 1)
        self.weights = np.zeros((self.both + (n_tags + 1) ** 2, n_tags))
        self.passed = np.zeros_like(self.weights)  # each change, times the choices before it
        self.n_choices = 1

    def rows(self, sentence: Sentence, tags: Sequence[int], i: int) -> Ints:
        """The rows of weights that speak about word i, given the tags so far."""
        n, none = len(tags), self.n_tags
        offsets = [*range(-REACH, 0), *range(1, REACH + 1)]
        near = [tags[i + d] if 0 <= i + d < n else none for d in offsets]
        more = [start + tag for start, tag in zip(self.near, near, strict=True)]
        more.append(self.both + near[REACH - 1] * (none + 1) + near[REACH])
        return np.concatenate([sentence.features[i], np.array(more)])

    def scores(self, sentence: Sentence, tags: Sequence[int], i: int) -> Floats:
        """Of each tag of word i."""
        total: Floats = self.weights[self.rows(sentence, tags, i)].sum(0)
        return total

    def tag(self, sentence: Sentence, learn: bool = False) -> list[int]:
        """The tags of a sentence, the easiest first; with `learn` they become the gold ones."""
        n = len(sentence.features)
        tags, left = [self.n_tags] * n, list(range(n))
        scores = np.array([self.scores(sentence, tags, i) for i in range(n)])
        tries = 0
        while left:
            open_ = left if self.easy else left[:1]
            best = max(open_, key=lambda i: scores[i].max())
            tag = int(scores[best].argmax())
            if learn:
                self.n_choices += 1
                if tag != sentence.gold[best] and tries < TRIES:
                    right = max(open_, key=lambda i: scores[i, sentence.gold[i]])
                    self._change(self.rows(sentence, tags, right), sentence.gold[right], 1.0)
                    self._change(self.rows(sentence, tags, best), tag, -1.0)
                    for i in left:
                        scores[i] = self.scores(sentence, tags, i)
                    tries += 1
                    continue
                tag, tries = sentence.gold[best], 0
            tags[best] = tag
            left.remove(best)
            for i in range(max(best - REACH, 0), min(best + REACH + 1, n)):
                scores[i] = self.scores(sentence, tags, i)
        return tags

    def _change(self, rows: Ints, tag: int, by: float) -> None:
        self.weights[rows, tag] += by
        self.passed[rows, tag] += by * self.n_choices

    def average(self) -> None:
        """Put the mean of the weights before each choice in their place."""
        self.weights -= self.passed / self.n_choices


def numbered(examples: Sequence[Example], names: Names, tags: dict[str, int]) -> list[Sentence]:
    """Sentences as numbers; a tag that is not known becomes -1, which nothing is."""
    return [
        Sentence(
            np.array([[names.of(name) for name in word] for word in features_of(example)]),
            [tags.get(tag, -1) for tag in example.gold],
        )
        for example in examples
    ]


def train(sentences: Sequence[Sentence], tagger: Tagger, epochs: int) -> None:
    """Passes over the sentences, in another order each time."""
    random = np.random.default_rng(1)
    for _ in range(epochs):
        for row in random.permutation(len(sentences)).tolist():
            tagger.tag(sentences[row], learn=True)
    tagger.average()


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("task")
    parser.add_argument("--train", required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--order", choices=("easy", "left"), default="easy")
    parser.add_argument("--epochs", type=int, default=5)
    given = parser.parse_args()
    learnt, tested = (
        list(read_source(Source(corpus), split, given.task, DataConfig(), None))
        for split, corpus in (("train", given.train), ("test", given.test))
    )
    known = tags_of(given.task, learnt)
    names, tags = Names(), {tag: i for i, tag in enumerate(known)}
    sentences = numbered(learnt, names, tags)
    names.closed = True
    tagger = Tagger(len(names.numbers), len(tags), given.order == "easy")
    train(sentences, tagger, given.epochs)
    found = [[known[tag] for tag in tagger.tag(s)] for s in numbered(tested, names, tags)]
    score = output_of(given.task).measure([example.gold for example in tested], found).percent
    print(f"{given.task}, order {given.order}: {score:.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
