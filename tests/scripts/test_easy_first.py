"""scripts/experiments/easy_first.py: the order, what a word sees, and that it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from senna.training.examples.data import Example

EXPERIMENTS = Path(__file__).parents[2] / "scripts" / "experiments"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXPERIMENTS))


@pytest.mark.parametrize(("easy", "order"), [(True, [2, 0, 1]), (False, [0, 1, 2])])
def test_the_word_of_the_highest_score_is_first(easy: bool, order: list[int]) -> None:
    from easy_first import Sentence, Tagger

    tagger = Tagger(4, 2, easy)
    tagger.weights[1:4, 0] = [2.0, 1.0, 3.0]
    seen, real = list[tuple[int, ...]](), tagger.scores

    def scores(sentence: Sentence, tags: list[int], i: int) -> np.ndarray:
        seen.append(tuple(tags))
        return real(sentence, tags, i)

    tagger.scores = scores  # type: ignore[method-assign, assignment]
    assert tagger.tag(Sentence(np.array([[1], [2], [3]]), [])) == [0, 0, 0]
    tagged = [{i for i, tag in enumerate(tags) if tag == 0} for tags in dict.fromkeys(seen)]
    expected = [set(order[:k]) for k in range(4)]
    assert tagged == expected


@pytest.mark.parametrize("easy", [True, False])
def test_it_learns_by_heart(easy: bool) -> None:
    from easy_first import Names, Tagger, numbered, train

    random = np.random.default_rng(1)
    examples = []
    for _ in range(12):
        forms = [str(word) for word in random.choice(["a", "b", "c", "d"], 6)]
        after = [*forms[1:], "."]
        examples.append(Example(forms, ["S-X" if word in "ab" else "O" for word in after]))
    names = Names()
    sentences = numbered(examples, names, {"O": 0, "S-X": 1})
    tagger = Tagger(len(names.numbers), 2, easy)
    train(sentences, tagger, 15)
    assert [tagger.tag(sentence) for sentence in sentences] == [s.gold for s in sentences]
