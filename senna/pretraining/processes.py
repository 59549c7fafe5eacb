"""Several processes that train one network, each on its own share of the text (torchrun).

Each process computes the gradients of its own batch; sums are exchanged before every step, so
that all processes hold the same weights.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn import functional

from senna.errors import SennaError


def own_device(name: str) -> str:
    """The device of a name: with several processes `cuda` is a different GPU for each."""
    several = os.environ.get("WORLD_SIZE", "1") != "1"
    return f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if several and name == "cuda" else name


def start(device: torch.device) -> None:
    """Join the other processes, if torchrun's variables say that there are any."""
    if os.environ.get("WORLD_SIZE", "1") == "1":
        return
    if device.type == "cuda":
        torch.cuda.set_device(device)
    try:
        # The others wait while the first one tokenises.
        patience = timedelta(days=7)
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=patience)
    except (RuntimeError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        what = f"the processes cannot reach each other: {reason}"
        remedy = "Start them with torchrun --nproc-per-node N -m senna pretrain ..."
        raise SennaError(what, where="WORLD_SIZE", remedy=remedy) from None


@contextmanager
def exchanging() -> Iterator[None]:
    """Report when another process has ended."""
    try:
        yield
    except RuntimeError as error:
        reason = (str(error).splitlines() or ["?"])[0]
        remedy = "The message of that process says why."
        raise SennaError(f"another process has ended ({reason})", remedy=remedy) from None


def place() -> tuple[int, int]:
    """This process' number, and how many there are."""
    return (dist.get_rank(), dist.get_world_size()) if several() else (0, 1)


@exchanging()
def wait() -> None:
    """Wait until all processes get here."""
    if several():
        dist.barrier()


def stop() -> None:
    """Leave the group, where there is one."""
    if dist.is_available() and dist.is_initialized():
        dist.destroy_process_group()


def several() -> bool:
    """Whether there are other processes."""
    return dist.is_available() and dist.is_initialized()


@exchanging()
def summed_over_processes(rows: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor]:
    """Rows (m,) and their sums (m, size) over all processes; unchanged with one process.

    Processes used different rows: each sends its own, and all add them in the same order.
    """
    if not several():
        return rows, vectors
    n = dist.get_world_size()
    lengths = [torch.zeros(1, dtype=torch.int64, device=rows.device) for _ in range(n)]
    dist.all_gather(lengths, torch.tensor([len(rows)], device=rows.device))
    sizes = [int(length) for length in lengths]
    longest = max(sizes)
    padded_rows = functional.pad(rows, (0, longest - len(rows)))
    padded = functional.pad(vectors, (0, 0, 0, longest - len(rows)))
    all_rows = [torch.empty_like(padded_rows) for _ in range(n)]
    all_vectors = [torch.empty_like(padded) for _ in range(n)]
    dist.all_gather(all_rows, padded_rows)
    dist.all_gather(all_vectors, padded)
    used = [padded_part[:size] for padded_part, size in zip(all_rows, sizes, strict=True)]
    distinct, places = torch.unique(torch.cat(used), return_inverse=True)
    sums = vectors.new_zeros(len(distinct), vectors.shape[1])
    # A process' rows are distinct, so adding one process at a time has a fixed order.
    for place, padded_part, size in zip(places.split(sizes), all_vectors, sizes, strict=True):
        sums.index_add_(0, place, padded_part[:size])
    return distinct, sums


@exchanging()
def sum_gradients(parameters: Iterable[torch.nn.Parameter]) -> None:
    """Add up the gradients of the dense layers over all processes."""
    if several():
        for parameter in parameters:
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad)


@exchanging()
def _exchanged(number: float, device: torch.device, exchange: Callable[[Tensor], object]) -> float:
    """The result of an exchange of one number per process; with one process, its number."""
    if not several():
        return number
    tensor = torch.tensor([number], dtype=torch.float64, device=device)
    exchange(tensor)
    return float(tensor.item())


def any_process(said: bool, device: torch.device) -> bool:
    """Whether it is true of any process: a Ctrl-C must stop all of them at the same step."""
    return bool(_exchanged(said, device, dist.all_reduce))


def least(number: int, device: torch.device) -> int:
    """The smallest of the processes' numbers: they must take the same steps."""
    return int(
        _exchanged(number, device, lambda tensor: dist.all_reduce(tensor, dist.ReduceOp.MIN))
    )
