"""The worker processes of a server: what waits is given to them together, in turn."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from senna.errors import SennaError
from senna.serve.frames import packed, receive
from senna.serve.work import SMALL, is_small

QUEUE = 64  # requests that wait


class RefusedError(Exception):
    """A request that is not answered: the status of HTTP and the reason, on one line."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(eq=False)
class Job:
    """A request on its way: `part` is the next part of its answer, and whether it is the last."""

    number: int
    work: Any
    part: asyncio.Future[tuple[bytes, bool]]
    worker: Worker | None = None


@dataclass(eq=False)
class Worker:
    """A process: what it does now, and the answers that it has to go on with."""

    process: asyncio.subprocess.Process
    busy: list[Job] = field(default_factory=list)
    since: float = 0.0
    more: deque[Job] = field(default_factory=deque)
    new_last: bool = False


class Workers:
    """`jobs` processes that tag; `stream` gives the answer of a request in parts."""

    def __init__(self, models: Mapping[str, str], jobs: int, limit: float) -> None:
        self.models, self.jobs, self.limit = dict(models), jobs, limit
        self.tasks: dict[str, list[str]] = {}  # by published model
        self.types: dict[str, Any] = {}  # see `types_of_answers`
        self.ready = asyncio.get_running_loop().create_future()
        self._waiting: deque[Job] = deque()
        self._workers: list[Worker] = []
        self._numbers = itertools.count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = False

    # ------------------------------------------------------------------------- processes

    def start(self) -> None:
        """Start the processes; `ready` is done when one of them is, or failed with its error."""
        for _ in range(self.jobs):
            self._keep(self._run())
        self._keep(self._watch())

    def _keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        """End all processes."""
        self._ended = True
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        """Run a process, and another one when it has ended."""
        while not self._ended:
            try:
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "senna.serve.worker",
                    stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                    env=os.environ | ENVIRONMENT, **GROUP,
                )  # fmt: skip
            except OSError as error:  # the machine has no memory or no process left, for a while
                if not self.ready.done():
                    self.ready.set_exception(SennaError(f"no process starts: {error}"))
                await asyncio.sleep(1)
                continue
            worker = Worker(process)
            try:
                await self._serve(worker)
            except (asyncio.IncompleteReadError, OSError):
                pass
            finally:
                if worker in self._workers:
                    self._workers.remove(worker)
                for job in (*worker.busy, *worker.more):
                    _refuse(job, RefusedError(500, "the process that tagged this text has ended"))
                _kill(process)
                await asyncio.shield(process.wait())
            await asyncio.sleep(0.1)  # should one end as soon as it begins

    async def _serve(self, worker: Worker) -> None:
        """Load the models, then take the answers of a process as they come."""
        assert worker.process.stdout is not None
        self._send(worker, self.models)
        greeting = await receive(worker.process.stdout)
        if isinstance(greeting, str):
            if not self.ready.done():
                self.ready.set_exception(SennaError(greeting))
            raise OSError
        self.tasks, self.types = greeting
        if not self.ready.done():
            self.ready.set_result(None)
        self._workers.append(worker)
        while True:
            self._dispatch()
            for number, answer, ended in await receive(worker.process.stdout):
                job = next(job for job in worker.busy if job.number == number)
                if answer is None:
                    _refuse(job, RefusedError(500, "the program failed; its log says why"))
                elif isinstance(answer, str):
                    _refuse(job, RefusedError(400, answer))
                elif not job.part.done():
                    job.part.set_result((answer, ended))
            worker.busy = []

    async def _watch(self) -> None:
        """End processes whose work takes too long."""
        while True:
            await asyncio.sleep(min(self.limit / 4, 1))
            now = asyncio.get_running_loop().time()
            for worker in self._workers:
                if worker.busy and now - worker.since > self.limit:
                    for job in worker.busy:
                        _refuse(job, RefusedError(504, "tagging took too long"))
                    _kill(worker.process)

    def _send(self, worker: Worker, message: Any) -> None:
        assert worker.process.stdin is not None
        worker.process.stdin.write(packed(message))

    # ------------------------------------------------------------------------- work

    @property
    def state(self) -> dict[str, int]:
        """How many requests wait, and how many are tagged."""
        running = sum(len(worker.busy) + len(worker.more) for worker in self._workers)
        return {"waiting": len(self._waiting), "running": running, "workers": len(self._workers)}

    async def stream(self, work: Any) -> AsyncGenerator[tuple[bytes, bool], None]:
        """The parts of an answer, each with whether it is the last.

        What is not asked for any more is not tagged. Raises RefusedError where there is no answer.
        """
        if len(self._waiting) >= QUEUE:
            raise RefusedError(503, "too many requests wait")
        loop = asyncio.get_running_loop()
        job = Job(next(self._numbers), work, loop.create_future())
        self._waiting.append(job)
        self._dispatch()
        ended = False
        try:
            while not ended:
                part, ended = await job.part
                yield part, ended
                if not ended:
                    job.part = loop.create_future()
                    if job.worker not in self._workers:
                        raise RefusedError(500, "the process that tagged this text has ended")
                    job.worker.more.append(job)
                    self._dispatch()
        finally:
            self._forget(job, ended)

    def _forget(self, job: Job, ended: bool) -> None:
        """Drop what nobody waits for."""
        if job in self._waiting:
            self._waiting.remove(job)
        if job.worker is None or job.worker not in self._workers:
            return
        if job in job.worker.more:
            job.worker.more.remove(job)
        if not ended:
            self._send(job.worker, ("drop", job.number))

    def _dispatch(self) -> None:
        """Give each idle process something to do: new texts and long ones in turn."""
        loop = asyncio.get_running_loop()
        for worker in self._workers:
            if worker.busy:
                continue
            if worker.more and (worker.new_last or not self._waiting):
                worker.busy, worker.new_last = [worker.more.popleft()], False
                self._send(worker, ("more", worker.busy[0].number))
            elif self._waiting:
                worker.busy, worker.new_last = self._batch(), True
                for job in worker.busy:
                    job.worker = worker
                self._send(worker, ("tag", [(job.number, job.work) for job in worker.busy]))
            worker.since = loop.time()

    def _batch(self) -> list[Job]:
        """Some of the jobs that wait: the first and, if it is small, other small ones."""
        first = self._waiting.popleft()
        batch, size = [first], first.work.size
        if not is_small(first.work):
            return batch
        most = -(-(len(self._waiting) + 1) // self.jobs)  # its share of what waits
        for job in [*self._waiting]:
            if len(batch) >= most or size >= SMALL:  # as much as one small request may have
                break
            if is_small(job.work):
                self._waiting.remove(job)
                batch.append(job)
                size += job.work.size
        return batch


def _kill(process: asyncio.subprocess.Process) -> None:
    """End a process that may have ended. Its own `kill` would take its state from asyncio."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _refuse(job: Job, reason: RefusedError) -> None:
    if not job.part.done():
        job.part.set_exception(reason)
        job.part.exception()  # nobody may wait for it


# One thread per process: tags then do not depend on the machine, and --jobs is what uses cores.
# glibc would keep the memory of the largest texts that a process has seen, 15 MB of arrays.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1000000",
    "MALLOC_TRIM_THRESHOLD_": "2000000",
}
# Ctrl-C is for the server alone, which lets its processes finish.
GROUP: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
