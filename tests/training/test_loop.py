"""The training loop: what it learns, that it repeats, interruptions, checkpoints."""

import dataclasses
import io
import json
import os
import re
import shutil
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.kinds import output_of
from senna.training import loop
from senna.training.build import build
from senna.training.config import Config, Training, override
from senna.training.examples.corpora import TaskCorpus
from senna.training.interruption import interruptible
from senna.training.optimisers import clip_gradients, make_optimisers
from senna.training.trainer import Trainer
from tests import oracles, toys
from tests.faults import no_space
from tests.model.test_folder import Trap

CPU = torch.device("cpu")
Weights = dict[str, torch.Tensor]


def trainer_of(config: Config, sets: dict[str, TaskCorpus], out: Path) -> Trainer:
    made = build(config, sets, CPU)
    out.mkdir(exist_ok=True)
    return made.trainer(out)


def by_heart(task: str, n: int = 20) -> dict[str, TaskCorpus]:
    """A corpus whose dev set is its training set."""
    sentences = toys.demo(task, n)
    return {task: TaskCorpus(sentences, [("same", sentences)])}


def small(task: str, **settings: Any) -> Config:
    chosen = {"epochs": 3, "batch": 4, "learning_rate": 0.01} | settings
    config = toys.small(task, "network.window.hidden=[20]")
    return dataclasses.replace(config, train=Training(**chosen))


def weights_of(trainer: Trainer) -> Weights:
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


def same(one: Weights, other: Weights) -> bool:
    assert one.keys() == other.keys()
    return all(torch.equal(one[name], other[name]) for name in one)


