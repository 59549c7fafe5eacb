"""The recurrent language model against its equations, a word at a time."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from senna.corpora.store import demo_data
from senna.errors import SennaError
from senna.files import resource
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.recurrent import LAYERS, LanguageStates, Recurrent, write_states
from senna.pretraining.softmaxes import ClassSoftmax, ClusterPaths
from senna.pretraining.validation import HeldOut, perplexity, ranks
from senna.text.capitals import CASELESS
from senna.text.vocabulary import PADDING, RARE
from senna.training.config import Config, override
from senna.training.run import Run, train
from senna.training.start_from import fine_tuning
from tests import toys

CPU = torch.device("cpu")
N, SIZE, UNITS, STEPS = 12, 5, 6, 4


def make(projection: int = 3, sample: int = 7, ahead: bool = False) -> Recurrent:
    """A model in double precision with random weights."""
    torch.manual_seed(2)
    words = LookupTable(torch.randn(N, SIZE, dtype=torch.double))
    noise = Noise(np.arange(N), 0.75, CPU)
    config = Pretraining(objective="recurrent", hidden=UNITS, steps=STEPS, sample=sample)
    config = dataclasses.replace(config, projection=projection, ahead=ahead)
    model = Recurrent(config, words, noise).double()
    model.softmax.table.weight = torch.randn(N, (projection or UNITS) + 1, dtype=torch.double)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.7)
    return model


def slow_states(model: Recurrent, direction: int, rows: list[int]) -> list[Tensor]:
    """h_j of an LSTM with projection (Sak et al. 2014), gate by gate, from a state of zeros."""
    w = {n: p.detach() for n, p in model.directions[direction].named_parameters()}
    c, h = torch.zeros(UNITS, dtype=torch.double), torch.zeros(w["weight_hh_l0"].shape[1]).double()
    states = []
    for row in rows:
        x = model.words.weight[row]
        sums = w["weight_ih_l0"] @ x + w["bias_ih_l0"] + w["weight_hh_l0"] @ h + w["bias_hh_l0"]
        i, f, g, o = sums.chunk(4)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        h = w["weight_hr_l0"] @ h if "weight_hr_l0" in w else h
        states.append(h)
    return states


def slow_scores(model: Recurrent, state: Tensor) -> Tensor:
    table = model.softmax.table.weight
    return table[:, :-1] @ state + table[:, -1]


def text(n: int = 40) -> list[int]:
    random = np.random.default_rng(5)
    rows = random.integers(RARE, N, n)
    rows[::7] = PADDING
    return [int(row) for row in rows]


@pytest.mark.parametrize("projection", [0, 3])
def test_states_are_those_of_the_equations(projection):
    model, rows = make(projection), text()
    for direction in range(2):
        states, _ = model.read(direction, model.words.weight[torch.tensor([rows])], None)
        slow = torch.stack(slow_states(model, direction, rows))
        torch.testing.assert_close(states[0, :, :-1], slow)
        assert (states[..., -1] == 1).all()


def test_the_state_goes_on_from_step_to_step_and_gradients_do_not():
    """Two steps of a stream lose what the whole softmax of the slow states says."""
    model = make()
    one = ClusterPaths(np.zeros(N, np.int64), [""])
    whole = ClassSoftmax(Noise(np.arange(N), 0, CPU), 3, 1, one)
    whole.table.weight = model.softmax.table.weight
    whole.of_classes.weight = whole.of_classes.weight.double()
    model.softmax = whole
    rows = text(2 * STEPS + 2)
    blocks = [rows[i : i + STEPS + 2] for i in (0, STEPS)]
    steps = [torch.tensor([[blocks[0], blocks[1]]]), torch.tensor([[blocks[1], blocks[0]]])]
    forward = slow_states(model, 0, rows[:-2])
    backward = slow_states(model, 1, rows[::-1][:-2])
    model.begin()
    for number, step in enumerate(steps):
        assert model.centres(step).tolist() == [blocks[number][1:-1]]
        part = slice(number * STEPS, (number + 1) * STEPS)
        pairs = [*zip(forward[part], rows[1:-1][part], strict=True)]
        pairs += zip(backward[part], rows[::-1][1:-1][part], strict=True)
        logs = [
            torch.log_softmax(slow_scores(model, state)[RARE:], 0)[word - RARE]
            for state, word in pairs
            if word != PADDING
        ]
        loss = model.loss(step)
        assert loss.item() == pytest.approx(-float(torch.stack(logs).mean()))
        loss.backward()  # would fail on a graph that reached into the step before
    model.begin()
    assert model.carried == [None, None]


def test_a_model_that_reads_ahead_has_the_loss_of_the_forward_stream_alone():
    model, rows = make(ahead=True), text(STEPS + 2)
    both = [torch.tensor([[rows, other]]) for other in (rows, [2] * len(rows))]
    losses = []
    for step in both:
        torch.manual_seed(0)  # of the sample
        model.begin()
        losses.append(model.loss(step).item())
    assert len(model.directions) == len(model.carried) == 1 and losses[0] == losses[1]
    others, table = make(ahead=False), model.softmax.table.weight
    others.softmax.table.weight = table
    torch.manual_seed(0)
    assert others.loss(both[0]).item() != losses[0]


def test_loss_gradients_by_finite_differences():
    model = make()
    step = torch.tensor(
        [[text(STEPS + 2), text(STEPS + 2)], [[3, 4, 5, 0, 6, 7], [2, 9, 9, 0, 1, 2]]]
    )
    names, parameters = zip(*model.named_parameters(), strict=True)

    def loss(*values: Tensor) -> Tensor:
        torch.manual_seed(0)
        model.begin()
        return torch.func.functional_call(model, dict(zip(names, values, strict=True)), (step,))

    model.forward = model.loss
    assert torch.autograd.gradcheck(loss, parameters, fast_mode=True)


def test_forget_gates_begin_open():
    config = Pretraining(objective="recurrent", hidden=UNITS, projection=3)
    noise = Noise(np.arange(N), 0.75, CPU)
    model = Recurrent(config, LookupTable(torch.randn(N, SIZE)), noise)
    for layer in model.directions:
        bias = dict(layer.named_parameters())["bias_ih_l0"]
        assert (bias[UNITS : 2 * UNITS] == 1).all() and not (bias[:UNITS] == 1).any()


def test_scores_read_the_words_before_alone():
    model, words = make(), torch.arange(RARE, N)
    window = torch.tensor([[2, 3, 0, 5, 6, 7, 8]])
    other = torch.tensor([[2, 3, 0, 9, 9, 9, 9]])
    slow = slow_scores(model, slow_states(model, 0, [2, 3, 0])[-1])[RARE:]
    torch.testing.assert_close(model.scores(window, words)[0], slow)
    assert torch.equal(model.scores(window, words), model.scores(other, words))


@pytest.mark.parametrize(("n", "length"), [(1, 256), (1, 3), (3, 5), (64, 2)])
def test_running_text_is_read_with_its_state(n, length):
    model, rows = make(), text(31)
    places = [1, 2, 9, 10, 17, 30]
    hidden = model.states(torch.tensor(rows), torch.tensor(places), n, length)
    across = -(-len(rows) // n)
    for row, place in zip(hidden, places, strict=True):
        start = place // across * across  # of its stream
        seen = [PADDING, *rows][start : place + 1]
        torch.testing.assert_close(row[:-1], slow_states(model, 0, seen)[-1])


def test_perplexity_of_all_words_is_that_of_the_running_text(monkeypatch):
    model, rows = make(), text(50)
    monkeypatch.setattr(Recurrent.states, "__defaults__", (7,))
    held = HeldOut.choose(np.array(rows, np.int32), N)
    states = slow_states(model, 0, [PADDING, *rows[:-1]])
    logs = [
        torch.log_softmax(slow_scores(model, states[place])[RARE:], 0)[rows[place] - RARE].item()
        for place in held.likely
    ]
    whole = perplexity(model, held, 10**9, model.width, CPU)
    assert whole == pytest.approx(math.exp(-np.mean(logs)))
    # On the way only as many words are read as gradients go back over.
    some = perplexity(model, held, len(held.likely) // 2, model.width, CPU)
    assert some != pytest.approx(whole)
    assert ranks(model, held, model.width, CPU)[0] > 1


# --------------------------------------------------------------------------- states as features


def written(folder: Path, model: Recurrent) -> Path:
    """The files that a run leaves of a model."""
    table = model.words.weight
    weights = {"table.words": table.float()}
    weights |= {f"layer.{name}": p.detach().float() for name, p in model.named_parameters()}
    folder.mkdir(exist_ok=True)
    write_states(folder, weights)
    np.save(folder / "vectors.npy", table[RARE + 1 :].numpy().astype(np.float16))
    names = ["the", "Cat", "sat", "0", ".", "on", "mat", "a", "dog", "ran"]
    (folder / "words.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    return folder


@pytest.mark.parametrize("projection", [0, 3])
def test_states_of_sentences(tmp_path, projection):
    model = make(projection)
    model.words.weight[RARE + 1 :] = model.words.weight[RARE + 1 :].half().double()  # as stored
    states = LanguageStates.load(written(tmp_path, model))
    sentences = [["The", "Cat", f"{CASELESS}SAT", "."], ["CAT", "12"], ["zebra"]]
    ids = [states.ids(forms).tolist() for forms in sentences]
    assert ids == [[2, 3, 4, 6], [3, 5], [RARE]]
    assert states.ids([""]).tolist() == [PADDING]
    rows = torch.zeros(3, 4, dtype=torch.long)
    for row, sentence in zip(rows, ids, strict=True):
        row[: len(sentence)] = torch.tensor(sentence)
    result = states(rows, torch.tensor([4, 2, 1]))
    assert result.shape == (3, 4, states.size) and not result.requires_grad
    for row, sentence in zip(result, ids, strict=True):
        n = len(sentence)
        forward = slow_states(model, 0, [PADDING, *sentence])[1:]
        backward = slow_states(model, 1, [PADDING, *sentence[::-1]])[:0:-1]
        slow = torch.cat([torch.stack(forward), torch.stack(backward)], 1)
        torch.testing.assert_close(row[:n], slow.float(), atol=1e-5, rtol=1e-4)
        assert not row[n:].any()


def test_other_files_are_no_language_model(tmp_path):
    folder = written(tmp_path, make())
    whole = (folder / LAYERS).read_bytes()
    for content in (b"", whole[:-100], b"no archive"):
        (folder / LAYERS).write_bytes(content)
        with pytest.raises(SennaError, match="layers.npz: damaged"):
            LanguageStates.load(folder)
    with np.load(written(folder, make()) / LAYERS) as arrays:
        less = {name: arrays[name] for name in arrays if "weight_hh" not in name}
    np.savez(folder / LAYERS, **less)
    with pytest.raises(SennaError, match="layers.npz: damaged"):
        LanguageStates.load(folder)
    (folder / LAYERS).unlink()
    with pytest.raises(SennaError, match="no recurrent language model"):
        LanguageStates.load(folder)
    with pytest.raises(SennaError):
        LanguageStates.load(tmp_path / "nowhere")


WORDS = ["the", "anna", "walks", "0", "."]


@pytest.fixture(scope="module")
def lm(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("states") / "lm"
    toys.write_language_model([*WORDS, "Weber"], path)
    return path


def learning(lm: Path) -> Config:
    """Names of the demonstration corpus, with states of the language model."""
    config = toys.small("ner", *toys.GATED, f"features.states={lm}", "train.batch=16")
    return dataclasses.replace(config, data={"ner": demo_data("ner", resource("data/demo"))})


@pytest.mark.parametrize("kind", ["gated", "recurrent", "convolution"])
def test_states_stand_beside_the_other_features(lm, kind):
    task = "label" if kind == "convolution" else "ner"
    network = (f"network.kind={kind}", "network.recurrent={cell='lstm', units=6}")
    setup = toys.setup(toys.small(task, *network, f"features.states={lm}"))
    model, bare = setup.model, toys.setup(toys.small(task, *network)).model
    states = LanguageStates.load(lm)
    assert model.inputs.size == bare.inputs.size + states.size
    assert model.state_dict().keys() == bare.state_dict().keys()
    [sets] = setup.batches.numbered.tasks
    batch = setup.batches.batch(task, sets.train[:5])
    vectors = model.inputs(batch, margin=2)
    corpus = setup.corpora[task].train
    for row, sentence in zip(vectors, [s for s in corpus if s.gold], strict=False):
        n = len(sentence.forms)
        rows = torch.from_numpy(states.ids(sentence.forms).astype(np.int64))[None]
        alone = states(rows, torch.tensor([n]))[0]
        torch.testing.assert_close(row[2 : 2 + n, -states.size :], alone)
        assert not row[2 + n :, -states.size :].any() and not row[:2, -states.size :].any()
    model(task, batch).sum().backward()
    assert all(weights.grad is None for weights in model.inputs.states[0].parameters())


def test_a_model_with_states_is_scored_and_tags(lm, tmp_path):
    said: list[str] = []
    config = learning(lm)
    model = train(config, Run(tmp_path / "run"), said.append)
    about = read_model(model).about
    scores = {name.rsplit("/", 1)[-1]: value for name, value in about["scores"]["ner"].items()}
    assert [*scores] == ["measure", "dev.txt dev", "test.txt test"]
    assert about["made"]["best_epoch"] in (1, 2)
    best = max(float(line.split("ner ")[1].split()[0]) for line in said if "epoch" in line[:6])
    assert scores["dev.txt dev"] == pytest.approx(best, abs=0.006)
    assert Pipeline.load(["ner"], model).annotate([["Anna", "walks"]])["ner"]
    # It can be trained on, and begins with what it scored.
    said.clear()
    again = dataclasses.replace(fine_tuning(read_model(model), ["ner"]), data=config.data)
    again = override(again, ["train.epochs=1", f"train.model={model}"])
    train(again, Run(tmp_path / "again"), said.append)
    [first] = [line for line in said if line.startswith("before training")]
    assert float(first.split("ner ")[-1]) == pytest.approx(best, abs=0.01)


def test_a_folder_without_a_language_model_is_refused_at_once(tmp_path):
    (tmp_path / "words.txt").write_text("a\n", encoding="utf-8")
    np.save(tmp_path / "vectors.npy", np.ones((1, 3), np.float32))
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(SennaError, match=f"{path}: no recurrent language model in both direct"):
            train(learning(path), Run(tmp_path / "run"), str)
        assert not (tmp_path / "run").exists()
