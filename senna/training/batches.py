"""From sentences to batches: ids, padding, shuffled and bucketed order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.errors import SennaError
from senna.outputs import output_of
from senna.tasks import TASKS
from senna.text.capitals import as_read
from senna.text.constituents import brackets
from senna.text.features import PADDING_FORM, RARE, FormFeatures, FormIds, Vocabulary
from senna.text.gazetteer import Gazetteer, Known
from senna.text.views import view
from senna.training.data import Example

Views = NDArray[np.int16]
Reading = Callable[[Sequence[str]], Sequence[str]]


@dataclass(frozen=True)
class FormTensors:
    """The ids of the distinct forms of a batch; row 0 is the padding form."""

    words: Tensor  # (n_forms,) rows of the trained table, then of the fixed words
    caps: Tensor  # (n_forms,)
    case: Tensor  # (n_forms,)
    affixes: Tensor  # (n_forms, n_affix_tables)
    letters: Tensor  # (n_forms, longest)
    lengths: Tensor  # (n_forms,) letters


@dataclass(frozen=True)
class Batch:
    """Padded sentences of one task; margin is the padding at both ends (half the window).

    For roles, `gold` is about words and predicates: a row for each of the `pairs`, which are rows
    of sentences and places of predicates in them.
    """

    forms: FormTensors
    tokens: Tensor  # (n_sentences, n_steps + 2 margin) rows of forms
    tags: dict[str, Tensor]  # features, by task: (n_sentences, n_steps + 2 margin)
    gazetteer: Tensor | None  # (n_sentences, n_steps + 2 margin, n_types)
    lengths: Tensor  # (n_sentences,)
    gold: Tensor  # (n_sentences or n_pairs, n_steps) tags to learn
    allowed: Tensor | None = None  # (n_sentences, n_steps, n_tags), where types were not annotated
    pairs: Tensor | None = None  # (n_pairs, 2)
    # Of trees: sentence, first word, last word and label of each bracket, (n_brackets, 4).
    brackets: Tensor | None = None
    views: Tensor | None = None  # of trees, by predicates: (n_pairs, n_steps, 2)

    @property
    def n_steps(self) -> int:
        """Words of the longest sentence."""
        return self.gold.shape[1]

    @property
    def gold_lengths(self) -> Tensor:
        """Words of each row of gold tags."""
        return self.lengths if self.pairs is None else self.lengths[self.pairs[:, 0]]


@dataclass(frozen=True)
class Encoded:
    """One sentence as ids; forms index the encoder's list of distinct forms.

    `gold` (n_rows, n_words) has one row, or for roles one for each predicate, whose places are
    `positions`. Trees have no such row, but `brackets` (n_brackets, 3): first word, last word and
    label of each.
    """

    forms: NDArray[np.int32]
    gold: NDArray[np.int64]
    tags: dict[str, NDArray[np.int32]]
    gazetteer: NDArray[np.int32] | None
    unlabelled: tuple[str, ...]
    weight: float
    positions: NDArray[np.int64] | None = None
    brackets: NDArray[np.int64] | None = None
    views: Views | None = None  # of predicates: (n_rows, n_words, 2)


class Encoder:
    """Turns sentences into ids and ids into batches; grows its list of distinct forms.

    `word_rows` maps a row of the word vocabulary to a row of the trained table, or to -1.
    """

    def __init__(
        self,
        features: FormFeatures,
        vocabularies: Mapping[str, Vocabulary],
        gazetteer: Gazetteer | None,
        names: Mapping[str, list[str]],
        margin: int,
        device: torch.device,
        labels: Sequence[str] = (),
    ) -> None:
        """vocabularies: of the tag features; names: the tags of each task to learn.

        labels: of the trees that are features, if they are.
        """
        self.features, self.vocabularies, self.gazetteer = features, vocabularies, gazetteer
        self.names = {task: {tag: i for i, tag in enumerate(own)} for task, own in names.items()}
        self.margin, self.device = margin, device
        self.labels = {label: row for row, label in enumerate(labels, start=1)}
        self.rows: dict[str, int] = {PADDING_FORM: 0}
        self.hidden: NDArray[np.bool_] = np.zeros(0, np.bool_)  # forms that may turn RARE
        self.rare_row = 1
        self.ids = features.ids([PADDING_FORM])
        self.known: Known = {}

    def encode(
        self, task: str, examples: Sequence[Example], read: Reading = as_read
    ) -> list[Encoded]:
        """Ids of sentences; a tag that training never saw becomes -1 (it can only be missed).

        `read` marks the forms of a sentence, for features that know marks.
        """
        start = len(self.rows)
        read = read if self.features.marks else list
        encoded = [self._encode(task, example, read(example.forms)) for example in examples]
        new = self.features.ids(list(self.rows)[start:])
        self.ids = FormIds(
            *(
                np.concatenate([getattr(self.ids, name), getattr(new, name)])
                for name in ("words", "caps", "case", "affixes", "letters", "lengths")
            )
        )
        return encoded

    def _encode(self, task: str, example: Example, read: Sequence[str]) -> Encoded:
        rows, get = self.rows, self.names[task].get
        forms = [rows.setdefault(form, len(rows)) for form in read]
        gold = [[get(tag, -1) for tag in row] for row in output_of(task).rows(example.gold)]
        positions = found = None
        if TASKS[task].head == "roles":
            positions = np.array([own.position for own in example.gold], np.int64)
        elif TASKS[task].head == "trees":
            own = brackets(example.gold)
            found = np.array([(first, end - 1, get(label, -1)) for first, end, label in own])
        return Encoded(
            np.array(forms, np.int32),
            np.array(gold, np.int64).reshape(len(gold), len(forms)),
            {name: _context(own, example, name) for name, own in self.vocabularies.items()},
            self.gazetteer.mark(example.forms, self.known) if self.gazetteer is not None else None,
            example.unlabelled,
            example.weight,
            positions,
            found,
            self._views(example, positions),
        )

    def _views(self, example: Example, positions: NDArray[np.int64] | None) -> Views | None:
        """The tree as each predicate sees it."""
        if positions is None or not self.labels:
            return None
        n = len(example.forms)
        views = [view(place, example.tree, self.labels, n) for place in positions.tolist()]
        return np.array(views, np.int16).reshape(-1, 2, n).transpose(0, 2, 1)

    def use_rows(self, word_rows: NDArray[np.int32]) -> None:
        """From here on word ids are rows of the network's own table (see `Inputs`)."""
        self.ids = replace(self.ids, words=word_rows[self.ids.words])
        self.rare_row = int(word_rows[RARE])

    def hide(self, forms: Iterable[str]) -> None:
        """Forms whose word training may replace by RARE, so that RARE learns something."""
        self.hidden = np.zeros(len(self.rows), np.bool_)
        self.hidden[[self.rows[form] for form in forms if form in self.rows]] = True

    def batch(
        self,
        task: str,
        sentences: Sequence[Encoded],
        random: np.random.Generator | None = None,
        rare: float = 0.0,
    ) -> Batch:
        """Pad sentences to one length and collect the features of their distinct forms.

        In training, `random` replaces a share `rare` of the hidden forms' words by RARE.
        """
        lengths = np.array([len(s.forms) for s in sentences], np.int64)
        n, width, margin = len(sentences), int(lengths.max()), self.margin
        gold = _padded([row for s in sentences for row in s.gold], width, 0)
        tokens = _padded([s.forms for s in sentences], width, margin)
        distinct, tokens = np.unique(tokens, return_inverse=True)  # 0, padding, comes first
        if margin == 0 and distinct[0] != 0:
            distinct, tokens = np.concatenate([[0], distinct]), tokens + 1
        marks = [s.gazetteer for s in sentences if s.gazetteer is not None]
        tags = {name: [s.tags[name] for s in sentences] for name in self.vocabularies}
        return Batch(
            self._forms(distinct, random, rare),
            self._tensor(tokens.reshape(n, width + 2 * margin)),
            {name: self._tensor(_padded(rows, width, margin)) for name, rows in tags.items()},
            self._tensor(_padded(marks, width, margin)) if marks else None,
            self._tensor(lengths),
            self._tensor(gold),
            self._allowed(task, sentences, gold) if any(s.unlabelled for s in sentences) else None,
            self._pairs(sentences),
            self._brackets(sentences),
            self._padded_views(sentences, width),
        )

    def _tensor(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def _forms(
        self, rows: NDArray[np.int64], random: np.random.Generator | None, rare: float
    ) -> FormTensors:
        ids = self.ids.take(rows.astype(np.int32))
        if random is not None and rare:
            ids.words[self.hidden[rows] & (random.random(len(rows)) < rare)] = self.rare_row
        return FormTensors(
            *(
                self._tensor(array.astype(np.int64))
                for array in (ids.words, ids.caps, ids.case, ids.affixes, ids.letters, ids.lengths)
            )
        )

    def _pairs(self, sentences: Sequence[Encoded]) -> Tensor | None:
        """For roles the sentence and place of the predicate of each row of gold tags."""
        found = [(i, s.positions) for i, s in enumerate(sentences) if s.positions is not None]
        if not found:
            return None
        places = [(i, place) for i, own in found for place in own.tolist()]
        return self._tensor(np.array(places, np.int64).reshape(-1, 2))

    def _brackets(self, sentences: Sequence[Encoded]) -> Tensor | None:
        """For trees each bracket with the sentence that it belongs to."""
        found = [(i, s.brackets) for i, s in enumerate(sentences) if s.brackets is not None]
        if not found:
            return None
        rows = [np.insert(own, 0, i, axis=1) for i, own in found]
        return self._tensor(np.concatenate(rows))

    def _padded_views(self, sentences: Sequence[Encoded], width: int) -> Tensor | None:
        found = [row for s in sentences if s.views is not None for row in s.views]
        return self._tensor(_padded(found, width, 0)) if found else None

    def _allowed(self, task: str, sentences: Sequence[Encoded], gold: NDArray[np.int64]) -> Tensor:
        """Where a type was not annotated, O may stand for any of its tags."""
        rows = self.names[task]
        allowed = np.zeros((*gold.shape, len(rows)), np.bool_)
        np.put_along_axis(allowed, gold[:, :, None], True, axis=2)
        for i, sentence in enumerate(sentences):
            hidden = [row for tag, row in rows.items() if tag[2:] in sentence.unlabelled and row]
            outside = np.flatnonzero(gold[i] == rows["O"])
            allowed[i, outside[:, None], hidden] = True
        return self._tensor(allowed)


def _context(vocabulary: Vocabulary, example: Example, name: str) -> NDArray[np.int32]:
    """Rows of the tags of a task that serve as a feature."""
    tags = example.tags.get(name, [])
    if len(tags) != len(example.forms):
        raise SennaError(f"a sentence has no column {name}", where=f"features.tags.{name}")
    return np.array([vocabulary.rows.get(tag, RARE) for tag in tags], np.int32)


def _padded(rows: Sequence[NDArray[Any]], width: int, margin: int) -> NDArray[np.int64]:
    """Rows (n_words, ...) side by side, zeros behind them and in the margin at both ends."""
    more = rows[0].shape[1:] if rows else ()
    made = np.zeros((len(rows), width + 2 * margin, *more), np.int64)
    for i, row in enumerate(rows):
        made[i, margin : margin + len(row)] = row
    return made


# --------------------------------------------------------------------------- order


def epoch_batches(
    sentences: Sequence[Encoded], size: int, random: np.random.Generator
) -> Iterator[list[Encoded]]:
    """All sentences once (or as often as their weight says), shuffled, like lengths together."""
    drawn: list[Encoded] = []
    for sentence in sentences:
        whole, share = divmod(sentence.weight, 1)
        drawn += [sentence] * (int(whole) + int(share > 0 and random.random() < share))
    order = random.permutation(len(drawn))
    bucket = size * 50 if size > 1 else 1  # sorted within a bucket, so batches stay mixed
    batches: list[list[Encoded]] = []
    for start in range(0, len(order), bucket):
        rows = sorted(order[start : start + bucket], key=lambda row: len(drawn[row].forms))
        batches += [[drawn[row] for row in rows[i : i + size]] for i in range(0, len(rows), size)]
    for i in random.permutation(len(batches)):
        yield batches[i]
