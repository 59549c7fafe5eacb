"""One run of `senna pretrain`: text in, word vectors out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from senna.errors import SennaError
from senna.pretraining import processes
from senna.pretraining.config import Job, Pretraining, from_table
from senna.pretraining.parts import replacing
from senna.pretraining.pretrainer import Pretrainer
from senna.toml import read_table, to_table, to_toml
from senna.training.run import device_of, versions

Say = Callable[[str], None]


def pretrain(config: Pretraining, job: Job, say: Say, *, resume: bool = False) -> Path:
    """Train word vectors and write them to ``job.out``, which is returned.

    Interrupted (Ctrl-C), it writes the vectors as they are; `resume` goes on from there and ends
    in the same vectors as a run that was never interrupted.
    """
    processes.keep_freed_memory()
    try:
        device = device_of(processes.own_device(job.device))
        processes.start(device)
        if processes.place()[0]:
            say = _silent
        elif not resume:
            _begin(config, job)
        processes.wait()
        run = Pretrainer(config, job, device, say)
        if resume:
            run.load()
        run.train()
        say(f"vectors: {job.out}; try: senna neighbors --vectors {job.out} WORD")
    except SennaError:
        processes.let_the_first_speak()
        raise
    finally:
        processes.stop()
    return job.out


def read_job(out: Path, device: str, jobs: int) -> tuple[Pretraining, Job]:
    """The configuration and the job of a run that is to go on."""
    try:
        about = json.loads((out / "run.json").read_text(encoding="utf-8"))
        found = about["job"]
        text = Path(found["text"]) if found["text"] else None
        # Once it is tokenised, the text itself may be gone.
        ready = ((text or out / "text") / "text.json").exists()
        sources = () if ready else tuple(map(Path, found["sources"]))
        job = Job(
            out,
            sources,
            text,
            found["kind"],
            found["case"],
            device,
            jobs,
            about["command"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        mend = "Start without --resume."
        raise SennaError("no run to resume", where=str(out), mend=mend) from None
    path = out / "config.toml"
    return from_table(read_table(path), where=str(path)), job


def _begin(config: Pretraining, job: Job) -> None:
    """Make the run's folder, with everything that it can be repeated or resumed from."""
    about = {
        "command": job.command,
        **versions(),
        "job": {
            "sources": [str(path.resolve()) for path in job.sources],
            "text": str(job.text.resolve()) if job.text else "",
            "kind": job.kind,
            "case": job.case,
        },
    }
    try:
        job.out.mkdir(parents=True, exist_ok=True)
        if (job.out / "checkpoint.pt").exists():
            mend = f"--resume {job.out}, or choose another --out."
            raise SennaError("holds a run already", where=str(job.out), mend=mend)
        with replacing(job.out / "config.toml") as file:
            file.write(to_toml(to_table(config)).encode())
        with replacing(job.out / "run.json") as file:
            file.write((json.dumps(about, indent=1) + "\n").encode())
        (job.out / "metrics.jsonl").write_text("", encoding="utf-8")
    except OSError as error:
        what = f"cannot write: {error.strerror}"
        raise SennaError(what, where=str(job.out)) from None


def _silent(line: str) -> None:
    """Only the first of several processes speaks."""
