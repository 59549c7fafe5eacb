"""Ensembles: each word gets the tag of most members."""

import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from senna.annotation.schemes import all_tags
from senna.decoding.requests import Asked, Scored
from senna.decoding.viterbi import forbidden
from senna.errors import SennaError
from senna.inference.exact import BLOCK, Weights
from senna.inference.workspace import Block
from senna.lab.ensembles import VoteHead, fine_product, write_vote
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from tests import toys
from tests.inference.networks.texts import words

OF_COLUMN = ("features.tags.pos.size=3", "features.tags.pos.source=column")
MEMBERS = (toys.GATED, ("network.window.widths=[5]", *OF_COLUMN), ("network.kind=sentence",))


def members(folder: Path, task: str, n: int = 3) -> list[Path]:
    """Models of random weights: of several kinds, features and margins."""
    paths = []
    for i in range(n):
        config = toys.small(task, *MEMBERS[i % len(MEMBERS)])
        paths.append(toys.exported(toys.setup(config, seed=i, n=40), folder / f"member-{i}"))
    return paths


def ensemble(folder: Path, paths: Sequence[Path]) -> Path:
    write_vote([read_model(path) for path in paths], folder / "vote", "test")
    return folder / "vote"


def winners(ballots: Sequence[Sequence[str]]) -> list[str]:
    """The tag of most, word by word; of equals the first member's that has one."""
    tags = []
    for votes in zip(*ballots, strict=True):
        most = max(Counter(votes).values())
        tags.append(next(tag for tag in votes if votes.count(tag) == most))
    return tags


def fits(tags: Sequence[str], ballots: Sequence[Sequence[str]]) -> bool:
    """Whether tags are the winners, or, if these are no phrases, the best sequence that is."""
    best = winners(ballots)
    names = all_tags(sorted({tag[2:] for votes in ballots for tag in votes if tag != "O"}))
    rules = forbidden(names)

    def is_valid(tags: Sequence[str]) -> bool:
        rows = [names.index(tag) for tag in tags]
        if rules[0][rows[0]] or rules[-1][rows[-1]]:
            return False
        return not any(rules[1 + a][b] for a, b in itertools.pairwise(rows))

    def value(tags: Sequence[str]) -> float:
        votes = sum(row[i] == tag for row in ballots for i, tag in enumerate(tags))
        return votes + 0.5 * sum(map(str.__eq__, tags, best))

    if is_valid(best):
        return list(tags) == best
    others = filter(is_valid, itertools.product(names, repeat=len(tags)))
    return is_valid(tags) and value(tags) == max(map(value, others))


@pytest.mark.parametrize("task", ["ner", "pos"])
def test_the_tag_of_most_members(tmp_path, task):
    """Of networks of three kinds, one of which reads a column."""
    paths = members(tmp_path, task, 5)
    path = ensemble(tmp_path, paths)
    sentences = words(1, [1, 3, 0, 2, *[3] * 40])
    given = {"pos": [[toys.POS[len(w) % 4] for w in forms] for forms in sentences]}
    ballots = [Pipeline.load([task], p).annotate(sentences, given)[task] for p in paths]
    answers = Pipeline.load([task], path).annotate(sentences, given)[task]
    assert answers[2] == []
    parted = 0
    for tags, *votes in zip(answers, *ballots, strict=True):
        if tags and task == "ner":
            assert fits(tags, votes)
        elif tags:
            assert tags == winners(votes)
        parted += len({" ".join(row) for row in votes}) > 1
    assert parted > 20, "members differ"


class Fixed:
    """A member that gives the same tags."""

    def __init__(self, tags: list[list[str]]) -> None:
        self.tags = tags

    def __call__(self, x: object, block: object, request: object) -> list[list[str]]:
        return self.tags


@pytest.fixture(scope="module")
def head(tmp_path_factory) -> VoteHead:
    folder = tmp_path_factory.mktemp("vote")
    return VoteHead(read_model(members(folder, "ner", 1)[0]), "ner", [])


def voted(head: VoteHead, *ballots: str) -> str:
    """What comes of some members' tags of one sentence."""
    head.members = [Fixed([ballot.split()]) for ballot in ballots]
    n = np.array([len(ballots[0].split())], np.int64)
    [tags] = head([None] * len(ballots), Block(n, n, n, {}))
    return " ".join(tags)


