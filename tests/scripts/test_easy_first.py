"""scripts/easy_first.py: the order, what a word sees, and that it learns."""

import numpy as np
import pytest

from senna.training.examples.corpora import Example


@pytest.mark.parametrize(("easy", "order"), [(True, [2, 0, 1]), (False, [0, 1, 2])])
def test_the_word_of_the_highest_score_is_first(easy, order):
    from easy_first import Sentence, Tagger

    tagger = Tagger(4, 2, easy)
    tagger.weights[1:4, 0] = [2.0, 1.0, 3.0]
    seen, real = list[tuple[int, ...]](), tagger.scores

    def scores(sentence: Sentence, tags: list[int], i: int) -> np.ndarray:
        seen.append(tuple(tags))
        return real(sentence, tags, i)

    tagger.scores = scores
    assert tagger.tag(Sentence(np.array([[1], [2], [3]]), [])) == [0, 0, 0]
    tagged = [{i for i, tag in enumerate(tags) if tag == 0} for tags in dict.fromkeys(seen)]
    expected = [set(order[:k]) for k in range(4)]
    assert tagged == expected


def test_a_word_sees_tags_on_both_sides():
    from easy_first import Sentence, Tagger

    tagger = Tagger(2, 3, True)
    sentence = Sentence(np.ones((3, 1), np.int64), [])
    nothing = set(tagger.rows(sentence, [3, 3, 3], 1).tolist())
    for tags in ([0, 3, 3], [3, 3, 0]):
        assert len(nothing - set(tagger.rows(sentence, tags, 1).tolist())) == 2  # and both together
    assert set(tagger.rows(sentence, [3, 1, 3], 1).tolist()) == nothing  # its own tag is no feature
    assert max(nothing) < len(tagger.weights)


@pytest.mark.parametrize("easy", [True, False])
def test_it_learns_by_heart(easy):
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


def test_weights_are_the_mean_of_those_before_each_choice():
    from easy_first import Sentence, Tagger

    class Recording(Tagger):
        seen: list[np.ndarray]

        def __setattr__(self, name: str, value: object) -> None:
            if name == "n_choices" and value != 1:
                self.__dict__.setdefault("seen", []).append(self.weights.copy())
            super().__setattr__(name, value)

    tagger = Recording(3, 2, True)
    sentences = [Sentence(np.array([[1], [2]]), [1, 0]), Sentence(np.array([[2]]), [1])]
    for sentence in sentences * 3:
        tagger.tag(sentence, learn=True)
    expected = np.sum(tagger.seen, axis=0) / tagger.n_choices
    tagger.average()
    assert np.abs(expected).max() > 0
    np.testing.assert_allclose(tagger.weights, expected)
