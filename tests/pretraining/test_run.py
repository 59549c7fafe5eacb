"""Whole runs on a small text: what is learnt, kept, chosen and resumed."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.formats.vectors import read_vectors
from senna.pretraining import pretrainer
from senna.pretraining.config import OBJECTIVES, Job, Pretraining
from senna.pretraining.corpus import Text
from senna.pretraining.network import Weights, copies_of, first_values, make_model, start_from
from senna.pretraining.objectives import Objective
from senna.pretraining.pretrainer import Pretrainer
from senna.pretraining.recurrent import LanguageStates
from senna.pretraining.run import pretrain
from senna.pretraining.validation import HeldOut
from senna.text.vocabulary import RARE
from tests.pretraining.toytext import (
    CHOICES,
    KNOWN,
    N_WORDS,
    PLACES,
    TOPICS,
    prepared,
    small_config,
)

CHANCE = (N_WORDS + 1) / 2  # mean rank of a network that knows nothing


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> Text:
    return prepared(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def short(tmp_path_factory) -> Text:
    return prepared(tmp_path_factory.mktemp("short"), 300)


@pytest.fixture(autouse=True)
def handler_is_left() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


def go(config: Pretraining, out: Path, text: Text, *, resume: bool = False) -> list[str]:
    """A run on a text; returns what it said, at last how it was stopped, if it was."""
    said: list[str] = []
    try:
        pretrain(config, Job(out, text=text.folder), said.append, resume=resume)
    except KeyboardInterrupt as stop:
        said.append(str(stop))
    return said


def metrics(out: Path) -> list[dict[str, Any]]:
    lines = (out / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def vectors(out: Path) -> tuple[bytes, bytes]:
    return (out / "words.txt").read_bytes(), (out / "vectors.npy").read_bytes()


def interrupt_at(step: int, monkeypatch: pytest.MonkeyPatch, how: Callable[[], object]) -> None:
    """Do something in the middle of the part that is trained as number `step` from now on."""
    real, n = Pretrainer.batches, 0

    def batches(self: Pretrainer) -> Iterator[Any]:
        nonlocal n
        n += 1
        if n == step:
            how()
        return real(self)

    monkeypatch.setattr(Pretrainer, "batches", batches)


def ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


class PowerCutError(BaseException):
    """No time for anything."""


def power_cut() -> None:
    raise PowerCutError


# --------------------------------------------------------------------------- learning


def test_ranking_learns(tmp_path, text):
    said = go(small_config("ranking", "epochs=2"), tmp_path, text)
    lines = metrics(tmp_path)
    assert lines[-1]["rank"] < 3 < CHANCE / 3
    assert lines[-1]["rank"] < lines[0]["rank"]
    assert lines[-1]["loss"] < lines[0]["loss"] / 2
    assert lines[-1]["done"] == 1 and lines[-1]["size"] == N_WORDS
    assert said[0].endswith("words to train on, 100.0% of them known")
    assert "windows/s" in said[-2]
    assert said[-1] == f"vectors: {tmp_path}; try: senna neighbors --vectors {tmp_path} WORD"


def test_likelihood_learns(tmp_path, text):
    said = go(small_config("likelihood", "epochs=2"), tmp_path, text)
    lines, last = metrics(tmp_path)[:-1], metrics(tmp_path)[-1]
    assert lines[-1]["rank"] < 3
    assert KNOWN * 0.95 < last["perplexity"] < KNOWN * 1.1
    # The n-grams do not see what comes: the first word of a sentence may be of either topic.
    assert last["perplexity"] < last["ngram_perplexity"] < KNOWN * 1.3
    assert any(f"perplexity {last['ngram_perplexity']:.2f} by Kneser-Ney" in line for line in said)


def test_skipgram_learns(tmp_path, text):
    go(small_config("skipgram", "epochs=2"), tmp_path, text)
    assert metrics(tmp_path)[-1]["rank"] < CHANCE / 4
    vectors = read_vectors(tmp_path)
    rows = {word: row for row, word in enumerate(vectors.words)}
    table = vectors.table.astype(np.float32)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    # The words of one topic, and among them those of one place, are alike.
    assert table[rows["bxk"]] @ table[rows["bxl"]] > 0.8
    assert table[rows["bxk"]] @ table[rows["byk"]] < 0.5


def write_clusters(path: Path) -> Path:
    """The words of each place of the toy text are a cluster; the full stop has none."""
    words = [p + t + c for p, t, c in product(PLACES, TOPICS, CHOICES)]
    lines = [f"{PLACES.index(word[0]):03b}\t{word}\t1\n" for word in words]
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("objective", "softmax"),
    [("likelihood", "nce"), ("bilinear", "classes"), ("likelihood", "tree")],
)
def test_other_softmaxes_learn_the_same_probabilities(tmp_path, text, objective, softmax):
    more = [f"softmax={softmax}", "sample=30", "epochs=3", "baseline=0"]
    if softmax != "nce":
        more.append(f"clusters={write_clusters(tmp_path / 'clusters')}")
    said = go(small_config(objective, *more), tmp_path / "run", text)
    assert KNOWN * 0.95 < metrics(tmp_path / "run")[-1]["perplexity"] < KNOWN * 1.25
    told = "96.8% of the dictionary in 5 clusters, the rest in one"
    assert (told in said) == (softmax != "nce")


@pytest.mark.slow
def test_recurrent_learns(tmp_path, text):
    go(small_config("recurrent", "epochs=4", "batch=64", "baseline=2"), tmp_path, text)
    last = metrics(tmp_path)[-1]
    assert last["perplexity"] == pytest.approx(last["ngram_perplexity"], rel=0.1)
    assert last["perplexity"] > KNOWN * 0.95
    states = LanguageStates.load(tmp_path)
    assert states.size == 16
    assert states.ids(["axk", "zebra"]).tolist()[1] == RARE


def test_a_network_of_one_direction_has_no_states(tmp_path, short):
    go(small_config("recurrent", "epochs=0.2", "ahead=true"), tmp_path, short)
    with pytest.raises(SennaError, match="no recurrent language model in both directions"):
        LanguageStates.load(tmp_path)


@pytest.mark.parametrize(("first", "largest"), [("word2vec", 0.5 / 6), ("xavier", 1.0)])
def test_first_values_are_uniform(first, largest):
    config = small_config("skipgram", f"first={first}", "dimension=6")
    torch.manual_seed(1)
    values = first_values(config, 20_000)
    assert values.shape == (20_000, 6)
    assert values.abs().max().item() == pytest.approx(largest, rel=0.001)
    assert values.mean().item() == pytest.approx(0, abs=0.01 * largest)
    assert values.std().item() == pytest.approx(largest / 3**0.5, rel=0.01)
    normal = first_values(replace(config, first="normal", deviation=0.3), 20_000)
    assert normal.std().item() == pytest.approx(0.3, rel=0.02)
    assert normal.abs().max() > 0.9


def test_fewer_words_are_the_first_of_the_text(tmp_path, short, monkeypatch):
    stages, held = Stages(monkeypatch), []
    real = HeldOut.choose
    monkeypatch.setattr(HeldOut, "choose", lambda *a: held.append(real(*a)) or held[-1])
    for name, settings in (("a", ["words=600"]), ("b", [])):
        said = go(small_config("skipgram", "epochs=0.2", *settings), tmp_path / name, short)
        assert said[0].startswith("600 words" if name == "a" else "1,620 words")
    fewer, more = stages.ids
    assert len(fewer) == 700 and np.array_equal(fewer, more[:700])
    assert np.array_equal(held[0].rows, held[1].rows)


# --------------------------------------------------------------------------- what goes before


class Stages:
    """Remembers what every network started and ended with."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: list[dict[str, torch.Tensor]] = []
        self.built: list[Objective] = []
        self.ids: list[np.ndarray] = []
        real = Pretrainer._begin_stage

        def begin(run: Pretrainer) -> None:
            real(run)
            self.built.append(run.model)
            self.ids.append(run.blocks.ids)
            self.started.append(copies_of(run.model))

        monkeypatch.setattr(Pretrainer, "_begin_stage", begin)