def test_any_ballots_give_the_phrases_with_most_votes(head):
    """Random tags of words, most of them no phrases, against trying all sequences."""
    random = np.random.default_rng(3)
    names = ["O", "B-PER", "E-PER", "I-PER", "S-PER", "B-LOC", "E-LOC"]
    odd = 0
    for _ in range(150):
        n = int(random.integers(1, 5))
        ballots = [[str(t) for t in random.choice(names, n)] for _ in range(4)]
        tags = voted(head, *map(" ".join, ballots)).split()
        assert fits(tags, ballots), (tags, ballots)
        odd += tags != winners(ballots)
    assert odd > 30


def test_probabilities_are_shares_of_votes(tmp_path):
    paths = members(tmp_path, "pos", 4)
    path = ensemble(tmp_path, paths)
    sentences = words(2, [4] * 20)
    given = {"pos": [["NN"] * 4 for _ in sentences]}
    ballots = [Pipeline.load(["pos"], p).annotate(sentences, given)["pos"] for p in paths]
    plain = Pipeline.load(["pos"], path).annotate(sentences, given)["pos"]
    scored = Pipeline.load(["pos"], path, asked=Asked(True)).annotate(sentences, given)["pos"]
    n = len(read_model(path).lines("pos.tags.txt"))
    for i, tags in enumerate(scored):
        assert isinstance(tags, Scored) and list(tags) == plain[i]
        votes = [sum(b[i][k] == tag for b in ballots) for k, tag in enumerate(tags)]
        assert tags.scores == pytest.approx([(v + 1 / n) / 5 for v in votes], abs=1e-5)
    with pytest.raises(SennaError, match="n_best: an ensemble has one tagging of a sentence"):
        Pipeline.load(["pos"], path, asked=Asked(n_best=2)).annotate(sentences, given)


def test_phrases_that_a_user_fixes(tmp_path):
    path = ensemble(tmp_path, members(tmp_path, "ner", 3))
    pipeline = Pipeline.load(["ner"], path, lists={"NEW": ["Anna Weber"]}, force=True)
    [tags] = pipeline.annotate([["the", "Anna", "Weber"]], {"pos": [["DT", "NN", "NN"]]})["ner"]
    assert tags[1:] == ["B-NEW", "E-NEW"]


def test_damaged_ensembles(tmp_path):
    path = ensemble(tmp_path, members(tmp_path, "ner", 2))
    toml, good = path / "model.toml", (path / "model.toml").read_text(encoding="utf-8")
    for members_, message in (
        ('["1", "../1"]', "is not a member's name"),
        ('["1", "3"]', "not a model folder"),
        ('["1", "1"]', "has one twice"),
    ):
        toml.write_text(good.replace('["1", "2"]', members_), encoding="utf-8")
        with pytest.raises(SennaError, match=message):
            Pipeline.load(["ner"], path)
    toml.write_text(good, encoding="utf-8")
    (path / "2" / "model.toml").write_text(good, encoding="utf-8")
    with pytest.raises(SennaError):
        Pipeline.load(["ner"], path)


@pytest.mark.parametrize("n", [0, 1, BLOCK, 2 * BLOCK + 1])
def test_a_fine_product_rounds_only_the_weights(n):
    random = np.random.default_rng(n)
    x = random.normal(0, np.exp(random.normal(0, 1, (n, 1))), (n, 37)).astype(np.float32)
    weights = Weights.of(random.normal(0, 1, (37, 11)))
    if n > 1:
        x[0] = 0
    exact = x.astype(float) @ (weights.numbers.astype(float) * weights.scale)
    largest = np.abs(x).max(axis=1, initial=0)[:, None]
    bound = largest * (np.abs(weights.numbers * weights.scale).sum(axis=0) * 2.0**-17 + 2e-6)
    assert (np.abs(fine_product(x, weights) - exact) <= bound).all()
    rows = slice(n // 3, n // 2)
    assert np.array_equal(fine_product(x[rows], weights), fine_product(x, weights)[rows])
