"""Tags from left to right: against a loop, and with a wide beam against all taggings."""

import itertools
import math

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.decoding.marginals import best_paths, chances
from senna.decoding.requests import Asked
from senna.decoding.viterbi import FORBIDDEN, Dense, forbidden
from senna.errors import SennaError
from senna.lab.criteria.greedy import CRITERIA, FreeRunning, Greedy, GreedyPaths
from senna.lab.criteria.margins import padded_tags
from senna.lab.ensemble_join import write_join
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.training.build import Setup
from senna.training.criteria import GoldBatch
from senna.training.layers.batch import Batch
from tests import oracles, toys
from tests.inference.networks.exact import without_rounding
from tests.inference.networks.test_twins import Twin, use_stored_words
from tests.inference.networks.texts import load
from tests.lab.test_heads import NETWORKS, assert_same_without_kernel
from tests.lab.test_state_transitions import TAGS, drawn_dense, normal
from tests.training.test_criteria import LENGTHS, N_TAGS, assert_equal_with_gradients, draw

N_WORDS = np.array([4, 0, 3, 1, 2, 4, 4])
ENDS = np.cumsum(N_WORDS)
Tagging = tuple[int, ...]


def drawn(
    seed: int, history: int, beam: int, constrained: bool = False
) -> tuple[Greedy, np.ndarray, list[str]]:
    random = np.random.default_rng(seed)
    plain, scores, names = drawn_dense(random, N_WORDS, constrained)
    return Greedy(plain, normal(random, history - 1, len(TAGS), len(TAGS)), beam), scores, names


def sentences(scores: np.ndarray) -> list[tuple[slice, np.ndarray]]:
    """Where each sentence with words is, and its scores."""
    both = zip(ENDS.tolist(), N_WORDS.tolist(), strict=True)
    places = [slice(end - n, end) for end, n in both if n]
    return [(here, scores[here]) for here in places]


def of_next(paths: Greedy, rows: np.ndarray, before: Tagging) -> np.ndarray:
    """The scores of the next word's tags after some tags."""
    moves = (paths.transitions, paths.initial, paths.earlier, before)
    word = rows[len(before)]
    return np.array([oracles.next_score(word, *moves, tag) for tag in range(len(TAGS))])


def chance_of(paths: Greedy, rows: np.ndarray, path: Tagging, temperature: float = 1.0) -> float:
    """The probability of a tagging: the product of those of its tags, each after the others."""
    chance = 1.0
    for word, tag in enumerate(path):
        weights = np.exp(of_next(paths, rows, path[:word]) / temperature)
        chance *= float(weights[tag] / weights.sum())
    return chance


