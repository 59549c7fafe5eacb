"""From sentences to batches: ids, padding, shuffled and bucketed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.text.features import PADDING_FORM, RARE, FormFeatures, FormIds, Vocabulary
from senna.text.gazetteer import Gazetteer, Known
from senna.training.data import Sentence
from senna.training.networks import Batch, FormTensors


@dataclass(frozen=True)
class Encoded:
    """One sentence as ids; forms index the encoder's list of distinct forms.

    For roles, `tags` has a row for each of the predicates, whose places are `positions`.
    """

    forms: NDArray[np.int32]
    tags: NDArray[np.int64]
    pos: NDArray[np.int32] | None
    gazetteer: NDArray[np.int32] | None
    unlabelled: tuple[str, ...]
    weight: float
    pt0: NDArray[np.int32] | None = None
    positions: NDArray[np.int64] | None = None


class Encoder:
    """Turns sentences into ids and ids into batches; grows its list of distinct forms.

    `word_rows` maps a row of the word vocabulary to a row of the trained table, or to -1.
    """

    def __init__(
        self,
        features: FormFeatures,
        pos: Vocabulary | None,
        gazetteer: Gazetteer | None,
        tags: dict[str, list[str]],
        margin: int,
        device: torch.device,
        pt0: Vocabulary | None = None,
    ) -> None:
        self.features, self.gazetteer = features, gazetteer
        self.pos, self.pt0 = pos, pt0
        self.tags = {task: {tag: i for i, tag in enumerate(names)} for task, names in tags.items()}
        self.margin, self.device = margin, device
        self.rows: dict[str, int] = {PADDING_FORM: 0}
        self.hidden: NDArray[np.bool_] = np.zeros(0, np.bool_)  # forms that may turn RARE
        self.rare_row = 1
        self.ids = features.ids([PADDING_FORM])
        self.known: Known = {}

    def encode(self, task: str, sentences: Sequence[Sentence]) -> list[Encoded]:
        """Ids of sentences; a tag that training never saw becomes -1 (it can only be missed)."""
        start = len(self.rows)
        encoded = [self._encode(task, sentence) for sentence in sentences]
        new = self.features.ids(list(self.rows)[start:])
        self.ids = FormIds(
            *(
                np.concatenate([getattr(self.ids, name), getattr(new, name)])
                for name in ("words", "caps", "case", "affixes", "letters", "lengths")
            )
        )
        return encoded

    def _encode(self, task: str, sentence: Sentence) -> Encoded:
        rows, tags = self.rows, self.tags[task]
        forms = [rows.setdefault(form, len(rows)) for form in sentence.forms]
        rows_of_tags = [sentence.tags]
        positions = None
        if task == "srl":
            rows_of_tags = [predicate.tags for predicate in sentence.predicates]
            positions = np.array([own.position for own in sentence.predicates], np.int64)
        ids = np.array([[tags.get(tag, -1) for tag in row] for row in rows_of_tags], np.int64)
        return Encoded(
            np.array(forms, np.int32),
            ids[0] if positions is None else ids.reshape(len(positions), len(forms)),
            _context(self.pos, sentence.pos, len(forms), "part-of-speech", "features.pos"),
            self.gazetteer.mark(sentence.forms, self.known) if self.gazetteer is not None else None,
            sentence.unlabelled,
            sentence.weight,
            _context(self.pt0, sentence.pt0, len(forms), "PT0", "features.pt0"),
            positions,
        )

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
        tokens = np.zeros((n, width + 2 * margin), np.int64)
        for i, s in enumerate(sentences):
            tokens[i, margin : margin + len(s.forms)] = s.forms
        tags, pairs = _targets(sentences, width)
        distinct, tokens = np.unique(tokens, return_inverse=True)  # 0, padding, comes first
        if margin == 0 and distinct[0] != 0:
            distinct, tokens = np.concatenate([[0], distinct]), tokens + 1
        return Batch(
            self._forms(distinct, random, rare),
            self._tensor(tokens.reshape(n, width + 2 * margin)),
            self._padded(sentences, "pos", width),
            self._padded(sentences, "gazetteer", width),
            self._tensor(lengths),
            self._tensor(tags),
            self._allowed(task, sentences, tags) if any(s.unlabelled for s in sentences) else None,
            self._padded(sentences, "pt0", width),
            None if pairs is None else self._tensor(pairs),
        )

    def _tensor(self, array: NDArray[np.generic]) -> torch.Tensor:
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

    def _padded(self, sentences: Sequence[Encoded], name: str, width: int) -> torch.Tensor | None:
        first = getattr(sentences[0], name)
        if first is None:
            return None
        margin = self.margin
        made = np.zeros((len(sentences), width + 2 * margin, *first.shape[1:]), np.int64)
        for i, sentence in enumerate(sentences):
            made[i, margin : margin + len(sentence.forms)] = getattr(sentence, name)
        return self._tensor(made)

    def _allowed(
        self, task: str, sentences: Sequence[Encoded], tags: NDArray[np.int64]
    ) -> torch.Tensor:
        """Where a type was not annotated, O may stand for any of its tags."""
        rows = self.tags[task]
        allowed = np.zeros((*tags.shape, len(rows)), np.bool_)
        np.put_along_axis(allowed, tags[:, :, None], True, axis=2)
        for i, sentence in enumerate(sentences):
            hidden = [row for tag, row in rows.items() if tag[2:] in sentence.unlabelled and row]
            outside = np.flatnonzero(tags[i] == rows["O"])
            allowed[i, outside[:, None], hidden] = True
        return self._tensor(allowed)


def _context(
    vocabulary: Vocabulary | None, tags: list[str] | None, n: int, name: str, where: str
) -> NDArray[np.int32] | None:
    """Rows of the tags that serve as a feature."""
    if vocabulary is None:
        return None
    if len(tags or ()) != n:
        raise SennaError(f"a sentence has no {name} column", where=where)
    get = vocabulary.rows.get
    return np.array([get(tag, 1) for tag in tags or ()], np.int32)


def _targets(
    sentences: Sequence[Encoded], width: int
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Padded tags, and for roles the sentence and place of the predicate of each row of them."""
    if sentences[0].positions is None:
        tags = np.zeros((len(sentences), width), np.int64)
        for i, s in enumerate(sentences):
            tags[i, : len(s.tags)] = s.tags
        return tags, None
    rows = [(i, k) for i, s in enumerate(sentences) for k in range(len(s.tags))]
    tags = np.zeros((len(rows), width), np.int64)
    pairs = np.zeros((len(rows), 2), np.int64)
    for number, (i, k) in enumerate(rows):
        own = sentences[i]
        assert own.positions is not None
        tags[number, : own.tags.shape[1]] = own.tags[k]
        pairs[number] = i, own.positions[k]
    return tags, pairs


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
