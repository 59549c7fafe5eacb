"""Probabilities to learn: of files, of teachers; their loss against sums over all paths."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.decoding.requests import Asked
from senna.errors import SennaError
from senna.lab.ensembles import write_vote
from senna.lab.heads import StatePaths
from senna.lab.soft_labels import on_tags, softened
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.registry import CRITERIA
from senna.training.config import override
from senna.training.criteria import DensePaths, GoldBatch
from senna.training.examples.corpora import Example
from senna.training.run import Run, train
from tests import oracles, toys
from tests.lab import test_heads as test_states
from tests.training.test_criteria import LENGTHS, N_TAGS, assert_equal_with_gradients, draw

SENTENCES = [Example(["Anna", "ran"], ["S-PER", "O"]), Example(["x"], ["O"])]
GOOD = "Anna\tS-PER=0.75\tO=0.25\nran\tO=1\n\nx\tO=.9995\n"


def soft_of(path: Path, text: str, sentences: list[Example] = SENTENCES) -> list[Example]:
    (path / "soft.txt").write_text(text, encoding="utf-8", newline="")
    return softened(str(path / "soft.txt"), "ner", sentences)


@pytest.mark.parametrize("text", [GOOD, f"\n{GOOD}\n\n", GOOD.replace("\n", "\r\n")])
def test_a_file(tmp_path, text):
    numbers = {"O": 0, "B-PER": 1, "S-PER": 2}
    rows = [on_tags(s.soft, numbers) for s in soft_of(tmp_path, text) if s.soft is not None]
    assert rows[0].tolist() == [[0.25, 0, 0.75], [1, 0, 0]]
    assert rows[1].tolist() == [[1, 0, 0]], "what is rounded is brought to 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("0.25", "0.24"), "soft.txt:1: probabilities that sum to 0.99, not 1"),
        ("Anna\nran\tO=1\n", "soft.txt:1: probabilities that sum to 0, not 1"),
        (GOOD.replace("ran\tO=1", "ran\tO"), "soft.txt:2: 'O' is not a tag with its probability"),
        (GOOD.replace("O=1", "O=one"), "soft.txt:2: 'O=one' is not a tag"),
        (GOOD.replace("O=1", "=1"), "soft.txt:2: '=1' is not a tag"),
        (GOOD.replace("O=1", "O=nan"), "soft.txt:2: 'O=nan' is not a tag"),
        (GOOD.replace("O=1", "O=2\tI=-1"), "soft.txt:2: 'O=2' is not a tag"),
        (GOOD.replace("x", "y"), "soft.txt: lacks a sentence: x"),
        ("", "soft.txt: lacks a sentence: Anna ran"),
    ],
)
def test_bad_files(tmp_path, text, message):
    with pytest.raises(SennaError) as error:
        soft_of(tmp_path, text)
    assert message in str(error.value)


def test_a_tag_that_training_lacks(tmp_path):
    [soft, _] = [s.soft for s in soft_of(tmp_path, GOOD)]
    assert soft is not None
    with pytest.raises(SennaError, match="a tag that the training data lack: S-PER"):
        on_tags(soft, {"O": 0})


# --------------------------------------------------------------------------- teachers


def teacher(path: Path, *settings: str, task: str = "ner", seed: int = 1) -> Path:
    return toys.exported(toys.setup(toys.small(task, *settings), seed=seed, n=40), path)


@pytest.mark.parametrize("criterion", ["sentence", "word"])
def test_a_teacher_gives_its_marginals(tmp_path, criterion):
    """Those of the tags that it finds are its --scores."""
    path = teacher(tmp_path / "model", f"train.criterion={criterion}")
    sentences = [toys.example("ner", np.random.default_rng(i), 1 + i, toys.WORDS) for i in range(6)]
    told = softened(str(path), "ner", sentences)
    pipeline = Pipeline.load(["ner"], path, asked=Asked(True))
    answers = pipeline.annotate([s.forms for s in sentences])["ner"]
    for sentence, tags in zip(told, answers, strict=True):
        assert sentence.soft is not None
        names, rows = sentence.soft
        assert rows.sum(axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-5)
        chosen = [row[names.index(tag)] for row, tag in zip(rows, tags, strict=True)]
        assert chosen == pytest.approx(tags.scores, abs=1e-5)


def test_teachers_without_marginals(tmp_path):
    greedy = teacher(tmp_path / "greedy", "train.criterion=greedy")
    paths = [teacher(tmp_path / str(seed), seed=seed) for seed in (1, 2)]
    write_vote([read_model(path) for path in paths], tmp_path / "vote", "test")
    pos = teacher(tmp_path / "pos", task="pos")
    for path, message in (
        (greedy, "it tags from left to right, and so knows no marginals"),
        (tmp_path / "vote", "its words have no scores of ner tags"),
        (pos, "no model for task 'ner'"),
        (tmp_path / "none", "not a model folder"),
    ):
        with pytest.raises(SennaError, match=message):
            softened(str(path), "ner", SENTENCES)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["word", "greedy", "sentence"])
def test_certain_labels_are_gold_ones(tmp_path, criterion):
    """Learnt by words they leave the same weights; by sentences other ones, and the right tags."""
    sentences = toys.demo("ner", 20)
    for name, end in (("gold", ""), ("soft", "=1")):
        rows = [[*map("\t".join, zip(s.forms, s.gold, strict=True))] for s in sentences]
        text = "".join("".join(f"{row}{end}\n" for row in of_one) + "\n" for of_one in rows)
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    gold = f"['{tmp_path / 'gold.txt'}']"
    settings = ("train.learning_rate=0.02", "train.epochs=12", f"train.criterion={criterion}")
    config = toys.small("ner", f"data.ner.train={gold}", f"data.ner.dev={gold}", *settings)
    plain = read_model(train(config, Run(tmp_path / "hard"), str))
    config = override(config, [f"train.soft={tmp_path / 'soft.txt'}"])
    soft = read_model(train(config, Run(tmp_path / "run"), str))
    how = {"word": "word by word", "sentence": "by the best path"}
    expected = f"Tags are found {how.get(criterion, 'from left to right, keeping 1')}"
    assert expected in (plain.path / "README.md").read_text()
    assert "the probabilities of tags of" in (soft.path / "README.md").read_text()
    weights = [dict(model.arrays()) for model in (plain, soft)]
    near = all(np.allclose(weights[1][k], weights[0][k], atol=1e-3) for k in weights[0])
    assert near == (criterion != "sentence")
    scores = [model.about["scores"]["ner"]["gold.txt dev"] for model in (plain, soft)]
    assert abs(scores[0] - scores[1]) < 15 and scores[1] > 60


def probabilities(seed: int) -> Tensor:
    """Probabilities of tags, some of them 0."""
    generator = torch.Generator().manual_seed(seed)
    shape = (len(LENGTHS), max(LENGTHS), N_TAGS)
    labels = torch.rand(shape, generator=generator, dtype=torch.float64)
    labels = labels * (labels > 0.3) + 1e-9 * (labels <= 0.3)
    return labels / labels.sum(2, keepdim=True)


@pytest.mark.parametrize("states", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_marginals_of_sentences(seed, states):
    scores, tags, lengths = test_states.drawn(seed)
    emissions, transitions, initial, moves = scores
    labels = probabilities(seed)
    paths = StatePaths(*scores[1:]) if states else DensePaths(transitions, initial)
    loss = CRITERIA["sentence"].loss(emissions, GoldBatch(tags, lengths, soft=labels), paths)
    expected = emissions.new_zeros(())
    for row, n in enumerate(LENGTHS):
        every = list(oracles.all_paths(n, N_TAGS))
        added = moves[row] if states else None
        weights = oracles.path_scores(emissions[row], transitions, initial, every, added).exp()
        for word in range(n):
            for tag in range(N_TAGS):
                here = torch.tensor([path[word] == tag for path in every])
                marginal = weights[here].sum() / weights.sum()
                expected = expected - labels[row, word, tag] * marginal.log()
    assert_equal_with_gradients(loss, expected, list(scores if states else scores[:3]))


def of_words(labels: Tensor, row: int, word: int, scores: Tensor) -> Tensor:
    """The cross-entropy of one word, tag by tag."""
    total = scores.exp().sum()
    return -sum(labels[row, word, k] * (scores[k].exp() / total).log() for k in range(N_TAGS))


def test_words():
    emissions, transitions, initial, tags, lengths = draw(1)
    labels = probabilities(1)
    paths = DensePaths(transitions, initial)
    loss = CRITERIA["word"].loss(emissions, GoldBatch(tags, lengths, soft=labels), paths)
    words = [(row, word) for row, n in enumerate(LENGTHS) for word in range(n)]
    assert_equal_with_gradients(
        loss, sum(of_words(labels, *at, emissions[at]) for at in words), [emissions]
    )
