"""Statistics of the training sentences: counts, vocabularies, first values of the word table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.features.forms import FormFeatures
from senna.inference.features.settings import Features, GazetteerFeature, WordFeature
from senna.kinds.roles.head import labels_of
from senna.model.folder import model_path
from senna.registry import CORPORA, LEARNERS, VECTORS
from senna.text.gazetteer import Gazetteer, read_gazetteer
from senna.text.vocabulary import Vocabulary
from senna.training.config import Config
from senna.training.examples.corpora import TaskCorpus, tags_of

Vectors = Any  # words and their table
MOST_TAGS = 4_000  # of a task: with more the square of them is too large to learn


@dataclass(frozen=True)
class Collected:
    """Counts and vocabularies of a run's training sets; they never change."""

    config: Config  # completed: with the size of the vectors, a width for every layer
    forms: Counter[str]  # how often each form occurs
    features: FormFeatures
    vocabularies: dict[str, Vocabulary]  # of tags that are features, in the order of the input
    gazetteer: Gazetteer | None
    labels: list[str]  # of the trees that are a feature
    tags: dict[str, list[str]]  # of each task, in the order of its output
    table: NDArray[np.floating]  # (n_words, size) first values of the word table
    n_vectors: int  # words that came with a vector
    idf: dict[str, float]  # of words that count by it, "" of those that training lacks

    @property
    def coverage(self) -> float:
        """Share of running words that have a vector."""
        rows = self.features.rows_of(self.forms)
        known = (rows >= 2) & (rows < 2 + self.n_vectors)
        counts = np.fromiter(self.forms.values(), np.int64, len(self.forms))
        return int(counts[known].sum()) / max(self.forms.total(), 1)


def collect(
    config: Config, corpora: Mapping[str, TaskCorpus], data_dir: Path | None = None
) -> Collected:
    """Count the forms of all training sets, and list the values of their features and tags."""
    for task, corpus in corpora.items():
        if not corpus.train:  # a dev set or a fold has taken them all
            raise SennaError("no sentence is left to train on", where=f"data.{task}")
    train = [s for corpus in corpora.values() for s in corpus.train]
    forms = _counted(corpora, config.train.draw == "together")
    vectors = first_vectors(config.features.word, data_dir)
    chosen = sized(config.features, vectors)
    window = config.network.window.completed(len(config.tasks))
    network = replace(config.network, **{"window": window})
    of_trees = chosen.tree.used and not network.of_nodes
    clusters = chosen.clusters
    if clusters.file:
        clusters = replace(clusters, file=str(CORPORA["store"].locate(clusters.file, data_dir)))
    located = replace(chosen, clusters=clusters)
    features = FormFeatures.learn(located, forms, vectors.words if vectors else ())
    return Collected(
        replace(config, features=chosen, network=network),
        forms,
        features,
        {
            name: Vocabulary.of(sorted({tag for s in train for tag in s.tags.get(name, ())}))
            for name in chosen.tag_sizes
        },
        load_gazetteer(chosen.gazetteer, data_dir),
        sorted({label for s in train for label in labels_of(s.tree)}) if of_trees else [],
        {task: _tags(task, corpus) for task, corpus in corpora.items()},
        first_table(chosen.word, config.train.seed, features, vectors),
        len(vectors.words) if vectors else 0,
        LEARNERS[network.kind].word_weights(network.settings, train),
    )


def _tags(task: str, corpus: TaskCorpus) -> list[str]:
    tags = tags_of(task, corpus.train)
    if len(tags) > MOST_TAGS:
        remedy = "Is this the right column? --columns names it."
        raise SennaError(f"{len(tags):,} different tags", where=f"data.{task}", remedy=remedy)
    return tags


def _counted(corpora: Mapping[str, TaskCorpus], together: bool) -> Counter[str]:
    """How often forms occur; of sentences that tasks learn `together`, in one pass, once."""
    if not together:
        return Counter(form for c in corpora.values() for s in c.train for form in s.forms)
    sentences = Counter[tuple[str, ...]]()
    for corpus in corpora.values():
        sentences |= Counter(tuple(example.forms) for example in corpus.train)
    forms = Counter[str]()
    for words, n in sentences.items():
        for form in words:
            forms[form] += n
    return forms


def first_vectors(word: WordFeature, data_dir: Path | None = None) -> Vectors | None:
    """The vectors that a configuration starts from, by a name as `model_path` takes it."""
    if not word.embeddings:
        return None
    path = model_path(word.embeddings)
    place = path if path.exists() else CORPORA["store"].locate(word.embeddings, data_dir)
    vectors = VECTORS["files"].load_vectors(place)
    size = vectors.table.shape[1]
    if word.size not in (0, size):
        raise SennaError(
            f"vectors of {size} numbers, but features.word.size is {word.size}",
            where=word.embeddings,
            remedy=f"--set features.word.size={size}",
        )
    return vectors


def sized(features: Features, vectors: Vectors | None) -> Features:
    """The features with the size that their vectors have."""
    if vectors is not None:
        word = replace(features.word, size=vectors.table.shape[1])
        features = replace(features, word=word)
    if features.wrong:
        raise SennaError(features.wrong, where=features.word.embeddings)
    return features


def load_gazetteer(chosen: GazetteerFeature, data_dir: Path | None) -> Gazetteer | None:
    """The phrase lists of a run."""
    if not chosen.size:
        return None
    paths = [CORPORA["store"].locate(name, data_dir) for name in chosen.files]
    return read_gazetteer(paths, position=chosen.coding == "position")


def first_table(
    word: WordFeature, seed: int, features: FormFeatures, vectors: Vectors | None
) -> NDArray[np.floating]:
    """First values of the word table: the vectors, brought to one scale; the rest random."""
    n, random = len(features.words), np.random.default_rng(seed)
    deviation = word.scale or 0.12
    if vectors is None:
        return random.normal(0, deviation, (n, word.size)).astype(np.float32)
    table = np.empty((n, word.size), np.float16)
    # The deviation of a sample: the whole table need not be in memory at once.
    sample = np.asarray(vectors.table[:: max(len(vectors.words) // 20_000, 1)], np.float32)
    if not np.isfinite(sample).all():
        raise SennaError("the vectors have numbers that are not finite", where=word.embeddings)
    spread = float(sample.std())
    if not spread:
        raise SennaError("all numbers of the vectors are equal", where=word.embeddings)
    factor = word.scale / spread if word.scale else 1.0
    last = 2 + len(vectors.words)
    for start in range(2, last, 10_000):
        rows = slice(start, min(start + 10_000, last))
        table[rows] = np.asarray(vectors.table[start - 2 : rows.stop - 2], np.float32) * factor
    for rows in (slice(0, 2), slice(last, n)):
        table[rows] = random.normal(0, deviation / 2, (rows.stop - (rows.start or 0), word.size))
    return table