def test_a_curriculum_passes_everything_on(tmp_path, short, monkeypatch):
    stages = Stages(monkeypatch)
    config = small_config("likelihood", "sizes=[10,20,90,100]", "warm_up=1", "epochs=0.3")
    go(config, tmp_path, short)
    sizes = [len(start["table.words"]) - RARE - 1 for start in stages.started]
    assert sizes == [10, 20, N_WORDS]  # there are no more words, so no fourth dictionary
    for before, after in zip(stages.built, stages.started[1:], strict=False):
        for name, value in copies_of(before).items():
            assert torch.equal(after[name][: len(value)], value), name
        assert after["table.words"][len(before.words.weight) :].std() > 0.05
    assert copies_of(stages.built[0])["table.words"].abs().max() > 0.5  # it had learnt something
    assert [line["size"] for line in metrics(tmp_path) if line.get("done") == 1] == sizes


def first_weights(config: Pretraining, before: Weights | None = None) -> Weights:
    torch.manual_seed(config.seed)
    model = make_model(config, np.full(9, 5), None, torch.device("cpu"))
    start_from(model, before or {})
    return copies_of(model)


@pytest.mark.parametrize("objective", [name for name in OBJECTIVES if name != "recurrent"])
def test_a_network_of_another_shape_starts_from_what_both_have(objective):
    config = small_config(objective)
    shape = {"dimension": config.dimension + 3, "window": config.window + 2}
    wider = small_config(objective, *(f"{k}={v}" for k, v in shape.items()))
    small = first_weights(config)
    for one, other in ((config, wider), (wider, config)):
        before, fresh = first_weights(one), first_weights(other)
        after = first_weights(other, before)
        n = config.dimension
        assert torch.equal(after["table.words"][:, :n], before["table.words"][:, :n])
        assert torch.equal(after["table.words"][:, n:], fresh["table.words"][:, n:])
        for name in (name for name in fresh if name.startswith("layer.")):
            assert torch.equal(after[name], fresh[name]), name
    assert small["table.words"].shape[1] == config.dimension