def every(paths: Greedy, rows: np.ndarray, temperature: float = 1.0) -> dict[Tagging, float]:
    """The probability of each tagging."""
    taggings = oracles.all_paths(*rows.shape)
    return {path: chance_of(paths, rows, path, temperature) for path in taggings}


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("history", [1, 2, 3])
def test_a_beam_that_keeps_all(history, constrained):
    """It finds the best of all taggings, and the next ones in order."""
    paths, scores, names = drawn(history, history, len(TAGS) ** 4, constrained)
    three = best_paths(paths, scores, N_WORDS, 3)
    assert three[0].tolist() == paths.decode(scores, N_WORDS).tolist()
    for here, rows in sentences(scores):
        chance = every(paths, rows)
        valid = [path for path in chance if not constrained or oracles.is_valid(path, names)]
        falling = sorted(valid, key=lambda path: -chance[path])
        expected = falling[:3] + [(-1,) * len(rows)] * (3 - len(falling))
        assert list(map(tuple, three[:, here].tolist())) == expected


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize(("history", "width"), [(1, 1), (2, 1), (3, 1), (2, 2), (2, 4)])
def test_a_narrow_beam(history, width, constrained):
    """Against one that is written with lists; wider beams find better taggings."""
    better = other_than_viterbi = 0
    for seed in range(9):
        paths, scores, names = drawn(seed, history, width, constrained)
        found = paths.decode(scores, N_WORDS)
        greedy = Greedy(paths, paths.earlier, 1).decode(scores, N_WORDS)
        exact = Dense(paths.transitions, paths.initial).decode(scores, N_WORDS)
        other_than_viterbi += exact.tolist() != found.tolist()
        for here, rows in sentences(scores):
            beam: list[tuple[float, Tagging]] = [(0.0, ())]
            for _ in rows:
                longer = []
                for total, path in beam:
                    next_scores = of_next(paths, rows, path)
                    norm = math.log(np.exp(next_scores).sum())
                    longer += [
                        (total + float(s) - norm, (*path, tag)) for tag, s in enumerate(next_scores)
                    ]
                beam = sorted(longer, reverse=True)[:width]
            best = beam[0][1]
            assert tuple(found[here].tolist()) == best
            assert not constrained or oracles.is_valid(best, names)
            other = tuple(greedy[here].tolist())
            better += chance_of(paths, rows, best) > chance_of(paths, rows, other)
    assert other_than_viterbi > 4 and (better > 3) == (width > 1)


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_probabilities(temperature):
    """Of a tag after those before it, and of several tags together."""
    paths, scores, _ = drawn(3, 3, 2)
    path = paths.decode(scores, N_WORDS)
    [told] = chances(paths, scores, N_WORDS, [path], temperature)
    for here, rows in sentences(scores):
        chance = every(paths, rows, temperature)
        chosen = tuple(path[here].tolist())

        begins = [
            sum(p for other, p in chance.items() if other[:n] == chosen[:n])
            for n in range(len(rows) + 1)
        ]
        for i in range(len(rows)):
            assert told.words[here.start + i] == pytest.approx(begins[i + 1] / begins[i])
            for k in range(i, len(rows)):
                both = math.exp(told.opens[here.start + i] + told.closes[here.start + k])
                assert both == pytest.approx(begins[k + 1] / begins[i])


def test_more_taggings_than_the_beam_keeps():
    paths, scores, _ = drawn(0, 1, 2)
    with pytest.raises(SennaError, match="n_best 3: a beam of 2 keeps no more taggings"):
        best_paths(paths, scores, N_WORDS, 3)


NAMES = ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "E-Y"]
RULES = forbidden(NAMES)


def slow_history(
    scores: tuple[Tensor, ...], tags: list[int], own: list[bool], row: int
) -> list[int]:
    """The tags of one sentence: where `own` the best one after those before it."""
    history: list[int] = []
    for tag, is_own in zip(tags, own, strict=True):
        following = next_scores(scores, row, tuple(history))
        history.append(int(following.argmax()) if is_own else tag)
    return history


def greedy_loss(scores: tuple[Tensor, ...], gold: GoldBatch) -> Tensor:
    return CRITERIA["greedy"].loss(scores[0], gold, GreedyPaths(*scores[1:], beam=1))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("history", [1, 2, 4])
def test_each_word_after_gold_and_own_tags(history, share):
    """The target is the gold tag after any history; at share 1 that is the network's tagging."""
    scores, tags, lengths = drawn_scores(history, history)
    own = torch.from_numpy(np.random.default_rng(history).random(tags.shape) < share)
    paths = GreedyPaths(*(x.detach() for x in scores[1:]), beam=1)
    found = padded_tags(scores[0].detach(), lengths, paths)
    expected = scores[0].new_zeros(())
    n_other = 0
    for row, n in enumerate(LENGTHS):
        gold = tags[row, :n].tolist()
        before = slow_history(scores, gold, own[row, :n].tolist(), row)
        n_other += before != gold
        if share == 0:
            assert before == gold
        if share == 1:
            assert before == found[row, :n].tolist(), "what decoding finds"
        for word in range(n):
            every = next_scores(scores, row, tuple(before[:word]))
            expected = expected + every.logsumexp(0) - every[gold[word]]
    assert bool(n_other) == bool(share), "mistakes, without which nothing is tested"
    value = greedy_loss(scores, GoldBatch(tags, lengths, free_running=own))
    assert_equal_with_gradients(value, expected, [x for x in scores if x.numel()])


