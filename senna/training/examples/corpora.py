"""The corpora of a run: read, without the fold that is left out, annotated by other models."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from senna.annotation.schemes import Phrase
from senna.errors import SennaError, no_sentences
from senna.files import open_text
from senna.inference.features.settings import Features, LevelFeature, TagFeature
from senna.kinds import output_of
from senna.kinds.answer import Gold, GoldOptions
from senna.kinds.tags import answer as tag_answers
from senna.model.schema import TreeFeature
from senna.pipeline.pipeline import Pipeline
from senna.registry import CORPORA, READERS, SOFT_LABELS, TRIMMED
from senna.tasks import PARSER, TAGGING, TREE_LEVELS
from senna.training.config import DataConfig, Source

# Names of tags, and of each word their probabilities, (n_words, n_names).
Soft = tuple[list[str], NDArray[np.float32]]


@dataclass(frozen=True)
class Example:
    """One annotated sentence of a task.

    `gold` is the answer that a model should give: see `senna.kinds`.
    """

    forms: list[str]
    gold: Any
    tags: dict[str, list[str]] = field(default_factory=dict)  # of other tasks: features
    unlabelled: tuple[str, ...] = ()
    weight: float = 1.0
    tree: tuple[Phrase, ...] = ()  # constituents, each before its parts: a feature
    soft: Soft | None = None  # what to learn in the place of gold tags
    opens: bool = False  # whether a document begins with it


# --------------------------------------------------------------------------- reading


def read_source(
    source: Source, split: str, task: str, settings: DataConfig, data_dir: Path | None
) -> list[Example]:
    """Read one source; tags of phrases come out as IOBES, whatever the file has.

    settings: of the task's data; only what holds for all its sources is used.
    """
    path = CORPORA["store"].source_file(source, split, data_dir)
    name, kind = str(path), output_of(task)
    with open_text(path) as lines:
        how = GoldOptions(source.columns, tuple(settings.kinds), True, settings.labels, warn)
        read = READERS["gold"].read_gold(task, lines, name, how)
        sentences = list(_with_levels(read, source, split, data_dir))
    broken = next((s for s in sentences if any("\0" in form for form in s.forms)), None)
    if broken is not None:
        remedy = "Is the file UTF-16, or no text at all?"
        raise SennaError("a word with a NUL byte", where=f"{name}:{broken.line}", remedy=remedy)
    gold = kind.learnable(sentences, name)
    if not gold:
        raise no_sentences(name)
    examples = [_example(sentence, source, task, settings.merge_to) for sentence in gold]
    return _chosen(examples, source.sentences, name) if source.sentences else examples


def _with_levels(
    gold: Iterator[Gold], source: Source, split: str, data_dir: Path | None
) -> Iterator[Gold]:
    if not source.levels:
        yield from gold
        return
    path = CORPORA["store"].source_file(source, split, data_dir, levels=True)
    with open_text(path) as lines:
        yield from READERS["gold"].with_levels(gold, lines, str(path))


def _example(gold: Gold, source: Source, task: str, merge_to: bool) -> Example:
    answer, unlabelled = gold.answer, source.unlabelled
    if task not in TAGGING:
        unlabelled = ()
    elif merge_to:
        answer = tag_answers.merge_to(gold.forms, answer)
    tags = {
        name: tag_answers.as_pt0(column) if name == "pt0" else column
        for name, column in gold.tags.items()
        if name in TAGGING
    }
    tags |= {name: gold.tags[name] for name in TREE_LEVELS if name in gold.tags}
    tree = tuple(gold.tags.get(PARSER, ()))
    return Example(gold.forms, answer, tags, unlabelled, source.weight, tree, opens=gold.opens)


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
            raise SennaError(what, where=where, remedy="Ranges look like 1-200,300-.")
        chosen += sentences[start - 1 : end]
    return chosen


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
            "no task is given", where="tasks", remedy="Name one, for example --task ner."
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
        softened = SOFT_LABELS["soft"].softened
        read = {
            task: replace(corpus, train=softened(soft, task, corpus.train))
            for task, corpus in read.items()
        }
    for task, corpus in read.items():
        if output_of(task).kind == "labels":
            check_labels(corpus)
    return read


def check_labels(corpus: TaskCorpus) -> None:
    """SennaError for a training set with one label, or other sets with labels that it lacks."""
    known = {example.gold for example in corpus.train}
    if len(known) == 1:
        what = f"all training sentences have one label, {corpus.train[0].gold!r:.60}"
        raise SennaError(what, remedy="At least two labels are needed.")
    for name, sentences in corpus.dev + corpus.test:
        new = next((n for n, s in enumerate(sentences, 1) if s.gold not in known), None)
        if known and new:
            remedy = f"Training has {', '.join(sorted(known)):.200}."
            what = f"label {sentences[new - 1].gold!r:.60} of sentence {new}"
            raise SennaError(what, where=name, remedy=remedy)


def _read(settings: DataConfig, task: str, data_dir: Path | None) -> TaskCorpus:
    if not settings.train:
        remedy = "Name files with --train, or a corpus."
        raise SennaError(f"no training data for {task}", where=f"data.{task}", remedy=remedy)

    def sets(
        sources: Sequence[Source], split: str, name: Callable[[Source], str]
    ) -> list[NamedSet]:
        return [(name(s), read_source(s, split, task, settings, data_dir)) for s in sources]

    label = CORPORA["store"].label
    parts = sets(settings.train, "train", label)
    train = [example for _, examples in parts for example in examples]
    dev = sets(settings.dev, "dev", lambda s: label(s) + (f":{s.split}" if s.split else ""))
    if not dev and settings.dev_share:
        n = round(len(train) * settings.dev_share)  # the last ones
        train, dev = train[: len(train) - n], [("dev", train[-n:])] if n else []
    if settings.size:
        train = drawn(train, settings.size, f"data.{task}.size")
    test = sets(settings.test, "test", lambda s: f"{label(s)} {s.split or 'test'}")
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
    return [tag for tag in tags_of(task, sentences) if tag not in there]


def tags_of(task: str, sentences: Iterable[Example]) -> list[str]:
    """The tags or labels of a model that learns from gold sentences."""
    output, seen = output_of(task), set[str]()
    for sentence in sentences:
        rows, spans = output.targets(sentence.gold, len(sentence.forms), sentence.tree or None)
        seen.update(*rows, (span.label for span in spans or ()))
    return output.vocabulary(seen)


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
    levels, tags = features.levels, example.tags
    if levels.of_model:
        tags = tags | TRIMMED["levels"].levels_of(tree, len(example.forms), levels.last + 1)
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
    from senna.annotation.trees import constituents

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