def test_a_run_goes_on_with_its_own_dictionary_alone(tmp_path, short):
    go(small_config("skipgram", "epochs=0.3"), tmp_path, short)
    with pytest.raises(SennaError, match="began with another text, dictionary or release"):
        go(small_config("skipgram", "epochs=0.3", "sizes=[9]"), tmp_path, short, resume=True)


def test_a_given_dictionary(tmp_path, short):
    path = tmp_path / "words"
    path.write_text("zebra\n.\nbxk\nayl\n", encoding="utf-8")
    config = small_config("ranking", f"dictionary={path}", "epochs=0.2")
    said = go(config, tmp_path / "a", short)
    assert read_vectors(tmp_path / "a").words == ["zebra", ".", "bxk", "ayl"]
    known = sum(short.counts[short.words.index(word)] for word in (".", "bxk", "ayl"))
    assert f"{known / short.n_words:.1%} of them known" in said[0]
    assert said[1] == f"{path} has only 4 words for a dictionary of 40"
    said = go(replace(config, sizes=(2, 3)), tmp_path / "b", short)
    assert read_vectors(tmp_path / "b").words == ["zebra", ".", "bxk"]
    assert said[0] == f"{path}: its first 3 words of 4"


def test_vectors_to_start_from(tmp_path, short, monkeypatch):
    path = tmp_path / "before.glove"
    rows = {"bxk": 0.25, "zebra": 1.0, ".": -0.5}
    lines = [f"{word} {' '.join([str(value)] * 8)}\n" for word, value in rows.items()]
    path.write_text("".join(lines), encoding="utf-8")
    stages = Stages(monkeypatch)
    config = small_config("skipgram", f"initial={path}", "sizes=[10,40]", "epochs=0.2")
    said = go(config, tmp_path / "a", short)
    assert f"{2 / N_WORDS:.1%} of the dictionary start from {path}" in said
    for stage, start in enumerate(stages.started):
        table = start["table.words"][RARE + 1 :]
        known = [word for word in rows if word in short.words[: len(table)]]
        for row, word in enumerate(short.words[: len(table)]):
            if word not in known:
                assert 0 < table[row].std() < 0.1  # deviation is 0.01
            elif stage == 0:
                assert table[row].tolist() == [rows[word]] * 8
    trained = copies_of(stages.built[0])["table.words"]
    assert torch.equal(stages.started[1]["table.words"][:12], trained)  # not the file's once more


# --------------------------------------------------------------------------- interruption

CURRICULUM = ("sizes=[12,40]", "warm_up=0.4", "epochs=0.6", "sample=8")


@pytest.mark.parametrize("objective", ["ranking", "likelihood", "skipgram", "recurrent"])
def test_stopped_after_every_part_it_ends_in_the_same_vectors(
    tmp_path, short, monkeypatch, objective
):
    config = small_config(objective, *CURRICULUM)
    go(config, tmp_path / "whole", short)
    stops, out = 0, tmp_path / "cut"
    resume = False
    while True:
        with monkeypatch.context() as context:
            interrupt_at(1, context, ctrl_c)
            said = go(config, out, short, resume=resume)
        resume = True
        if not said[-1].startswith("stopped"):
            break
        stops += 1
        assert said[-2:] == [
            f"vectors as they are: {out}",
            f"stopped; continue with senna pretrain --resume {out}",
        ]
        partial_vectors = read_vectors(out)  # usable whenever it is stopped
        assert partial_vectors.words == short.words[: len(partial_vectors.words)]
    assert stops >= 4
    assert vectors(out) == vectors(tmp_path / "whole")
    logged = [[line.get("log_rank") for line in metrics(tmp_path / n)] for n in ("cut", "whole")]
    assert logged[0] == logged[1]
    if objective == "recurrent":
        layers = [LanguageStates.load(tmp_path / name).state_dict() for name in ("cut", "whole")]
        assert all(torch.equal(layers[0][name], layers[1][name]) for name in layers[0])