def by_rules(seed: int) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """Scores that keep to IOBES, gold tags that do, and lengths."""
    emissions, transitions, initial, _, lengths = (x.detach() for x in draw(seed, len(NAMES)))
    rules = torch.from_numpy(RULES)
    emissions = emissions.clone()
    tags = torch.zeros(emissions.shape[:2], dtype=torch.long)
    generator = np.random.default_rng(seed)
    for row, n in enumerate(LENGTHS):
        emissions[row, n - 1] += FORBIDDEN * rules[-1]
        legal = [path for path in itertools.product(range(len(NAMES)), repeat=n) if fits(path)]
        tags[row, :n] = torch.tensor(legal[generator.integers(len(legal))])
    transitions = transitions.masked_fill(rules[1:-1], FORBIDDEN)
    initial = initial.masked_fill(rules[0], FORBIDDEN)
    none = torch.zeros(0, len(NAMES), len(NAMES), dtype=emissions.dtype)
    return (emissions, transitions, initial, none), tags, lengths


def fits(path: tuple[int, ...], before: int | None = None) -> bool:
    """Whether tags may end a sentence, and follow a tag or begin it."""
    steps = itertools.pairwise(path if before is None else (before, *path))
    begins = before is not None or not RULES[0][path[0]]
    return begins and not RULES[-1][path[-1]] and not any(RULES[1 + i][j] for i, j in steps)


@pytest.mark.parametrize("seed", range(3))
def test_where_rules_exclude_the_gold_tag_the_way_of_fewest_mistakes_is_right(seed):
    scores, tags, lengths = by_rules(seed)
    own = torch.ones_like(tags, dtype=torch.bool)
    expected, n_excluded = scores[0].new_zeros(()), 0
    for row, n in enumerate(LENGTHS):
        gold = tags[row, :n].tolist()
        before: list[int | None] = [None, *slow_history(scores, gold, [True] * n, row)]
        for word in range(n):
            mistakes = {
                rest: sum(a != b for a, b in zip(rest, gold[word:], strict=True))
                for rest in itertools.product(range(len(NAMES)), repeat=n - word)
                if fits(rest, before[word])
            }
            least = min(mistakes.values())
            right = sorted({rest[0] for rest, n_wrong in mistakes.items() if n_wrong == least})
            n_excluded += right != [gold[word]]
            history = tuple(tag for tag in before[1 : word + 1] if tag is not None)
            every = next_scores(scores, row, history)
            expected = expected + every.logsumexp(0) - every[right].logsumexp(0)
    value = greedy_loss(scores, GoldBatch(tags, lengths, free_running=own))
    torch.testing.assert_close(value, expected)
    assert value < -FORBIDDEN / 2, "nothing impossible is asked for"
    if seed == 0:
        assert n_excluded, "otherwise nothing is tested"


@pytest.mark.parametrize("is_own", [False, True])
def test_soft_labels_after_gold_and_own_tags(is_own):
    scores, tags, lengths = by_rules(1)
    own = torch.full_like(tags, is_own, dtype=torch.bool)
    generator = torch.Generator().manual_seed(1)
    soft = torch.rand(scores[0].shape, generator=generator, dtype=scores[0].dtype).softmax(2)
    expected = scores[0].new_zeros(())
    for row, n in enumerate(LENGTHS):
        before = slow_history(scores, tags[row, :n].tolist(), [is_own] * n, row)
        for word in range(n):
            every = next_scores(scores, row, tuple(before[:word])).log_softmax(0)
            possible = every > FORBIDDEN / 2
            expected = expected - (soft[row, word] * every)[possible].sum()
    found = greedy_loss(scores, GoldBatch(tags, lengths, soft=soft, free_running=own))
    torch.testing.assert_close(found, expected)


