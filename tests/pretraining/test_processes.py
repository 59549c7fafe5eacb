"""Several processes that train one network: as one process that adds up their gradients."""

import json
import multiprocessing
import os
import signal
import socket
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.formats.vectors import read_vectors
from senna.pretraining import processes, run
from senna.pretraining.config import Job, Pretraining
from senna.pretraining.corpus import Text, read_text, remap
from senna.pretraining.lookup_table import LookupTable
from senna.pretraining.pretrainer import Pretrainer
from senna.pretraining.recurrent import Recurrent
from senna.pretraining.run import pretrain
from senna.pretraining.stage import Stage, TrainingText
from senna.text.vocabulary import RARE
from tests.pretraining.toytext import SMALL, prepared, small_config, write_text
from tests.processes import python

CPU = torch.device("cpu")
N = 2

pytestmark = [
    pytest.mark.skipif(
        not hasattr(os, "fork") or not torch.distributed.is_available(),
        reason="no processes to fork",
    ),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> Text:
    return prepared(tmp_path_factory.mktemp("text"), 800)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def in_processes(work: Callable[..., object], *arguments: Any) -> None:
    """Call ``work(rank, *arguments)`` in N processes that find each other as under torchrun."""
    port = free_port()
    context = multiprocessing.get_context("fork")
    members = [
        context.Process(target=member, args=(rank, port, work, arguments)) for rank in range(N)
    ]
    for process in members:
        process.start()
    for process in members:
        process.join(300)
        process.kill()
    assert [process.exitcode for process in members] == [0] * N


def member(rank: int, port: int, work: Callable[..., object], arguments: Sequence[Any]) -> None:
    os.environ |= {
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
        "WORLD_SIZE": str(N), "RANK": str(rank), "LOCAL_RANK": str(rank),
    }  # fmt: skip
    try:
        work(rank, *arguments)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def saved(folder: Path) -> list[Any]:
    """What each process has left for us."""
    return [torch.load(folder / f"{rank}.pt") for rank in range(N)]


# --------------------------------------------------------------------------- one step

TAKEN = ([[1, 4, 4], [0]], [[2, 4, 6, 6, 1]])  # rows that each process takes, in one or two takings


def some_table() -> LookupTable:
    return LookupTable(
        torch.randn(8, 3, generator=torch.Generator().manual_seed(1), dtype=torch.double)
    )


def use(table: LookupTable, rank: int, step: int) -> None:
    """Gather gradients as process `rank` does in its step number `step`."""
    for rows in TAKEN[rank]:
        (table.take(torch.tensor(rows)).pow(2).sum() * (rank + step + 1)).backward()


def step_in_a_process(rank: int, folder: Path) -> None:
    processes.start(CPU)
    table = some_table()
    table.squares = table.squares.double()
    for step in range(3):
        use(table, rank, step)
        table.step(0.3)
    processes.stop()
    torch.save((table.weight, table.squares), folder / f"{rank}.pt")


def test_a_step_adds_up_the_gradients_of_all_processes(tmp_path):
    in_processes(step_in_a_process, tmp_path)
    alone = some_table()
    alone.squares = alone.squares.double()
    for step in range(3):
        for rank in range(N):
            use(alone, rank, step)
        alone.step(0.3)
    first, second = saved(tmp_path)
    for mine, other, expected in zip(first, second, (alone.weight, alone.squares), strict=True):
        assert torch.equal(mine, other)
        torch.testing.assert_close(mine, expected)


# --------------------------------------------------------------------------- one network


def make_stage(config: Pretraining, folder: Path) -> Stage:
    text = read_text(folder)
    table, _ = remap(text, text.words)
    counts = np.bincount(table[1:], text.counts, len(text.words) + RARE + 1).astype(np.int64)
    return Stage(config, TrainingText(text.ids, table, counts), [], CPU)


def train_in_a_process(rank: int, config: Pretraining, text: Path, folder: Path) -> None:
    processes.start(CPU)
    stage = make_stage(config, text)
    shown: list[int] = []
    windows = 0
    for number in range(2):
        for rows, share in stage.batches(number, stage.rounds, False):
            shown.append(stage.step(rows, share))
        windows += N * int(stage.n_windows)
    processes.stop()
    torch.save((stage.weights(), stage.rounds, windows, sum(shown)), folder / f"{rank}.pt")


def train_by_hand(stage: Stage, number: int) -> int:
    """What all processes do for part `number`, in turn, so that gradients add up here."""
    config, batches, chances = stage.config, [], []
    for part in stage.blocks.order([config.seed, 0])[number * N :][:N].tolist():
        seed = [config.seed, 0, part]
        torch.manual_seed(int(np.random.default_rng(seed).integers(1 << 31)))
        chances.append(torch.get_rng_state())
        recurrent = isinstance(stage.model, Recurrent)
        cut = stage.blocks.streams if recurrent else stage.blocks.batches
        batches.append(cut(part, config.batch, seed))
    windows = 0
    states: list[list[Any]] = [[None, None] for _ in range(N)]  # of recurrent networks
    for step in zip(*batches, strict=False):
        for rank, rows in enumerate(step):
            torch.set_rng_state(chances[rank])
            stage.model.carried = states[rank]
            stage.model.loss(rows).backward()
            chances[rank] = torch.get_rng_state()
            windows += len(rows) * stage.blocks.length
        for table in stage.model.tables.values():
            table.step(config.learning_rate)
        if stage.optimiser:
            stage.optimiser.step()
            stage.optimiser.zero_grad()
    return windows


@pytest.mark.parametrize("objective", ["ranking", "likelihood", "skipgram", "recurrent"])
def test_two_processes_are_one_that_adds_up_the_gradients_of_both(
    tmp_path, text, monkeypatch, objective
):
    config = small_config(objective)
    in_processes(train_in_a_process, config, text.folder, tmp_path)
    monkeypatch.setattr(processes, "place", lambda: (0, N))  # parts are as long as for them
    stage = make_stage(config, text.folder)
    trained = sum(train_by_hand(stage, number) for number in range(2))
    (first, rounds, windows, shown), (second, *_) = saved(tmp_path)
    assert rounds == stage.blocks.n_parts // N
    assert abs(windows - trained) <= 2 * config.batch and shown >= windows
    for name, value in stage.weights().items():
        assert torch.equal(first[name], second[name]), name
        torch.testing.assert_close(first[name], value, rtol=1e-3, atol=1e-4)


# --------------------------------------------------------------------------- whole runs


def run_in_a_process(
    rank: int, config: Pretraining, job: Job, folder: Path, resume: bool, stop: bool
) -> None:
    if rank:

        def write(*arguments: object) -> None:
            raise AssertionError("only the first process writes")

        run.put_text = write
        run._begin = write
    ended: list[Any] = [None]
    end, batches = Pretrainer._end_stage, Stage.batches

    def remember(self: Pretrainer) -> None:
        ended.append(self.stage.weights())
        end(self)

    def interrupted(self: Stage, number: int, *arguments: Any) -> Iterator[Any]:
        if stop and rank and number == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return batches(self, number, *arguments)

    Pretrainer._end_stage, Stage.batches = remember, interrupted
    said: list[str] = []
    try:
        pretrain(config, job, said.append, resume=resume)
    except KeyboardInterrupt as told:
        assert stop
        said.append(str(told))
    torch.save((ended[-1], said), folder / f"{rank}.pt")


def test_whole_runs_end_with_equal_weights_and_only_the_first_process_speaks(tmp_path, text):
    config = small_config("likelihood", "sizes=[10,40]", "warm_up=0.3", "epochs=0.6")
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    in_processes(run_in_a_process, config, Job(whole, text=text.folder), tmp_path, False, False)
    (first, said), (second, silent) = saved(tmp_path)
    assert silent == []
    assert sum(line.startswith("31 words: 100%") for line in said) == 1
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)
    vectors = read_vectors(whole)
    assert np.array_equal(
        vectors.table, first["table.words"][RARE + 1 :].numpy().astype(np.float16)
    )
    # Ctrl-C reaches the second process alone: both stop at the same place, and go on there.
    job = Job(cut, text=text.folder)
    in_processes(run_in_a_process, config, job, tmp_path, False, True)
    assert any(line.startswith("stopped") for line in saved(tmp_path)[0][1])
    assert len(read_vectors(cut).words) == 10
    in_processes(run_in_a_process, config, job, tmp_path, True, False)
    assert (cut / "vectors.npy").read_bytes() == (whole / "vectors.npy").read_bytes()