@pytest.mark.parametrize("step", [2, 5])
def test_cut_off_without_warning_it_goes_on_from_the_last_checkpoint(
    tmp_path, short, monkeypatch, step
):
    config = small_config("ranking", *CURRICULUM)
    monkeypatch.setattr(pretrainer, "SAVE_SECONDS", 0.0 if step % 2 else 9.0)
    go(config, tmp_path / "whole", short)
    with monkeypatch.context() as context:
        interrupt_at(step, context, power_cut)
        with pytest.raises(PowerCutError):
            go(config, tmp_path / "cut", short)
    assert not list(tmp_path.glob("cut/*.tmp"))
    go(config, tmp_path / "cut", short, resume=True)
    assert vectors(tmp_path / "cut") == vectors(tmp_path / "whole")


@pytest.mark.parametrize("name", ["_finish", "_write"])
def test_cut_off_at_its_end_it_can_be_resumed(tmp_path, short, monkeypatch, name):
    config = small_config("likelihood", "epochs=0.4")
    with monkeypatch.context() as context:
        context.setattr(Pretrainer, name, lambda *arguments: power_cut())
        with pytest.raises(PowerCutError):
            go(config, tmp_path / "cut", short)
    with monkeypatch.context() as context:
        interrupt_at(1, context, power_cut)  # nothing is left to train
        go(config, tmp_path / "cut", short, resume=True)
    go(config, tmp_path / "whole", short)
    assert vectors(tmp_path / "cut") == vectors(tmp_path / "whole")


# --------------------------------------------------------------------------- what cannot be


# An objective and its settings, and what is said of them.
REFUSED = """
skipgram softmax=nce | softmax = "nce" needs objective = likelihood or bilinear or rec
ranking steps=8 | steps = 8 needs objective = recurrent
likelihood projection=8 | projection = 8 needs objective = recurrent
ranking ahead=true | ahead = true needs objective = likelihood or bilinear or rec
recurrent window=5 | recurrent reads word by word: its window is 3. Choose steps.
recurrent projection=16 | projection = 16 is not below hidden = 16
bilinear softmax=classes | softmax = "classes" without clusters. Make a file with
bilinear clusters=x | clusters = "x" needs softmax = classes or tree
likelihood softmax=whole | sampled, nce, classes, tree
ranking window=4 | window = 4 must be odd, from 3 to
ranking sizes=[3,2] | sizes must grow
ranking epochs=0 | epochs = 0.0 must be 1e-09 or more
""".strip().splitlines()


@pytest.mark.parametrize("line", REFUSED)
def test_settings_that_an_objective_lacks(line):
    given, _, message = line.partition(" | ")
    objective, *settings = given.split()
    with pytest.raises(SennaError) as caught:
        small_config(objective, *settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_clusters_of_no_use(tmp_path, short):
    path = tmp_path / "clusters"
    config = small_config("likelihood", "softmax=classes", f"clusters={path}")
    for content, message in (
        (None, "clusters"),
        ("0110\tzebra\t3\n", "clusters: no word of the dictionary in it"),
        ("0110 axk 3\n", "clusters:1: expected path, tab, word, tab, count"),
    ):
        if content is not None:
            path.write_text(content, encoding="utf-8")
        with pytest.raises(SennaError, match=message):
            go(config, tmp_path / "run", short)
        for left in ("config.toml", "run.json", "metrics.jsonl"):
            (tmp_path / "run" / left).unlink()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["held_out=1.0"], "held_out: .* too few: "),
        (["held_out=9000"], "held_out: .* too few: 9,000 are held out"),
        (["held_out=1e-9"], "held_out: .* too few: 0 are held out"),
        (["held_out=1.5"], "held_out: the text held out contains none of the first 31 words"),
        (["learning_rate=1e30"], "grown too large to write. Start again with a smaller"),
        (["deviation=1e38"], "loss is no longer a number. Try a smaller learning_rate"),
    ],
)
def test_what_no_run_can_use(tmp_path, short, settings, message):
    with pytest.raises(SennaError, match=message):
        go(small_config("ranking", "epochs=0.2", *settings), tmp_path, short)
    assert not (tmp_path / "vectors.npy").exists()
    assert not (tmp_path / "words.txt").exists()


def test_a_text_of_a_few_words_is_learnt_from(tmp_path):
    """It is shorter than a block, let alone a batch, and skip-gram drops most of it."""
    text = prepared(tmp_path, 5)
    config = small_config("skipgram", "threshold=1e-3", "held_out=6", "epochs=100")
    go(config, tmp_path / "out", text)
    before = small_config("skipgram").deviation
    assert read_vectors(tmp_path / "out").table.std() > 3 * before
