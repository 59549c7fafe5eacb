"""One run of `senna pretrain`: text in, word vectors or an encoder out."""

from __future__ import annotations

import json
from pathlib import Path

from senna.atomic import make_folder, put_text
from senna.errors import SennaError
from senna.pretraining.config import Job, Pretraining, Settings, from_table
from senna.pretraining.encoder_trainer import EncoderTrainer
from senna.pretraining.pretrainer import Pretrainer, Say
from senna.settings import read_table
from senna.training import loop
from senna.training.config import write_config
from senna.training.loop import device_of, versions


def pretrain(config: Settings, job: Job, say: Say, *, resume: bool = False) -> Path:
    """Train word vectors, or an encoder, and write them to ``job.out``, which is returned.

    When interrupted (Ctrl-C), it writes what it has learnt and raises KeyboardInterrupt with the
    option to continue. A run with `resume` ends with the same weights as one never interrupted; not
    on a GPU, where sums have no fixed order.
    """
    try:
        device = device_of(job.device)
        if not resume:
            _begin(config, job)
        if isinstance(config, Pretraining):
            run: Pretrainer | EncoderTrainer = Pretrainer(config, job, device, say)
            told = f"vectors: {job.out}; try: senna neighbors --vectors {job.out} WORD"
        else:
            run = EncoderTrainer(config, job, device, say)
            told = f"encoder: {job.out}; try: senna train --set train.encoder={job.out}"
        if resume:
            loop.resume(run, "Start a new run in another folder.")
        run.train()
        say(told)
    except KeyboardInterrupt as stop:
        stop.args = (f"stopped; continue with senna pretrain --resume {job.out}",)
        raise
    return job.out


def read_job(out: Path, device: str, jobs: int) -> tuple[Settings, Job]:
    """The configuration and the job of a run to resume."""
    try:
        about = json.loads((out / "run.json").read_text(encoding="utf-8"))
        job_table = about["job"]
        text = Path(job_table["text"]) if job_table["text"] else None
        # Once it is tokenised, the text itself may be gone.
        ready = ((text or out / "text") / "text.json").exists()
        sources = () if ready else tuple(map(Path, job_table["sources"]))
        job = Job(
            out, sources, text, job_table["kind"], job_table["case"], device, jobs, about["command"]
        )
    except (OSError, ValueError, KeyError, TypeError):
        remedy = "Start without --resume."
        raise SennaError("no such run", where=str(out), remedy=remedy) from None
    path = out / "config.toml"
    return from_table(read_table(path), where=str(path)), job


def _begin(config: Settings, job: Job) -> None:
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
    if (job.out / "checkpoint.pt").exists():
        remedy = f"--resume {job.out}, or choose another --out."
        raise SennaError("already contains a run", where=str(job.out), remedy=remedy)
    make_folder(job.out)
    write_config(job.out / "config.toml", config)
    put_text(job.out / "run.json", json.dumps(about, indent=1) + "\n")
    put_text(job.out / "metrics.jsonl", "")  # the last: it fits on a full disk
