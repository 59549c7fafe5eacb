"""From corpora to sentences and vocabularies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from senna import corpora
from senna.answers import output_of
from senna.answers.base import Gold, GoldOptions
from senna.answers.gold import read_gold, with_levels
from senna.config import DataConfig, Source
from senna.errors import SennaError
from senna.files import open_text
from senna.tasks import PARSER, TAGGING, TREE_LEVELS
from senna.text import schemes
from senna.text.schemes import Phrase

# Names of tags, and of each word their probabilities, (n_words, n_names).
Soft = tuple[list[str], NDArray[np.float32]]


@dataclass(frozen=True)
class Example:
    """One annotated sentence of a task.

    `gold` is the answer that a model should give: see `senna.answers`.
    """

    forms: list[str]
    gold: Any
    tags: dict[str, list[str]] = field(default_factory=dict)  # of other tasks: features
    unlabelled: tuple[str, ...] = ()
    weight: float = 1.0
    tree: tuple[Phrase, ...] = ()  # constituents, each before its parts: a feature
    soft: Soft | None = None  # what to learn in the place of gold tags


# --------------------------------------------------------------------------- reading


def read_sources(
    sources: Sequence[Source], split: str, task: str, settings: DataConfig, data_dir: Path | None
) -> list[Example]:
    """Read and join the sources of one list ("train", "dev" or "test") of a task."""
    return [s for source in sources for s in read_source(source, split, task, settings, data_dir)]


def read_source(
    source: Source, split: str, task: str, settings: DataConfig, data_dir: Path | None
) -> list[Example]:
    """Read one source; tags of phrases come out as IOBES, whatever the file has.

    settings: of the task's data; only what holds for all its sources is used.
    """
    path = locate(source, split, data_dir)
    name, kind = str(path), output_of(task)
    with open_text(path) as lines:
        how = GoldOptions(source.columns, tuple(settings.kinds), True, settings.labels, warn)
        sentences = list(_with_levels(read_gold(task, lines, name, how), source, split, data_dir))
    broken = next((s for s in sentences if any("\0" in form for form in s.forms)), None)
    if broken is not None:
        mend = "Is the file UTF-16, or no text at all?"
        raise SennaError("a word with a NUL byte", where=f"{name}:{broken.line}", mend=mend)
    gold = kind.learnable(sentences, name)
    if not gold:
        raise SennaError("the file has no sentences", where=name)
    examples = [_example(sentence, source, task, settings.merge_to) for sentence in gold]
    return _chosen(examples, source.sentences, name) if source.sentences else examples


def _with_levels(
    gold: Iterator[Gold], source: Source, split: str, data_dir: Path | None
) -> Iterator[Gold]:
    """Gold sentences with the levels that their source names, if it does."""
    if not source.levels:
        yield from gold
        return
    path = levels_file(source, split, data_dir)
    with open_text(path) as lines:
        yield from with_levels(gold, lines, str(path))


def _example(gold: Gold, source: Source, task: str, merge_to: bool) -> Example:
    answer, unlabelled = gold.answer, source.unlabelled
    if task not in TAGGING:
        unlabelled = ()
    elif merge_to:
        answer = schemes.merge_to(gold.forms, answer)
    tags = {
        name: output_of(name).regular(column)
        for name, column in gold.tags.items()
        if name in TAGGING
    }
    tags |= {name: gold.tags[name] for name in TREE_LEVELS if name in gold.tags}
    tree = tuple(gold.tags.get(PARSER, ()))
    return Example(gold.forms, answer, tags, unlabelled, source.weight, tree)


def _chosen(sentences: list[Example], ranges: str, where: str) -> list[Example]:
    """The sentences of ranges as "1-200,300-"; numbers count from 1, both ends included."""
    chosen: list[Example] = []
    for part in ranges.split(","):
        first, dash, last = (cell.strip() for cell in part.partition("-"))
        try:
            start = int(first)
            end = (int(last) if last else len(sentences)) if dash else start
        except ValueError:
            start = end = 0
        if not 1 <= start <= end <= len(sentences):
            what = f"sentences {part.strip()!r}, but it has 1-{len(sentences)}"
            raise SennaError(what, where=where, mend="Ranges look like 1-200,300-.")
        chosen += sentences[start - 1 : end]
    return chosen


def label(source: Source) -> str:
    """The name of a source in cards and logs; of a file, without its folder."""
    name = Path(source.corpus).name if Path(source.corpus).is_absolute() else source.corpus
    return name.encode("utf-8", "replace").decode("utf-8")  # names of files need not be UTF-8


def locate(source: Source, split: str, data_dir: Path | None) -> Path:
    """The file of a source: the user's own, or a split of a corpus of the catalogue."""
    path = Path(source.corpus)
    if path.is_file():
        return path
    return corpora.split_file(corpora.find(source.corpus, data_dir), source.split or split)


def levels_file(source: Source, split: str, data_dir: Path | None) -> Path:
    """The file of levels that a source names: a path, or a corpus that has them."""
    path = Path(source.levels)
    if path.is_file():
        return path
    folder = corpora.find(source.levels, data_dir)
    return corpora.split_file(folder, f"{source.split or split}.levels")


def split_dev(data: DataConfig, train: list[Example]) -> tuple[list[Example], list[Example]]:
    """The last `dev_share` of the training sentences as dev set, if there is none."""
    n = round(len(train) * data.dev_share)
    return (train[:-n], train[-n:]) if n else (train, [])


# --------------------------------------------------------------------------- vocabularies


def count_forms(examples: Sequence[Example]) -> Counter[str]:
    """How often each word form occurs."""
    return Counter(form for example in examples for form in example.forms)
