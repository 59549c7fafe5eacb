"""From a configuration to a network ready to train: corpora, vocabularies, tables, tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from senna.config import CapsFeature, Config, WordFeature
from senna.corpora import locate
from senna.errors import SennaError
from senna.model.folder import model_path, read_model
from senna.outputs import output_of
from senna.tasks import TASKS
from senna.text.capitals import as_read, in_headlines, in_titles, without_capitals
from senna.text.features import RARE, FormFeatures, Vocabulary, build_features
from senna.text.gazetteer import Gazetteer, read_gazetteer
from senna.training import data
from senna.training.batches import Encoder, Reading
from senna.training.data import Example
from senna.training.lookup import Inputs
from senna.training.loop import TaskSets
from senna.training.network import Network, initialise
from senna.training.networks import KINDS
from senna.vectors.read import Vectors, load_vectors


@dataclass
class Corpus:
    """All sentences of one task."""

    train: list[Example]
    dev: list[tuple[str, list[Example]]]  # by dev set


@dataclass
class Setup:
    """What a run trains and what its model folder is written from."""

    config: Config
    features: FormFeatures
    vocabularies: dict[str, Vocabulary]  # of the tag features, in the order of the layer's input
    gazetteer: Gazetteer | None
    labels: list[str]  # of the trees that are a feature
    tags: dict[str, list[str]]  # of each task, in the order of its output
    model: Network
    encoder: Encoder
    tasks: list[TaskSets]
    table: NDArray[np.floating]  # (n_words, size) first values of the word table
    trained: NDArray[np.int32]  # rows of it that the network trains, in the network's order
    n_vectors: int  # words that came with a vector
    corpora: dict[str, Corpus]


def read_corpora(config: Config, data_dir: Path | None) -> dict[str, Corpus]:
    """Read the train and dev sets of all tasks."""
    if not config.tasks:
        raise SennaError("no task to train", where="tasks", mend="Name one, as --task ner.")
    found = {}
    for task in config.tasks:
        if task not in config.data or not config.data[task].train:
            raise SennaError(f"no training data for {task}", where=f"data.{task}")
        head, kind = TASKS[task].head, config.network.kind
        if head not in KINDS[kind].HEADS:
            others = [f'"{name}"' for name, network in KINDS.items() if head in network.HEADS]
            mend = f"Choose network.kind = {' or '.join(others)}."
            raise SennaError(
                f"the {kind} network does not find {head}", where="network.kind", mend=mend
            )
        own = config.data[task]
        train = data.read_sources(own.train, "train", task, own, data_dir)
        dev = [
            (
                f"{data.label(s)}:{s.split}" if s.split else data.label(s),
                data.read_source(s, "dev", task, own, data_dir),
            )
            for s in own.dev
        ]
        if not dev and own.dev_share:
            train, last = data.split_dev(own, train)
            dev = [("dev", last)]
        found[task] = Corpus(train, dev)
    return found


def build(
    config: Config,
    corpora: dict[str, Corpus],
    device: torch.device,
    data_dir: Path | None = None,
) -> Setup:
    """Vocabularies, word table, network and encoded sets."""
    for task, corpus in corpora.items():
        if not corpus.train:  # a dev set or a fold has taken them all
            raise SennaError("no sentence is left to learn from", where=f"data.{task}")
    torch.manual_seed(config.train.seed)
    train = [s for corpus in corpora.values() for s in corpus.train]
    forms = data.count_forms(train)
    vectors = first_vectors(config.features.word, data_dir)
    config = completed(config, vectors)
    features = build_features(config.features, forms, vectors.words if vectors else ())
    if config.features.case.size:
        features = replace(features, case=load_case(config.features.word, len(features.words)))
    vocabularies = {
        name: data.feature_vocabulary(name, train) for name in config.features.used_tags
    }
    gazetteer = load_gazetteer(config, data_dir)
    labels = data.tree_labels(train) if config.features.tree.used else []
    tags = {
        task: output_of(task).vocabulary(example.gold for example in corpus.train)
        for task, corpus in corpora.items()
    }
    table = first_table(config, features, vectors)

    inputs = Inputs(config, features, vocabularies, len(gazetteer.types) if gazetteer else 0)
    model = KINDS[config.network.kind](config, inputs, tags, len(labels))
    initialise(model, config.network.initial)
    encoder = Encoder(features, vocabularies, gazetteer, tags, model.margin, device, labels)
    caps = config.features.caps
    tasks = [encode_task(encoder, task, tags[task], corpora[task], caps) for task in corpora]
    encoder.hide(form for form, n in forms.items() if n == 1)
    trained = trained_rows(encoder, forms, tasks)
    word_rows, fixed = number_rows(len(table), trained, encoder.ids.words)
    encoder.use_rows(word_rows)
    inputs.set_words(
        torch.from_numpy(np.asarray(table[trained], np.float32)),
        torch.from_numpy(np.asarray(table[fixed], np.float32)),
        not config.features.word.fixed,
    )
    return Setup(
        config, features, vocabularies, gazetteer, labels, tags, model.to(device), encoder, tasks,
        table, trained, len(vectors.words) if vectors else 0, corpora,
    )  # fmt: skip


def encode_task(
    encoder: Encoder, task: str, names: list[str], corpus: Corpus, caps: CapsFeature
) -> TaskSets:
    """Encode the train and dev sentences of one task, and copies of those in other cases."""
    dev = [s for _, examples in corpus.dev for s in examples]
    # A sentence without predicates has no roles to learn from.
    train = [s for s in corpus.train if s.gold]
    copies: list[tuple[float, Reading, list[Example]]] = [
        (caps.caseless, without_capitals, train),
        (caps.titled, lambda forms: as_read(in_titles(forms)), train[::2]),
        (caps.titled, lambda forms: as_read(in_headlines(forms)), train[1::2]),
    ]
    encoded = encoder.encode(task, train)
    for share, read, examples in copies if caps.marks else ():
        made = encoder.encode(task, examples, read)
        encoded += [replace(own, weight=own.weight * share) for own in made]
    return TaskSets(
        task,
        names,
        encoded,
        encoder.encode(task, dev),
        [s.gold for s in dev],
        [(name, len(examples)) for name, examples in corpus.dev],
    )


def first_vectors(word: WordFeature, data_dir: Path | None = None) -> Vectors | None:
    """The vectors that a configuration starts from, by a name as `model_path` takes it."""
    if not word.embeddings:
        return None
    path = model_path(word.embeddings)
    vectors = load_vectors(path if path.exists() else locate(word.embeddings, data_dir))
    size = vectors.table.shape[1]
    if word.size not in (0, size):
        raise SennaError(
            f"vectors of {size} numbers, but features.word.size is {word.size}",
            where=word.embeddings,
            mend=f"--set features.word.size={size}",
        )
    return vectors


def completed(config: Config, vectors: Vectors | None) -> Config:
    """The configuration with the size that its vectors have, and the width of every layer."""
    network, word = config.network, config.features.word
    network = replace(network, window=network.window.completed(len(config.tasks)))
    if vectors is not None:
        word = replace(word, size=vectors.table.shape[1])
    return replace(config, features=replace(config.features, word=word), network=network)


def load_case(word: WordFeature, n_words: int) -> NDArray[np.uint8]:
    """The usual case of each word, from the base table; words beyond it are RARE."""
    if word.embeddings != "base":
        mend = "It comes with the base table: --set features.word.embeddings=base, or case.size=0."
        raise SennaError("these vectors do not tell words' case", where="features.case", mend=mend)
    case = np.full(n_words, RARE, np.uint8)
    known = read_model(model_path("base")).array("words.case", None, types=("|u1",))
    case[: len(known)] = known
    return case


def load_gazetteer(config: Config, data_dir: Path | None) -> Gazetteer | None:
    """The phrase lists of a configuration."""
    chosen = config.features.gazetteer
    if not chosen.size:
        return None
    paths = [locate(name, data_dir) for name in chosen.files]
    return read_gazetteer(paths, position=chosen.coding == "position")


def first_table(
    config: Config, features: FormFeatures, vectors: Vectors | None
) -> NDArray[np.floating]:
    """First values of the word table: the vectors, brought to one scale; the rest random."""
    word, n = config.features.word, len(features.words)
    random = np.random.default_rng(config.train.seed)
    deviation = word.scale or 0.12
    if vectors is None:
        return random.normal(0, deviation, (n, word.size)).astype(np.float32)
    table = np.empty((n, word.size), np.float16)
    # A sample tells the deviation: the whole table need not be in memory at once.
    sample = np.asarray(vectors.table[:: max(len(vectors.words) // 20_000, 1)], np.float32)
    if not np.isfinite(sample).all():
        raise SennaError("vectors hold numbers that are not finite", where=word.embeddings)
    spread = float(sample.std())
    if not spread:
        raise SennaError("vectors whose numbers are all alike", where=word.embeddings)
    factor = word.scale / spread if word.scale else 1.0
    last = 2 + len(vectors.words)
    for start in range(2, last, 10_000):
        rows = slice(start, min(start + 10_000, last))
        table[rows] = np.asarray(vectors.table[start - 2 : rows.stop - 2], np.float32) * factor
    for rows in (slice(0, 2), slice(last, n)):
        table[rows] = random.normal(0, deviation / 2, (rows.stop - (rows.start or 0), word.size))
    return table


def trained_rows(
    encoder: Encoder, forms: Iterable[str], tasks: Sequence[TaskSets]
) -> NDArray[np.int32]:
    """Rows of the word table that training forms have, also in copies of another case."""
    seen = np.zeros(len(encoder.rows), np.bool_)
    for own in (own for task in tasks for own in task.train):
        seen[own.forms] = True
    known = np.array([0, 1, *map(encoder.features.word_row, forms)], np.int32)
    return np.unique(np.concatenate([known, encoder.ids.words[seen]]))


def number_rows(
    n_words: int, trained: NDArray[np.int32], used: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Rows of the network's own tables: trained rows first, then other words that sets use.

    Returns a map from word rows to them (n_words,), -1 where never needed, and the fixed rows.
    """
    fixed = np.setdiff1d(used, trained).astype(np.int32)
    rows = np.full(n_words, -1, np.int32)
    rows[trained] = np.arange(len(trained))
    rows[fixed] = len(trained) + np.arange(len(fixed))
    return rows, fixed


def coverage(features: FormFeatures, forms: Counter[str], n_vectors: int) -> float:
    """Share of running words that have a vector."""
    seen = sum(n for form, n in forms.items() if 2 <= features.word_row(form) < 2 + n_vectors)
    return seen / max(sum(forms.values()), 1)
