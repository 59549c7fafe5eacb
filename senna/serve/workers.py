"""The worker processes of a server: what waits is given to them together, in turn.

A message to a worker has three parts, and its answer is a list of `Answer`:

    ("tag", [(number, work), ...], dropped)
    ("more", [number], dropped)              the next part of an answer that has not ended

`dropped` are the numbers of answers for the rest of which nobody waits.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from senna.errors import SennaError
from senna.pipeline.processes import LOST, Fault, Worker
from senna.serve.work import SMALL, answering

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
    tagger: Tagger | None = None

    def refuse(self, status: int, reason: str) -> None:
        """Answer with an error, where nothing else has been answered."""
        if not self.part.done():
            self.part.set_exception(RefusedError(status, reason))
            self.part.exception()  # nobody may wait for it


class Tagger(Worker):
    """A process: what it does now, and the answers that it has to go on with."""

    def __init__(self, models: Mapping[str, str]) -> None:
        super().__init__(partial(answering, models))
        self.busy: list[Job] = []
        self.more = deque[Job]()
        self.new_last = False
        self.dropped: list[int] = []
        self.timer: asyncio.TimerHandle | None = None
        self.answers: asyncio.Queue[Any] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self.listen(lambda answer: loop.call_soon_threadsafe(self.answers.put_nowait, answer))

    async def answer(self) -> Any:
        """The next answer; EOFError if the process has ended."""
        answer = await self.answers.get()
        if answer is LOST:
            raise EOFError
        return answer


class Workers:
    """`jobs` processes that tag; `stream` gives the answer of a request in parts."""

    def __init__(self, models: Mapping[str, str], jobs: int, limit: float) -> None:
        self.models, self.jobs, self.limit = dict(models), jobs, limit
        self.tasks: dict[str, list[str]] = {}  # by published model
        self.ready = asyncio.get_running_loop().create_future()
        self._waiting: deque[Job] = deque()
        self._taggers: list[Tagger] = []
        self._numbers = itertools.count()
        self._runs: list[asyncio.Task[None]] = []

    # ------------------------------------------------------------------------- processes

    def start(self) -> None:
        """Start the processes; `ready` is done when one of them is, or failed with its error."""
        os.environ.update(ENVIRONMENT)
        self._runs = [asyncio.create_task(self._run()) for _ in range(self.jobs)]

    async def end(self) -> None:
        """End all processes."""
        for run in self._runs:
            run.cancel()
        await asyncio.gather(*self._runs, return_exceptions=True)

    async def _run(self) -> None:
        """Run a process, and another one when it has ended."""
        while True:
            try:
                tagger = Tagger(self.models)
            except OSError as error:  # the machine has no memory or no process left, for a while
                self._fail(SennaError(f"no process starts: {error}"))
                await asyncio.sleep(1)
                continue
            try:
                await self._serve(tagger)
            except EOFError:
                pass
            finally:
                if tagger in self._taggers:
                    self._taggers.remove(tagger)
                for job in (*tagger.busy, *tagger.more):
                    job.refuse(500, "the process that tagged this text has ended")
                tagger.end()
            await asyncio.sleep(0.1)  # should one end as soon as it begins

    def _fail(self, error: Exception) -> None:
        if not self.ready.done():
            self.ready.set_exception(error)

    async def _serve(self, tagger: Tagger) -> None:
        """Load the models, then take the answers of a process as they come."""
        loaded = await tagger.answer()
        if isinstance(loaded, Fault):
            self._fail(loaded.raised())
            raise EOFError
        tagger.send(None)
        self.tasks = await tagger.answer()
        if not self.ready.done():
            self.ready.set_result(None)
        self._taggers.append(tagger)
        while True:
            self._dispatch()
            answers = await tagger.answer()
            if isinstance(answers, Fault) or tagger not in self._taggers:  # too late
                raise EOFError
            assert tagger.timer is not None
            tagger.timer.cancel()
            jobs = {job.number: job for job in tagger.busy}
            tagger.busy = []
            for number, answer, ended in answers:
                if answer is None:
                    jobs[number].refuse(500, "the program failed; its log says why")
                elif isinstance(answer, str):
                    jobs[number].refuse(400, answer)
                elif not jobs[number].part.done():
                    jobs[number].part.set_result((answer, ended))

    def _late(self, tagger: Tagger) -> None:
        """End a process whose work takes too long."""
        if tagger not in self._taggers:
            return
        self._taggers.remove(tagger)  # an answer that comes all the same gets it no new work
        for job in tagger.busy:
            job.refuse(504, "tagging took too long")
        tagger.answers.put_nowait(LOST)

    # ------------------------------------------------------------------------- work

    @property
    def state(self) -> dict[str, int]:
        """How many requests wait, and how many are tagged."""
        running = sum(len(tagger.busy) + len(tagger.more) for tagger in self._taggers)
        return {"waiting": len(self._waiting), "running": running, "workers": len(self._taggers)}

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
                    if job.tagger not in self._taggers:
                        raise RefusedError(500, "the process that tagged this text has ended")
                    job.tagger.more.append(job)
                    self._dispatch()
        finally:
            if job in self._waiting:
                self._waiting.remove(job)
            if job.tagger in self._taggers:
                if job in job.tagger.more:
                    job.tagger.more.remove(job)
                if not ended:
                    job.tagger.dropped.append(job.number)

    def _dispatch(self) -> None:
        """Give each idle process something to do: new texts and long ones in turn."""
        for tagger in self._taggers:
            if tagger.busy or not (tagger.more or self._waiting):
                continue
            if tagger.more and (tagger.new_last or not self._waiting):
                tagger.busy, tagger.new_last = [tagger.more.popleft()], False
                tagger.send(("more", [tagger.busy[0].number], tagger.dropped))
            else:
                tagger.busy, tagger.new_last = self._batch(), True
                for job in tagger.busy:
                    job.tagger = tagger
                works = [(job.number, job.work) for job in tagger.busy]
                tagger.send(("tag", works, tagger.dropped))
            tagger.dropped = []
            loop = asyncio.get_running_loop()
            tagger.timer = loop.call_later(self.limit, self._late, tagger)

    def _batch(self) -> list[Job]:
        """Some of the jobs that wait: the first and, if it is small, other small ones."""
        first = self._waiting.popleft()
        batch, size = [first], first.work.size
        if not first.work.is_small:
            return batch
        most = -(-(len(self._waiting) + 1) // self.jobs)  # its share of what waits
        for job in [*self._waiting]:
            if len(batch) >= most or size >= SMALL:  # as much as one small request may have
                break
            if job.work.is_small:
                self._waiting.remove(job)
                batch.append(job)
                size += job.work.size
        return batch


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