def metrics(out: Path) -> list[dict[str, Any]]:
    """What metrics.jsonl says, without clock times."""
    lines = (out / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [{k: json.loads(line)[k] for k in ("epoch", "loss", "dev")} for line in lines]


# --------------------------------------------------------------------------- learning


@pytest.mark.slow
def test_learns_twenty_sentences_by_heart(tmp_path):
    """As the paper's networks learn; tests/training/test_run.py has the usual optimiser."""
    sgd = {"optimiser": "sgd", "learning_rate": 1.0, "batch": 1, "clip": 0.0}
    config = small("pos", epochs=25, criterion="word", schedule="constant", **sgd)
    trainer = trainer_of(config, by_heart("pos"), tmp_path)
    before = trainer.scores()["pos"]
    state = trainer.run()
    assert before < 60
    assert state.best_score == 100
    assert trainer.scores()["pos"] == 100
    losses = [line["loss"] for line in metrics(tmp_path)]
    assert losses[-1] < losses[0] / 5


NETWORKS = {
    "gated": "network.gated={units=24, dilations=[1,2], pair=24, distance=6}",
    "sentence": "network.sentence={width=3, units=24, hidden=24, distance=6}",
    "recurrent": "network.recurrent={cell='gru', units=12}",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("network", "task", "criterion"),
    [
        ("gated", "srl", "sentence"),
        ("sentence", "srl", "sentence"),
        ("recurrent", "ner", "perceptron"),
    ],
)
def test_other_networks_learn_by_heart(tmp_path, network, task, criterion):
    config = small(task, epochs=40, criterion=criterion)
    config = override(config, [f"network.kind={network}", NETWORKS[network]])
    trainer = trainer_of(config, by_heart(task, 10), tmp_path)
    assert trainer.scores()[task] < 60
    # Tags each for itself make fewer whole phrases.
    assert trainer.run().best_score > (90 if criterion == "sentence" else 70)


def test_word_vectors_that_are_fixed_stay(tmp_path):
    for fixed in (True, False):
        config = override(small("ner"), values={"features.word.fixed": fixed})
        trainer = trainer_of(config, by_heart("ner"), tmp_path)
        before = trainer.model.inputs.word.detach().clone()
        trainer.run()
        assert torch.equal(trainer.model.inputs.word, before) == fixed


def test_rare_words_lend_their_place_to_rare(tmp_path):
    """With `rare`, RARE's own row is trained; without, it never is."""
    for rare in (0.0, 0.5):
        config = override(small("ner"), values={"features.word.rare": rare})
        trainer = trainer_of(config, by_heart("ner"), tmp_path)
        before = trainer.model.inputs.word.detach().clone()
        trainer.run()
        moved = (trainer.model.inputs.word.detach() != before).any(dim=1)
        assert moved[1] == (rare > 0)
        assert moved[2:].sum() > 50


# --------------------------------------------------------------------------- repeating


DROPOUT: dict[str, Any] = {"dropout_input": 0.3, "dropout_hidden": 0.2, "average": 0.9}


class Interrupted(Trainer):
    """A trainer that gets Ctrl-C in its n-th step, or while it scores after n epochs."""

    def __init__(self, *arguments: Any, step: int = -1, epoch: int = -1) -> None:
        super().__init__(*arguments)
        self.at_step, self.at_epoch = step, epoch

    def step(self, batch: Any) -> int:
        found = super().step(batch)
        if self.state.step == self.at_step:
            os.kill(os.getpid(), signal.SIGINT)
        return found

    def scores(self) -> dict[str, float]:
        found = super().scores()
        if self.state.epoch == self.at_epoch:
            os.kill(os.getpid(), signal.SIGINT)
        return found


TWO_TASKS = ("chunk", "ner")


def drawing(tasks: tuple[str, ...], **settings: Any) -> tuple[Config, dict[str, TaskCorpus]]:
    """Four epochs of training that draws dropout, rare words and what the settings say."""
    config = small("ner", epochs=4, **settings, **DROPOUT)
    config = override(config, values={"tasks": list(tasks), "features.word.rare": 0.3})
    return config, {task: by_heart(task)[task] for task in tasks}


@pytest.mark.parametrize(
    ("tasks", "when", "settings"),
    [
        (("ner",), {"step": 12}, {"optimiser": "adam"}),
        (TWO_TASKS, {"epoch": 2}, {"optimiser": "adam"}),
        (("ner",), {"epoch": 2}, {"optimiser": "adagrad", "schedule": "constant", "l2": 0.01}),
        (TWO_TASKS, {"step": 12}, {"criterion": "greedy", "own_tags": 0.5}),
    ],
)
def test_a_resumed_run_ends_in_the_same_weights(tmp_path, tasks, when, settings):
    config, sets = drawing(tasks, **settings)
    whole = trainer_of(config, sets, tmp_path / "whole")
    expected = whole.run()

    made = build(config, sets, CPU)
    out = tmp_path / "broken"
    out.mkdir()
    first = Interrupted(made.config.train, made.model, made.batches, out, **when)
    stopped = first.run()
    assert first.interruption.asked
    assert stopped.epoch < 4
    assert same(stopped.best, weights_of(first)), "the best so far is what is left in it"

    second = trainer_of(config, sets, out)
    found = second.run(resume=True)
    assert (found.epoch, found.step) == (expected.epoch, expected.step)
    assert (found.best_epoch, found.best_score) == (expected.best_epoch, expected.best_score)
    assert same(weights_of(second), weights_of(whole))
    assert metrics(out) == metrics(tmp_path / "whole")


class KilledError(Exception):
    """The end of a process, without warning."""


def test_a_run_that_is_killed_within_an_epoch_goes_on_there(tmp_path, monkeypatch):
    config, sets = drawing(TWO_TASKS, criterion="greedy", own_tags=0.5)
    whole = trainer_of(config, sets, tmp_path / "whole")
    expected = whole.run()

    monkeypatch.setattr(loop, "WITHIN", 0.0)
    really, told, steps, out = Trainer.step, list[str](), list[int](), tmp_path / "killed"

    def step(trainer: Trainer, batch: Any) -> int:
        if trainer.state.step == ends[0]:
            del ends[0]
            raise KilledError
        steps.append(1)
        return really(trainer, batch)

    monkeypatch.setattr(Trainer, "step", step)
    ends = [1, 12, expected.step]
    for resume in (False, True):
        trainer = trainer_of(config, sets, out)
        trainer.say = told.append
        with pytest.raises(KilledError):
            trainer.run(resume=resume)
    assert re.match(r"epoch 1/4: \d+%, loss=", told[0])
    trainer = trainer_of(config, sets, out)
    assert trainer.run(resume=True).step == expected.step == len(steps)
    assert same(weights_of(trainer), weights_of(whole))
    assert metrics(out) == metrics(tmp_path / "whole")


def test_the_second_interruption_ends_the_program():
    with interruptible() as interruption:
        assert not interruption.asked
        os.kill(os.getpid(), signal.SIGINT)
        assert interruption.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# --------------------------------------------------------------------------- epochs


def test_early_stopping(tmp_path, monkeypatch):
    """Under made-up dev scores."""
    trainer = trainer_of(small("ner", epochs=8, patience=2), by_heart("ner"), tmp_path)
    really, scores = trainer.scores, iter([1.0, 5.0, 4.0, 6.0, 6.0, 2.0, 9.0, 9.0])
    monkeypatch.setattr(trainer, "scores", lambda: dict.fromkeys(really(), next(scores)))
    state = trainer.run()
    assert (state.best_epoch, state.epoch, list(scores)) == (4, 6, [9.0, 9.0])


def test_without_a_dev_set_the_last_epoch_is_kept(tmp_path):
    sets = {"ner": TaskCorpus(toys.demo("ner", 20), [])}
    trainer = trainer_of(small("ner"), sets, tmp_path)
    assert trainer.run().best_epoch == 3


def test_several_dev_sets_count_alike_whatever_their_size(tmp_path):
    sentences = toys.demo("pos", 20)
    parts = [("one", sentences[:2]), ("other", sentences[2:])]
    trainer = trainer_of(small("pos"), {"pos": TaskCorpus(sentences, parts)}, tmp_path)
    found = trainer.scores()
    assert set(found) == {"pos", "pos:one", "pos:other"}
    assert found["pos"] == pytest.approx((found["pos:one"] + found["pos:other"]) / 2)
    guesses = trainer.predict(trainer.tasks[0], trainer.tasks[0].dev)
    gold = [s.gold for s in sentences[2:]]
    assert found["pos:other"] == output_of("pos").measure(gold, guesses[2:]).percent


@pytest.mark.parametrize(
    ("schedule", "expected"), [("constant", [1, 1, 1, 1]), ("linear", [1, 0.75, 0.5, 0.25])]
)
def test_schedules(tmp_path, schedule, expected):
    settings = {"epochs": 2, "batch": 10, "learning_rate": 0.5}
    trainer = trainer_of(small("ner", schedule=schedule, **settings), by_heart("ner"), tmp_path)
    seen = []
    step = trainer.step

    def recorded(*arguments: Any) -> int:
        found = step(*arguments)
        seen.append([g["lr"] for o in trainer.descent.optimisers for g in o.param_groups])
        return found

    trainer.step = recorded
    trainer.run()
    assert np.allclose([rates[:2] for rates in seen], 0.5 * np.array([expected] * 2).T)


def rates_of(model: Any) -> dict[int, float]:
    """The rates of plain SGD at 0.6 for the parameters, by their ids."""
    train = Training(optimiser="sgd", learning_rate=0.6)
    optimisers = make_optimisers(train, model, model.inputs.word)
    groups = [group for optimiser in optimisers for group in optimiser.param_groups]
    return {id(p): group["lr"] for group in groups for p in group["params"]}


def test_sgd_divides_each_layers_rate_by_its_fan_in():
    model = toys.setup(toys.SMALL).model
    rate, head = rates_of(model), model.head("ner")
    assert rate[id(model.inputs.word)] == pytest.approx(0.6)
    assert rate[id(model.inputs.forms["caps"].weight)] == pytest.approx(0.6)
    assert rate[id(model.shared[0].linear.weight)] == pytest.approx(0.6 / (3 * 22))
    assert rate[id(model.shared[0].linear.bias)] == pytest.approx(0.6 / (3 * 22))
    assert rate[id(head.output.weight)] == pytest.approx(0.6 / 8)
    assert rate[id(head.transitions)] == rate[id(head.initial)] == pytest.approx(0.6)
    assert set(rate) == {id(p) for p in model.parameters()}


def test_one_step_of_plain_sgd_is_rate_times_gradient(tmp_path):
    config = small("ner", optimiser="sgd", learning_rate=0.1, schedule="constant", clip=0.0)
    sets = {"ner": TaskCorpus(toys.demo("ner", 1), [])}
    trainer = trainer_of(config, sets, tmp_path)
    trainer.total_steps = 1
    batch = trainer.examples.batches.batch("ner", trainer.tasks[0].train)
    before = weights_of(trainer)
    trainer.model.head("ner").loss(trainer.model("ner", batch), batch).backward()
    output = trainer.model.head("ner").output
    gradient = output.weight.grad.clone()
    trainer.loss, trainer.n_words = 0.0, 0
    trainer.step(("ner", batch, {}))
    expected = before["heads.ner.output.weight"] - 0.1 / 20 * gradient
    torch.testing.assert_close(output.weight.detach(), expected)


def test_the_average_is_a_running_mean_of_the_weights(tmp_path):
    """A snapshot every eight steps, which decays by `average` a step, and faster early on."""
    trainer = trainer_of(small("ner", average=0.85, epochs=4), by_heart("ner", 40), tmp_path)
    snapshots: dict[int, Weights] = {}
    step, keep_best = trainer.step, trainer._keep_best

    def watched(*args: Any) -> int:
        words = step(*args)
        if trainer.state.step % 8 == 0:
            snapshots[trainer.state.step] = weights_of(trainer)
        return words

    def ended(scores: dict[str, float]) -> None:
        ends.append(trainer.state.step)
        keep_best(scores)

    ends: list[int] = []
    trainer.step, trainer._keep_best = watched, ended
    state = trainer.run()
    assert ends == [10, 20, 30, 40] and list(snapshots) == [8, 16, 24, 32, 40]
    decays = {n: min(0.85**8, n / (n + 80)) for n in snapshots}
    assert decays[16] < decays[24] < decays[32] == decays[40] == 0.85**8

    def expected(end: int) -> Weights:
        steps = [n for n in snapshots if n <= end]
        rows = [snapshots[n] for n in steps]
        shares = [decays[n] for n in steps[1:]]
        return {k: oracles.running_mean([row[k] for row in rows], shares) for k in rows[0]}

    for name, value in expected(40).items():
        torch.testing.assert_close(state.average[name], value, msg=name)
    assert not torch.equal(state.average["inputs.word"], snapshots[40]["inputs.word"])
    for name, value in expected(ends[state.best_epoch - 1]).items():
        torch.testing.assert_close(state.best[name], value, msg=name)


# --------------------------------------------------------------------------- checkpoints


@pytest.fixture
def trained(tmp_path) -> Trainer:
    """A trainer that has run for two epochs of three."""
    trainer = trainer_of(small("ner"), by_heart("ner"), tmp_path)
    made = Interrupted(trainer.train, trainer.model, trainer.examples.batches, tmp_path, step=12)
    made.run()
    return made


def test_a_full_disk_leaves_the_last_checkpoint(trained, monkeypatch):
    before = (trained.out / "checkpoint.pt").read_bytes()
    names = sorted(p.name for p in trained.out.iterdir())

    def full(content: object, file: Any) -> None:
        file.write(b"half a check")
        raise RuntimeError("file write failed")

    monkeypatch.setattr(loop.torch, "save", full)
    with pytest.raises(SennaError, match=r"cannot write.*then resume"):
        loop.save(trained)
    assert (trained.out / "checkpoint.pt").read_bytes() == before
    assert sorted(p.name for p in trained.out.iterdir()) == names


def test_a_full_disk_is_named_where_pytorch_does_not(trained, monkeypatch):
    def full(content: object, file: Any) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=12))
        raise RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 12 vs 9")

    monkeypatch.setattr(loop.torch, "save", full)
    with pytest.raises(SennaError, match=r"checkpoint.pt: cannot write: No space left on device\."):
        loop.save(trained)