def test_more_words_run_free_from_epoch_to_epoch():
    """None in the first epoch; in those after the last, of the factors of export.rank, no more."""
    gold = torch.zeros(100, 100, dtype=torch.long)
    batch = Batch({}, gold, {}, None, torch.full((100,), 100), gold)
    random, other = np.random.default_rng(1), np.random.default_rng(1)
    assert FreeRunning(0.8, 5)(batch, 0, random) is batch
    assert random.random() == other.random()
    for epoch, n, share in ((1, 5, 0.2), (3, 5, 0.6), (4, 5, 0.8), (7, 5, 0.8), (0, 1, 0.8)):
        own = FreeRunning(0.8, n)(batch, epoch, random).free_running
        assert own is not None
        assert own.float().mean().item() == pytest.approx(share, abs=0.02)


def drawn_scores(seed: int, history: int) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """Emissions, transitions, initial and earlier moves, which want gradients; tags, lengths."""
    *scores, tags, lengths = draw(seed)
    generator = torch.Generator().manual_seed(100 + seed)
    shape = (history - 1, N_TAGS, N_TAGS)
    earlier = torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()
    return (*scores, earlier), tags, lengths


def next_scores(scores: tuple[Tensor, ...], row: int, before: tuple[int, ...]) -> Tensor:
    emissions, transitions, initial, earlier = scores
    word = emissions[row, len(before)]
    moves = (transitions, initial, earlier, before)
    return torch.stack([oracles.next_score(word, *moves, tag) for tag in range(len(word))])


def setup_of(kind: str, history: int, beam: int, *, seed: int = 0) -> Setup:
    greedy = ("train.criterion=greedy", f"network.history={history}", f"network.beam={beam}")
    return toys.setup(toys.small("ner,pos", *NETWORKS[kind], *greedy), seed=seed)


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize(("history", "beam"), [(1, 1), (3, 1), (2, 4)])
def test_equal_to_torch(kind, history, beam, tmp_path):
    setup = setup_of(kind, history, beam, seed=1)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = setup.trainer(tmp_path)
    with without_rounding():
        network = load(path)
        for task in setup.numbered.tasks:
            head = network.heads[task.name]
            assert isinstance(getattr(head, "paths"), Greedy)  # noqa: B009
            twin = Twin(setup, trainer, task)
            assert list(map(list, twin.text(network).annotate(task.name))) == twin.predicted
    parameters = dict(setup.model.head("ner").named_parameters())
    before = trainer.predict(setup.numbered.tasks[0], setup.numbered.tasks[0].dev)
    with torch.no_grad():
        parameters["earlier" if history > 1 else "transitions"].zero_()
    after = trainer.predict(setup.numbered.tasks[0], setup.numbered.tasks[0].dev)
    assert after != before, "or the test could not fail"


@pytest.mark.parametrize("beam", [1, 4])
def test_tags_without_the_kernel(tmp_path, beam):
    path = toys.exported(setup_of("window", 2, beam), tmp_path / "model")
    asked = [Asked(), Asked(True), *([Asked(n_best=3)] if beam > 1 else [])]
    assert_same_without_kernel(path, ["ner"], asked)


@pytest.mark.parametrize("beam", [1, 3])
def test_names_that_a_user_fixes(tmp_path, beam):
    """They are whole, and so is what stands before them: it looks ahead."""
    for seed in range(2):
        path = toys.exported(setup_of("gated", 2, beam, seed=seed), tmp_path / f"model-{seed}")
        names = {"PER": ["Anna Weber"], "NEW": ["walks"]}
        pipeline = Pipeline.load(["ner"], path, lists=names, force=True)
        for start in range(4):
            sentence = [*["the"] * start, "Anna", "Weber", "walks", "the"]
            [tags] = pipeline.annotate([sentence])["ner"]
            assert tags[start : start + 3] == ["B-PER", "E-PER", "S-NEW"]
            assert start == 0 or tags[start - 1][0] in "OES"


def test_they_are_not_joined(tmp_path):
    """Their emissions alone give no tags."""
    setups = [setup_of("window", 1, 1, seed=seed) for seed in (1, 2)]
    paths = [toys.exported(setup, tmp_path / f"{i}") for i, setup in enumerate(setups)]
    with pytest.raises(SennaError, match="it tags from left to right"):
        write_join([read_model(path) for path in paths], tmp_path / "out", "test")
