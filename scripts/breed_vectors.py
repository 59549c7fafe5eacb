r"""Breed language models: the best of several settings goes on (Collobert et al. 2011, 4.3).

    python scripts/breed_vectors.py news.txt.xz --out runs/bred --children 3 \
        --sizes 5000,30000,100000

With each dictionary, `--children` networks learn from the vectors of the best before them: the
first has its settings, the others random changes of `--bred`. The best by the logarithm of the rank
of held-out words goes on (the paper: eq. 17 on a million words). Vectors alone go on, not the
layers above them. The last line is the folder of the best vectors of the last dictionary. Other
options are `--objective`, `--input` and `--set KEY=VALUE`, as for `senna pretrain`.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from common import command, parser_of

from senna.pretraining.config import Job, read_pretraining
from senna.pretraining.run import pretrain


def log_rank(run: Path) -> float:
    """The last logarithm of the rank that a run has measured."""
    lines = (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return float(
        next(line["log_rank"] for line in map(json.loads, lines[::-1]) if "log_rank" in line)
    )


def breed(
    job: Job,
    objective: str,
    settings: Sequence[str],
    sizes: Sequence[int],
    children: int,
    bred: Sequence[str],
    seed: int = 1,
) -> Path:
    """The folder of the best vectors of the last dictionary; `job.out` has those of all."""
    random = np.random.default_rng(seed)
    start = read_pretraining(None, objective, settings)
    chosen = {name: float(getattr(start, name)) for name in bred}
    best: Path | None = None
    for size in sizes:
        tried: list[tuple[float, Path, dict[str, float]]] = []
        for child in range(children):
            # The paper tries what lies near; a factor of up to 2 is ours.
            factors = 2.0 ** random.uniform(-1, 1, len(chosen)) if child else np.ones(len(chosen))
            own = {k: v * float(f) for (k, v), f in zip(chosen.items(), factors, strict=True)}
            values: dict[str, object] = {"sizes": [size], "initial": str(best or ""), **own}
            out = job.out / f"{size}-{child + 1}"
            config = read_pretraining(None, objective, settings, values)
            if not (out / "vectors.npy").exists():  # a finished one is not repeated
                pretrain(config, replace(job, out=out), print)
            tried.append((log_rank(out), out, own))
        rank, best, chosen = min(tried)
        told = ", ".join(f"{name} {value:.3g}" for name, value in chosen.items())
        print(f"{size:,} words: the best of {children} is {best.name}, log-rank {rank:.3f}, {told}")
    assert best is not None
    return best


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("text", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--objective", default="ranking")
    parser.add_argument("--sizes", default="5000,10000,30000,50000,100000")
    parser.add_argument("--children", type=int, default=3)
    parser.add_argument("--bred", default="learning_rate,network_rate")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--input", choices=("text", "tokens"), default="text")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    job = Job(given.out, tuple(given.text), text=given.out / "text", kind=given.input)
    bred = given.bred.split(",")
    print(breed(job, given.objective, given.settings, sizes, given.children, bred))


if __name__ == "__main__":
    raise SystemExit(main())