def test_a_full_disk_at_the_first_checkpoint_leaves_nothing_to_resume(tmp_path, monkeypatch):
    monkeypatch.setattr(loop.torch, "save", no_space)
    with pytest.raises(SennaError, match="begin again: nothing is kept"):
        trainer_of(small("ner"), by_heart("ner"), tmp_path).run()


@pytest.mark.parametrize("torn", [b"", b'{"epoch": 3, "lo'])
def test_an_epoch_without_its_checkpoint_does_not_stand_twice_in_the_metrics(
    tmp_path, monkeypatch, torn
):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    trainer_of(small("ner"), by_heart("ner"), whole).run()
    trainer = trainer_of(small("ner"), by_heart("ner"), broken)
    save = loop.save

    def killed(trainer: Any) -> None:
        save(trainer) if trainer.state.epoch == 1 else sys.exit()

    monkeypatch.setattr(loop, "save", killed)
    with pytest.raises(SystemExit):
        trainer.run()
    assert len(metrics(broken)) == 2
    with (broken / "metrics.jsonl").open("ab") as file:
        file.write(torn)
    monkeypatch.setattr(loop, "save", save)
    trainer_of(small("ner"), by_heart("ner"), broken).run(resume=True)
    assert metrics(broken) == metrics(whole)


def test_metrics_that_cannot_be_written(trained):
    (trained.out / "metrics.jsonl").unlink()
    (trained.out / "metrics.jsonl").mkdir()
    with pytest.raises(SennaError, match="cannot write"):
        trained.end_round(1.0)


