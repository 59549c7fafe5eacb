"""Sentences as numbers: rows of forms, tags and features, fixed before the network is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.features.settings import CapsFeature
from senna.kinds import output_of
from senna.registry import LABELLED_TREES, LEARNERS, SOFT_LABELS
from senna.tasks import TREE_LEVELS
from senna.text.capitals import as_read, in_headlines, in_titles, without_capitals
from senna.text.vocabulary import PADDING_FORM, RARE, Ids, Spelling, Vocabulary
from senna.training.examples.corpora import Example, TaskCorpus
from senna.training.examples.vocabularies import Collected
from senna.training.layers.batch import Encoded, Views

Respelling = Callable[[Sequence[str]], Sequence[str]]


@dataclass
class TaskSets:
    """The encoded sets of one task; `names` are its tags in order."""

    name: str
    names: list[str]
    train: list[Encoded]
    dev: list[Encoded]
    dev_gold: list[Any]  # of each sentence, as `Example.gold`
    sets: list[tuple[str, int]] = field(default_factory=list)  # dev sets: name, n sentences


@dataclass(frozen=True)
class Numbered:
    """All sets of a run as numbers; they never change.

    The network's word tables hold the rows `trained` of the vocabulary, then the rows `fixed`,
    which sets use and training never sees.
    """

    tasks: list[TaskSets]
    forms: dict[str, int]  # distinct forms and their rows; row 0 is the padding form
    ids: dict[str, Ids]  # their features, by table; words as rows of the network's tables
    rare_row: int  # of the same, that of rare words
    once: NDArray[np.bool_]  # forms that occur once: training may take them for rare words
    trained: Ids
    fixed: Ids


def number(collected: Collected, corpora: Mapping[str, TaskCorpus]) -> Numbered:
    """Encode the train and dev sets of all tasks, and number the words that they use."""
    numbering = Numbering(collected)
    caps = collected.config.features.caps
    tasks = [numbering.task_sets(task, corpus, caps) for task, corpus in corpora.items()]
    forms = numbering.forms
    ids = collected.features.ids(list(forms))
    seen = np.zeros(len(forms), np.bool_)  # in training, also in copies of another case
    for sentence in (sentence for task in tasks for sentence in task.train):
        seen[sentence.forms] = True
    counted = collected.features.rows_of(collected.forms)
    trained = np.unique(np.concatenate([np.array([0, 1], np.int32), counted, ids["words"][seen]]))
    fixed = np.setdiff1d(ids["words"], trained).astype(np.int32)
    rows = np.full(len(collected.table), -1, np.int32)  # of the network's own tables
    rows[trained] = np.arange(len(trained))
    rows[fixed] = len(trained) + np.arange(len(fixed))
    once = np.zeros(len(forms), np.bool_)
    once[[forms[form] for form, n in collected.forms.items() if n == 1 and form in forms]] = True
    ids["words"] = rows[ids["words"]]
    return Numbered(tasks, forms, ids, int(rows[RARE]), once, trained, fixed)


class Numbering:
    """Encodes sentences; its list of distinct forms grows with them."""

    def __init__(self, collected: Collected) -> None:
        self.collected = collected
        self.tags = {
            task: {tag: i for i, tag in enumerate(names)} for task, names in collected.tags.items()
        }
        self.labels = {label: row for row, label in enumerate(collected.labels, start=1)}
        self.forms: dict[str, int] = {PADDING_FORM: 0}

    def task_sets(self, task: str, corpus: TaskCorpus, caps: CapsFeature) -> TaskSets:
        """Encode the train and dev sentences of one task, and copies of those in other cases."""
        # A sentence without predicates has no roles to learn from.
        train = [s for s in corpus.train if s.gold]
        originals = self.encode(task, train)
        encoded = [*originals]
        copies: list[tuple[float, Respelling, slice]] = [
            (caps.caseless, without_capitals, slice(None)),
            (caps.titled, lambda forms: as_read(in_titles(forms)), slice(0, None, 2)),
            (caps.titled, lambda forms: as_read(in_headlines(forms)), slice(1, None, 2)),
        ]
        for share, read, part in copies if caps.marks else ():
            encoded += [
                replace(
                    sentence,  # what its forms do not decide is as it was
                    forms=self._rows(forms),
                    idf=self._idf(forms),
                    weight=sentence.weight * share,
                )
                for sentence, example in zip(originals[part], train[part], strict=True)
                for forms in [read(example.forms)]
            ]
        dev = [s for _, examples in corpus.dev for s in examples]
        return TaskSets(
            task,
            self.collected.tags[task],
            encoded,
            self.encode(task, dev),
            [s.gold for s in dev],
            [(name, len(examples)) for name, examples in corpus.dev],
        )

    def encode(self, task: str, examples: Sequence[Example]) -> list[Encoded]:
        """Ids of sentences; a tag that training never saw becomes -1 (it can only be missed)."""
        # Features that know marks read marked forms.
        read: Respelling = as_read if self.collected.features.marks else list
        return [self._encode(task, example, read(example.forms)) for example in examples]

    def _rows(self, read: Sequence[str]) -> Ids:
        """The rows of forms; new ones get the next."""
        rows = self.forms
        return np.array([rows.setdefault(form, len(rows)) for form in read], np.int32)

    def _encode(self, task: str, example: Example, read: Sequence[str]) -> Encoded:
        get, output = self.tags[task].get, output_of(task)
        forms = self._rows(read)
        positions = brackets = None
        if output.kind == "roles":
            positions = np.array([place for place, _ in example.gold], np.int64)
        network = self.collected.config.network
        tree = example.tree if network.of_nodes else None
        rows, spans = output.targets(example.gold, len(forms), tree)
        gold = [[get(tag, -1) for tag in row] for row in rows]
        if spans is not None:
            brackets = np.array([(start, end - 1, get(name, -1)) for start, end, name in spans])
            if tree is not None:
                labels = LABELLED_TREES["nodes"].label_rows(tree, len(forms))
                brackets = np.column_stack([brackets, labels])
        lengths = None
        spans_of = LEARNERS[network.kind].span_lengths(network.settings, example.forms)
        if spans_of is not None:
            lengths = np.array(spans_of)
        soft = None
        if example.soft is not None:
            soft = SOFT_LABELS["soft"].on_tags(example.soft, self.tags[task])
        collected = self.collected
        lists = collected.gazetteer
        return Encoded(
            forms,
            np.array(gold, np.int64).reshape(len(gold), len(forms)),
            {
                name: _context(known, example, name)
                for name, known in collected.vocabularies.items()
            },
            lists.mark([example.forms]) if lists is not None else None,
            example.unlabelled,
            example.weight,
            positions,
            brackets,
            self._views(example, positions),
            soft,
            lengths,
            self._idf(read),
        )

    def _idf(self, read: Sequence[str]) -> NDArray[np.float32] | None:
        idf = self.collected.idf
        words = (Spelling.of(form).lower for form in read)
        return np.array([idf.get(word, idf[""]) for word in words], np.float32) if idf else None

    def _views(self, example: Example, positions: NDArray[np.int64] | None) -> Views | None:
        """The tree as each predicate sees it."""
        if positions is None or not self.labels:
            return None
        from senna.kinds.roles.head import view

        n = len(example.forms)
        views = [view(place, example.tree, self.labels, n) for place in positions.tolist()]
        return np.array(views, np.int16).reshape(-1, 2, n).transpose(0, 2, 1)


def _context(vocabulary: Vocabulary, example: Example, name: str) -> Ids:
    """Rows of the tags of a task that serve as a feature."""
    tags = example.tags.get(name, [])
    if len(tags) != len(example.forms):
        if name in TREE_LEVELS:
            remedy = 'Name them beside the corpus: { corpus = "srl/ewt", levels = "pt0/ewt" }.'
            what = f"the corpus lacks {name.replace('-', ' ')} of a sentence"
            raise SennaError(what, where="features.levels", remedy=remedy)
        raise SennaError(f"a sentence has no column {name}", where=f"features.tags.{name}")
    return np.array([vocabulary.rows.get(tag, RARE) for tag in tags], np.int32)
