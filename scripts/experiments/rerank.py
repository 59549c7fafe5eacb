"""Rerank the best taggings of one model by the probability that another gives them.

usage: python scripts/experiments/rerank.py FIRST SECOND --task chunk --dev SOURCE --test SOURCE

FIRST and SECOND are model folders or runs; SECOND may be a network that only PyTorch computes. A
source is a corpus or file, or a table as in a configuration, for example
'{corpus = "research/conll2000", split = "train", sentences = "8043-"}'. The first model finds the
`--n` best taggings of each sentence (exactly, as `senna tag --nbest` does); the one is chosen for
which share * log p(second) + (1 - share) * log p(first) is largest (Collins and Koo 2005, with two
features). The share is the best on dev; scores are F1, or accuracy for parts of speech. "oracle" is
the score if the tagging with the most right tags were always chosen.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from senna import toml
from senna.answers import output_of
from senna.config import DataConfig, Source
from senna.lab.teacher import network_of
from senna.model.folder import ModelFolder
from senna.paths.confidence import Asked
from senna.pipeline.pipeline import Pipeline
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.data import Example, read_source
from senna.training.origin import origin_of

SHARES = [i / 10 for i in range(11)]


class Candidate(NamedTuple):
    """A tagging, and the logarithms of its probabilities."""

    tags: list[str]
    first: float
    second: float = 0.0


def source_of(text: str) -> Source:
    """A source as it is written on the command line."""
    if not text.startswith("{"):
        return Source(text)
    return toml.build(Source, tomllib.loads(f"source = {text}")["source"], where=text)


def candidates_of(
    folder: ModelFolder, task: str, examples: Sequence[Example], n: int
) -> list[list[Candidate]]:
    """The n best taggings of each sentence, the best first."""
    pipeline = Pipeline.load([task], folder.path, asked=Asked(n_best=n))
    given = {name: [example.tags[name] for example in examples] for name in pipeline.missing}
    answers = pipeline.annotate([example.forms for example in examples], given)[task]
    return [
        [Candidate(path.tags, math.log(max(path.score, 1e-300))) for path in answer.paths]
        for answer in answers
    ]


def scored(
    folder: ModelFolder,
    task: str,
    examples: Sequence[Example],
    candidates: Sequence[Sequence[Candidate]],
) -> list[list[Candidate]]:
    """The same candidates with the logarithms of their probabilities by another model."""
    corpora = {task: TaskCorpus([], [("text", list(examples))])}
    setup = network_of(folder, corpora, torch.device("cpu"))
    model, [sets] = setup.model.eval(), setup.numbered.tasks
    numbers = {name: i for i, name in enumerate(sets.names)}
    every = []
    for sentence, taggings in zip(sets.dev, candidates, strict=True):
        batch = setup.batches.batch(task, [sentence])
        with torch.no_grad():
            head = model.head(task)
            emissions, paths = head.split(model(task, batch))
            everything = paths.log_partition(emissions, batch.lengths)
            logs = []
            for tagging in taggings:
                known = [numbers.get(tag, -1) for tag in tagging.tags]
                if min(known) < 0:  # the other model does not know the tag
                    logs.append(-math.inf)
                    continue
                tags = torch.tensor([known])
                logs.append(float(paths.score(emissions, tags, batch.lengths) - everything))
        every.append([c._replace(second=log) for c, log in zip(taggings, logs, strict=True)])
    return every


def chosen(candidates: Sequence[Sequence[Candidate]], share: float) -> list[list[str]]:
    """The tagging of each sentence that both models together find best."""

    def worth(candidate: Candidate) -> float:
        second = share * candidate.second if share else 0.0
        return second + ((1 - share) * candidate.first if share < 1 else 0.0)

    return [max(of_one, key=worth).tags for of_one in candidates]


def oracle(
    candidates: Sequence[Sequence[Candidate]], gold: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Of each sentence the tagging with the most right tags."""

    def right(candidate: Candidate, tags: Sequence[str]) -> int:
        return sum(a == b for a, b in zip(candidate.tags, tags, strict=True))

    return [
        max(of_one, key=lambda candidate: right(candidate, tags)).tags
        for of_one, tags in zip(candidates, gold, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--task", required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--n", type=int, default=10)
    options = parser.parse_args()
    task, output = options.task, output_of(options.task)
    first, second = origin_of(options.first), origin_of(options.second)
    best = 0.0
    for split, text in (("dev", options.dev), ("test", options.test)):
        examples = read_source(source_of(text), split, task, DataConfig(), None)
        gold: Any = [example.gold for example in examples]
        found = candidates_of(first, task, examples, options.n)
        found = scored(second, task, examples, found)
        scores: NDArray[np.float64] = np.array(
            [output.percent(gold, chosen(found, share)) for share in SHARES]
        )
        if split == "dev":
            best = SHARES[int(scores.argmax())]
        print(
            f"{split}: first {scores[0]:.2f}, reranked {scores[SHARES.index(best)]:.2f} "
            f"(share {best}), second alone {scores[-1]:.2f} of {options.n}, "
            f"oracle {output.percent(gold, oracle(found, gold)):.2f}"
        )


if __name__ == "__main__":
    main()