def test_nothing_to_resume(tmp_path):
    with pytest.raises(SennaError, match=r"there is nothing to resume.*without resume"):
        trainer_of(small("ner"), by_heart("ner"), tmp_path).run(resume=True)


def test_a_damaged_checkpoint_is_not_executed(trained, tmp_path):
    path, trap = trained.out / "checkpoint.pt", tmp_path / "sprung"
    whole, other, pickled = path.read_bytes(), io.BytesIO(), io.BytesIO()
    torch.save({"model": trained.model.state_dict(), "optimisers": []}, other)
    torch.save({"model": Trap(trap)}, pickled)
    texts = (whole[: len(whole) // 2], b"epoch 1\n", other.getvalue(), pickled.getvalue())
    for content in texts:
        path.write_bytes(content)
        with pytest.raises(SennaError, match=r"checkpoint\.pt: does not fit this run") as caught:
            trained.run(resume=True)
        assert "archive" not in str(caught.value) and "EOFError" not in str(caught.value)
    assert not trap.exists()


def test_a_checkpoint_of_another_network(trained):
    config = override(small("ner"), ["network.window.hidden=[21]"])
    other = trainer_of(config, by_heart("ner"), trained.out)
    with pytest.raises(SennaError, match="does not fit this run"):
        other.run(resume=True)


# --------------------------------------------------------------------------- settings that act


@pytest.mark.parametrize("most", [0.5, 1e9])
def test_clipping_counts_and_scales_the_word_tables_sparse_gradient(most):
    """Once it left the word table out."""
    table = torch.nn.Embedding(9, 3, sparse=True)
    layer = torch.nn.Linear(3, 2)
    # A row that occurs twice has two entries in a gradient that is not coalesced.
    (layer(table(torch.tensor([1, 4, 4]))) ** 2).sum().backward()
    parameters = [table.weight, *layer.parameters()]
    before = [p.grad.to_dense().clone() for p in parameters if p.grad is not None]
    norm = float(torch.cat([g.flatten() for g in before]).norm())
    assert norm > 0.5
    clip_gradients(parameters, most)
    after = [p.grad.to_dense() for p in parameters if p.grad is not None]
    for one, other in zip(before, after, strict=True):
        assert torch.allclose(one * min(1.0, most / norm), other, atol=1e-5)