def fail_in_a_process(rank: int, text: Path, out: Path, folder: Path) -> None:
    lines = []
    for config, resume in ((small_config(), False), (small_config("ranking", "seed=2"), False)):
        try:
            pretrain(config, Job(out, text=text), str, resume=resume)
        except SennaError as error:
            lines.append(str(error))
        os.environ["MASTER_PORT"] = os.environ["SECOND_PORT"]
    torch.save(lines, folder / f"{rank}.pt")


def test_what_one_process_cannot_do_ends_all(tmp_path, monkeypatch):
    """Too short a text, which all see; then what the first alone finds out."""
    short_text = prepared(tmp_path, 40)
    monkeypatch.setenv("SECOND_PORT", str(free_port()))
    out = tmp_path / "out"
    out.mkdir()
    in_processes(fail_in_a_process, short_text.folder, out, tmp_path)
    first, second = saved(tmp_path)
    assert first[0] == second[0] == "too short a text for 2 processes. Start fewer."
    (out / "checkpoint.pt").touch()
    in_processes(fail_in_a_process, short_text.folder, out, tmp_path)
    first, second = saved(tmp_path)
    assert "already contains a run" in first[0]
    assert second[0].startswith("another process has ended")
    assert second[0].endswith("The message of that process says why.")


def test_each_process_of_a_machine_has_a_gpu_of_its_own(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    monkeypatch.setenv("LOCAL_RANK", "3")
    assert [processes.own_device(name) for name in ("cpu", "cuda")] == ["cpu", "cuda"]
    monkeypatch.setenv("WORLD_SIZE", "4")
    names = ("cpu", "cuda", "cuda:1")
    assert [processes.own_device(name) for name in names] == ["cpu", "cuda:3", "cuda:1"]


def test_processes_that_do_not_find_each_other(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    for name in ("RANK", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SennaError, match="cannot reach each other.* with torchrun --nproc"):
        processes.start(CPU)


# --------------------------------------------------------------------------- torchrun


@pytest.mark.slow
def test_torchrun(tmp_path):
    write_text(tmp_path / "toy.txt", 800)
    # Skip-gram, as it has no layers: importing PyTorch's optimisers takes seconds.
    torchrun = ["torch.distributed.run", "--nproc-per-node", N, "--master-port", free_port()]
    options = ["--input", "tokens", "--jobs", "1", "--objective", "skipgram"]
    options += [part for setting in SMALL for part in ("--set", setting)]
    command = ["-m", *torchrun, "-m", "senna", "pretrain", "toy.txt", *options, "--out", "toy"]
    done = python(*map(str, command), cwd=tmp_path, timeout=600)
    said = done.stderr.decode()
    assert done.returncode == 0, said
    assert said.count("vectors: toy; try:") == said.count("31 words: 100%") == 1
    last = json.loads((tmp_path / "toy/metrics.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert last["rank"] < 15
    assert len(read_vectors(tmp_path / "toy").words) == 31
