"""Joined ensembles against sums over the members and all paths."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from senna.decoding.viterbi import FORBIDDEN, forbidden
from senna.errors import SennaError
from senna.lab import soft_labels
from senna.lab.ensemble_join import _JoinedNetwork, _start_as_mean
from senna.lab.ensembles import in_order, write_members
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.training.config import Training
from senna.training.examples.corpora import Example
from tests import oracles
from tests.inference.kernel import twins
from tests.inference.networks.texts import Sentences, words
from tests.lab.test_ensembles import members
from tests.toys import seal


def columns(sentences: Sentences) -> dict[str, list[list[str]]]:
    """A column that one of the members reads."""
    return {"pos": [["NN" if len(word) % 2 else "DT" for word in s] for s in sentences]}


def joined(folder: Path, task: str, n: int = 2) -> tuple[Path, list[Path]]:
    """An ensemble of random members under a random layer."""
    paths = members(folder, task, n)
    models = [read_model(path) for path in paths]
    tags = models[0].lines(f"{task}.tags.txt")
    random = np.random.default_rng(n)
    shapes = {
        "output.weight": (n * len(tags), len(tags)),
        "output.bias": (len(tags),),
        "transitions": (len(tags), len(tags)),
        "initial": (len(tags),),
    }
    arrays = {f"{task}.{k}": random.normal(0, 1, s).astype(np.float32) for k, s in shapes.items()}
    write_members(models, folder / "join", "join", "A test.", "test", arrays)
    return folder / "join", paths


def of_members(paths: list[Path], task: str, tags: list[str], sentence: list[str]) -> list[float]:
    """What all members give for the words of a sentence: [word][member * n_tags + tag]."""
    parts = []
    for path in paths:
        pipeline = Pipeline.load([task], path)
        example = Example(sentence, [], {"pos": columns([sentence])["pos"][0]})
        parts += soft_labels.of_words(pipeline, task, lambda *x: in_order(*x, tags), [example])
    return np.concatenate(parts, axis=1).tolist()


@pytest.mark.parametrize("task", ["ner", "pos"])
def test_tags_are_those_of_the_best_of_all_paths(tmp_path, task):
    path, paths = joined(tmp_path, task)
    tags, arrays = read_model(path).lines(f"{task}.tags.txt"), dict(read_model(path).arrays())
    names = ("output.weight", "output.bias", "transitions", "initial")
    weights, bias, transitions, initial = (np.array(arrays[f"{task}.{name}"]) for name in names)
    final = np.zeros(len(tags))
    if task == "ner":
        rules = forbidden(tags)
        initial[rules[0]], transitions[rules[1:-1]] = FORBIDDEN, FORBIDDEN
        final[rules[-1]] = FORBIDDEN
    sentences = words(1, [1, 3, 0, 2, 2, 3, 1])
    answers = Pipeline.load([task], path).annotate(sentences, columns(sentences))[task]
    assert answers[2] == []
    for sentence, answer in zip(sentences, answers, strict=True):
        if not sentence:
            continue
        scores = np.array(of_members(paths, task, tags, sentence)) @ weights + bias
        scores[-1] += final
        best = oracles.best_path(scores, transitions, initial)
        assert answer == [tags[i] for i in best]


def test_tags_without_the_kernel(tmp_path):
    path, _ = joined(tmp_path, "ner", 3)
    sentences = words(2, [4, 9, 1, 30] * 5)
    with_kernel = Pipeline.load(["ner"], path).annotate(sentences, columns(sentences))
    with twins.at("off"):
        assert Pipeline.load(["ner"], path).annotate(sentences, columns(sentences)) == with_kernel


def test_it_begins_as_the_mean_of_its_members(tmp_path):
    """The PyTorch twin, on what members give."""
    paths = members(tmp_path, "ner", 3)
    models = [read_model(path) for path in paths]
    tags = models[0].lines("ner.tags.txt")
    network = _JoinedNetwork(Training(), "ner", tags, 3)
    _start_as_mean(network, "ner", models)
    [sentence] = words(3, [5])
    rows = torch.tensor(of_members(paths, "ner", tags, sentence))
    head = network.head("ner")
    longer = SimpleNamespace(gold_lengths=torch.tensor([6]))  # no last word is among these
    [scores] = head(rows[None], longer)
    assert torch.allclose(scores, rows.reshape(5, 3, -1).mean(1), atol=1e-5)
    moves = np.mean([model.array("ner.transitions", None, None) for model in models], axis=0)
    assert np.allclose(head.arrays("ner")["ner.transitions"], moves, atol=1e-6)


def test_a_member_of_other_tags(tmp_path):
    path, _ = joined(tmp_path, "ner")
    tags = path / "2" / "ner.tags.txt"
    lines = tags.read_text(encoding="utf-8").splitlines()
    tags.write_text("\n".join(line.replace("PER", "XXX") for line in lines) + "\n")
    seal(tags.parent)
    with pytest.raises(SennaError, match="a member does not have its tags of ner"):
        Pipeline.load(["ner"], path)
