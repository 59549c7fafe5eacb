"""The corpora of a run: read, without the fold that is left out, annotated by other models."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from senna import corpora
from senna.answers import output_of
from senna.config import DataConfig, Source
from senna.corpora.catalogue import read_catalogue
from senna.errors import SennaError
from senna.features.settings import Features, LevelFeature, TagFeature, TreeFeature
from senna.lazy import lab_module
from senna.pipeline.pipeline import Pipeline
from senna.tasks import PARSER, TASKS
from senna.text.schemes import Phrase
from senna.training.examples import data
from senna.training.examples.data import Example

PARTS = ("train", "dev", "test")  # of the demonstration corpus

NamedSet = tuple[str, list[Example]]


@dataclass(frozen=True)
class TaskCorpus:
    """All sentences of one task; of the sets to choose by and to test on, by their names."""

    train: list[Example]
    dev: list[NamedSet]
    test: list[NamedSet] = field(default_factory=list)


def read_corpora(
    tasks: Sequence[str],
    settings: Mapping[str, DataConfig],
    data_dir: Path | None = None,
    features: Features | None = None,
    soft: str = "",
) -> dict[str, TaskCorpus]:
    """The corpora of tasks, with the features that models of other tasks make.

    soft: what has the probabilities to learn, as `train.soft`. Test sets are read too, so that no
    run fails at its end; they get features only where no model folder could make them.
    """
    if not tasks:
        raise SennaError(
            "no task is given", where="tasks", mend="Name one, for example --task ner."
        )
    read = {task: _read(settings.get(task, DataConfig()), task, data_dir) for task in tasks}
    if features is not None:
        read = annotated(features, read)
    for task, corpus in list(read.items()):
        if settings[task].fold:  # of "2/5" the third of five parts is left out
            part, n = map(int, settings[task].fold.split("/"))
            rest = [s for s in corpus.train if fold_of(s.forms, n) != part]
            read[task] = replace(corpus, train=rest)
    if soft:
        softened = lab_module("soft_labels").softened
        read = {
            task: replace(corpus, train=softened(soft, task, corpus.train))
            for task, corpus in read.items()
        }
    for task, corpus in read.items():
        sets = [(name, [s.gold for s in sentences]) for name, sentences in corpus.dev + corpus.test]
        output_of(task).check([s.gold for s in corpus.train], sets)
    return read


def _read(settings: DataConfig, task: str, data_dir: Path | None) -> TaskCorpus:
    if not settings.train:
        mend = "Name files with --train, or a corpus."
        raise SennaError(f"no training data for {task}", where=f"data.{task}", mend=mend)

    def sets(
        sources: Sequence[Source], split: str, name: Callable[[Source], str]
    ) -> list[NamedSet]:
        return [(name(s), data.read_source(s, split, task, settings, data_dir)) for s in sources]

    train = data.read_sources(settings.train, "train", task, settings, data_dir)
    dev = sets(settings.dev, "dev", lambda s: data.label(s) + (f":{s.split}" if s.split else ""))
    if not dev and settings.dev_share:
        train, last = data.split_dev(settings, train)
        dev = [("dev", last)] if last else []
    if settings.size:
        train = drawn(train, settings.size, f"data.{task}.size")
    test = sets(settings.test, "test", lambda s: f"{data.label(s)} {s.split or 'test'}")
    return TaskCorpus(train, dev, test)


def drawn(examples: list[Example], size: int, where: str) -> list[Example]:
    """`size` examples in their order; those of a larger draw contain those of a smaller one."""
    if size > len(examples):
        raise SennaError(f"{size:,} of {len(examples):,} training sentences", where=where)
    chosen = np.random.default_rng(1).permutation(len(examples))[:size]
    return [examples[i] for i in sorted(chosen)]


def new_tags(known: Sequence[str], task: str, sentences: Sequence[Example]) -> list[str]:
    """The tags that gold sentences bring and that are not among those known."""
    there = set(known)
    tags = output_of(task).vocabulary(sentence.gold for sentence in sentences)
    return [tag for tag in tags if tag not in there]


# --------------------------------------------------------------------------- folds


def fold_of(forms: Sequence[str], n: int) -> int:
    """Which of n parts a sentence belongs to, by its words alone."""
    key = " ".join(forms).lower().encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") % n


def fold_models(folder: Path) -> list[Path]:
    """The models fold-0, fold-1, ... in a folder, each a run or a model folder."""
    models: list[Path] = []
    while (path := folder / f"fold-{len(models)}").is_dir():
        models.append(path / "model" if (path / "model").is_dir() else path)
    if not models:
        raise SennaError("it has no fold-0", where=str(folder))
    return models


# --------------------------------------------------------------------------- other models


def _with_tree(example: Example, features: Features, tree: tuple[Phrase, ...]) -> Example:
    """The sentence with the constituents of a tree, as far as features see it."""
    levels, tags = features.levels, example.tags
    if levels.of_model:
        from senna.text.trees.trimmed_levels import levels_of

        tags = tags | levels_of(tree, len(example.forms), levels.last + 1)
    return replace(example, tags=tags, tree=tree if features.tree.used else example.tree)


def annotated(features: Features, read: dict[str, TaskCorpus]) -> dict[str, TaskCorpus]:
    """The corpora with the features that models of other tasks make."""
    for task, feature in features.of_models.items():
        read = _annotated(read, task, feature, features)
    return read


def _annotated(
    read: dict[str, TaskCorpus],
    task: str,
    feature: TagFeature | TreeFeature | LevelFeature,
    features: Features,
) -> dict[str, TaskCorpus]:
    """Every sentence with what the models of a feature find in it, as it will be in tagging.

    With folds, a training sentence is annotated by the model that has not seen it.
    """
    from senna.text.trees.constituents import constituents

    of_trees = task == PARSER

    def give(example: Example, answer: Any) -> Example:
        if of_trees:
            return _with_tree(example, features, tuple(constituents(answer)))
        return replace(example, tags=example.tags | {task: answer})

    folds = fold_models(Path(feature.folds)) if feature.folds else []
    taggers = [Pipeline.load([task], path) for path in folds]
    final = Pipeline.load([task], Path(feature.model) if feature.model else None)

    def give_all(sentences: list[Example], models: list[Pipeline]) -> list[Example]:
        there = [of_trees and bool(s.tree) for s in sentences]  # of the corpus itself
        pairs, n = zip(sentences, there, strict=True), len(models)
        results = [_with_tree(s, features, s.tree) if has else s for s, has in pairs]
        lacking = [i for i, has in enumerate(there) if not has]
        for part, model in enumerate(models):
            rows = [i for i in lacking if fold_of(sentences[i].forms, n) == part]
            answers = model.annotate([sentences[i].forms for i in rows])[task]
            for i, answer in zip(rows, answers, strict=True):
                results[i] = give(sentences[i], answer)
        return results

    return {
        name: replace(
            corpus,
            train=give_all(corpus.train, taggers or [final]),
            dev=[(label, give_all(sentences, [final])) for label, sentences in corpus.dev],
        )
        for name, corpus in read.items()
    }


# --------------------------------------------------------------------------- where they are


def obtain(
    sets: Mapping[str, DataConfig], data_dir: Path | None, say: Callable[[str], None]
) -> None:
    """Find or download every corpus of the catalogue that the data of tasks name."""
    for settings in sets.values():
        for source in (*settings.train, *settings.dev, *settings.test):
            if not Path(source.corpus).is_file():
                corpora.get(source.corpus, data_dir, say=say, progress=True)


def demo_data(task: str, folder: Path) -> DataConfig:
    """The demonstration corpus as the data of a task."""
    name = TASKS[task].corpora_of or task
    if not (folder / name).is_dir():
        raise SennaError(f"the demonstration corpus has no data for {task}", where=str(folder))
    train, dev, test = (
        tuple(Source(str(path)) for path in (folder / name).glob(f"{part}.*")) for part in PARTS
    )
    return DataConfig(train, dev, test)


def data_table(sets: Mapping[str, DataConfig]) -> dict[str, Any]:
    """The sources of a model: licence and attribution of each corpus."""
    catalogue = read_catalogue()
    table: dict[str, Any] = {}
    for settings in sets.values():
        for source in settings.train:
            entry = catalogue.get(source.corpus)
            name = data.label(source)
            split = source.split or "train"
            splits = table.setdefault(name, {"splits": []})["splits"]
            splits += [split] * (split not in splits)
            if entry is not None:
                table[name] |= {"licence": entry.licence, "attribution": entry.attribution}
    return table
