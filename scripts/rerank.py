r"""Rerank the best taggings of one model by the probability that another gives them.

    python scripts/rerank.py chunk runs/window/model runs/gated/model \
        --dev data/demo/chunk/dev.txt --test data/demo/chunk/test.txt

The first model finds the `--n` best taggings of each sentence, as `senna tag --nbest` does. The one
is chosen for which share * log p(second) + (1 - share) * log p(first) is largest (Collins and Koo
2005, with two features); the share is the best on dev. "oracle" is the score of the taggings with
the most right tags. Scores are F1, or accuracy for parts of speech.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from common import command, parser_of

from senna.decoding.requests import Asked
from senna.kinds import output_of
from senna.model.folder import ModelFolder
from senna.pipeline.pipeline import Pipeline
from senna.training.build import build_from
from senna.training.config import DataConfig, Source
from senna.training.examples.corpora import Example, TaskCorpus, read_source
from senna.training.start_from import config_of, origin_of

SHARES = [i / 10 for i in range(11)]


class Candidate(NamedTuple):
    """A tagging, and the logarithms of its probabilities by two models."""

    tags: list[str]
    first: float
    second: float = 0.0


def candidates_of(
    folder: ModelFolder, task: str, examples: Sequence[Example], n: int
) -> list[list[Candidate]]:
    """The n best taggings of each sentence by a model, the best first."""
    pipeline = Pipeline.load([task], folder.path, asked=Asked(n_best=n))
    given: dict[str, Any] = {t: [e.tags[t] for e in examples] for t in pipeline.missing}
    answers = pipeline.annotate([example.forms for example in examples], given)[task]
    return [[Candidate(p.tags, math.log(max(p.score, 1e-300))) for p in a.paths] for a in answers]


def scored(
    folder: ModelFolder, task: str, examples: Sequence[Example], found: list[list[Candidate]]
) -> list[list[Candidate]]:
    """The candidates with the logarithms of their probabilities by another model."""
    corpora = {task: TaskCorpus([], [("text", list(examples))])}
    setup = build_from(folder, config_of(folder), corpora, torch.device("cpu"))
    model, [sets] = setup.model.eval(), setup.numbered.tasks
    numbers, every = {name: i for i, name in enumerate(sets.names)}, []
    for sentence, candidates in zip(sets.dev, found, strict=True):
        batch = setup.batches.batch(task, [sentence])
        with torch.no_grad():
            emissions, paths = model.head(task).split(model(task, batch))
            total = float(paths.log_partition(emissions, batch.lengths))
            new = []
            for candidate in candidates:
                tags = [numbers.get(tag, -1) for tag in candidate.tags]
                log = -math.inf  # of a tag that the other model does not know
                if min(tags) >= 0:
                    log = float(paths.score(emissions, torch.tensor([tags]), batch.lengths)) - total
                new.append(candidate._replace(second=log))
        every.append(new)
    return every


def chosen(candidates: Sequence[Sequence[Candidate]], share: float) -> list[list[str]]:
    """The tagging of each sentence that both models together find best."""

    def worth(candidate: Candidate) -> float:
        second = share * candidate.second if share else 0.0
        return second + ((1 - share) * candidate.first if share < 1 else 0.0)

    return [max(of_one, key=worth).tags for of_one in candidates]


def oracle(found: Sequence[Sequence[Candidate]], gold: Sequence[Sequence[str]]) -> list[list[str]]:
    """The tagging of each sentence with the most right tags."""
    return [
        max(of_one, key=lambda c: sum(a == b for a, b in zip(c.tags, tags, strict=True))).tags
        for of_one, tags in zip(found, gold, strict=True)
    ]


@command
def main() -> None:
    parser = parser_of(__doc__)
    for name in ("task", "first", "second"):
        parser.add_argument(name)
    for name in ("--dev", "--test"):
        parser.add_argument(name, required=True)
    parser.add_argument("--n", type=int, default=10)
    given = parser.parse_args()
    task, output, best = given.task, output_of(given.task), 0
    first, second = origin_of(given.first), origin_of(given.second)
    for split, corpus in (("dev", given.dev), ("test", given.test)):
        examples = list(read_source(Source(corpus), split, task, DataConfig(), None))
        gold: Any = [example.gold for example in examples]
        found = scored(second, task, examples, candidates_of(first, task, examples, given.n))
        scores = [output.measure(gold, chosen(found, share)).percent for share in SHARES]
        best = scores.index(max(scores)) if split == "dev" else best
        print(
            f"{split}: first {scores[0]:.2f}, reranked {scores[best]:.2f} (share {SHARES[best]}), "
            f"oracle of {given.n} {output.measure(gold, oracle(found, gold)).percent:.2f}"
        )


if __name__ == "__main__":
    raise SystemExit(main())
