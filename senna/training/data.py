"""From corpora to batches: reading, vocabularies, ids, shuffled and bucketed batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from senna import corpora
from senna.config import DataConfig, Source
from senna.errors import SennaError
from senna.text import columns, schemes
from senna.text.features import PADDING_FORM, RARE, FormFeatures, FormIds, Vocabulary
from senna.text.gazetteer import Gazetteer
from senna.text.iobes import PLAIN_TASKS
from senna.training.networks import Batch, FormTensors


@dataclass(frozen=True)
class Sentence:
    """One annotated sentence; tags are IOBES (or plain, as for parts of speech)."""

    forms: list[str]
    tags: list[str]
    pos: list[str] | None = None
    opens_document: bool = False
    unlabelled: tuple[str, ...] = ()
    weight: float = 1.0


# --------------------------------------------------------------------------- reading


def read_sources(
    sources: Sequence[Source], split: str, task: str, merge_to: bool, data_dir: Path | None
) -> list[Sentence]:
    """Read and join the sources of one list ("train", "dev" or "test") of a task."""
    return [s for source in sources for s in read_source(source, split, task, merge_to, data_dir)]


def read_source(
    source: Source, split: str, task: str, merge_to: bool, data_dir: Path | None
) -> list[Sentence]:
    """Read one source; tags of phrases come out as IOBES, whatever the file has."""
    path = locate(source, split, data_dir)
    with columns.open_text(path) as lines:
        blocks = list(columns.read_columns(lines, name=str(path)))
    if not blocks:
        raise SennaError("no sentences in it", where=str(path))
    n = len(blocks[0].rows[0])
    word, tag, pos = _column_numbers(source, n, str(path))
    for block in blocks:
        if len(block.rows[0]) != n:
            what = f"{len(block.rows[0])} columns, expected {n} as in the first sentence"
            raise SennaError(what, where=f"{path}:{block.line}")
    tags = [[row[tag] for row in block.rows] for block in blocks]
    if task not in PLAIN_TASKS:
        tags = _as_iobes(tags, str(path))
    sentences = []
    for block, sentence_tags in zip(blocks, tags, strict=True):
        forms = [row[word] for row in block.rows]
        if merge_to:
            sentence_tags = schemes.merge_to(forms, sentence_tags)
        given = [row[pos] for row in block.rows] if pos is not None else None
        sentences.append(
            Sentence(
                forms, sentence_tags, given, block.opens_document, source.unlabelled, source.weight
            )
        )
    return sentences


def _as_iobes(tags: list[list[str]], where: str) -> list[list[str]]:
    try:
        scheme = schemes.detect(tags)
        return [schemes.convert(row, scheme, "iobes") for row in tags]
    except SennaError as error:
        raise SennaError(error.what, where=where, mend=error.mend) from None


def label(source: Source) -> str:
    """The name of a source in cards and logs; of a file, not where on this machine it lies."""
    return Path(source.corpus).name if Path(source.corpus).is_absolute() else source.corpus


def locate(source: Source, split: str, data_dir: Path | None) -> Path:
    """The file of a source: the user's own, or a split of a corpus of the catalogue."""
    own = Path(source.corpus)
    if own.is_file():
        return own
    folder = corpora.find(source.corpus, data_dir)
    name = source.split or split
    for candidate in (f"{name}.xz", f"{name}.txt", f"{name}.txt.xz", f"{name}.gz"):
        if (folder / candidate).is_file():
            return folder / candidate
    raise SennaError(f"no split {name!r} in it", where=str(folder))


def _column_numbers(source: Source, n: int, where: str) -> tuple[int, int, int | None]:
    """Numbers of the word, tag and (or None) part-of-speech columns."""
    if n < 2:
        what = "1 column, expected a word and its tag at least"
        raise SennaError(what, where=where)
    if not source.columns:
        return 0, n - 1, 1 if n >= 3 else None
    names = [name.strip() for name in source.columns.split(",")]
    if "word" not in names or "tag" not in names or len(names) > n:
        raise SennaError(
            f"columns {source.columns!r} do not fit {n} columns",
            where=where,
            mend="Name them in order, as word,pos,-,tag.",
        )
    pos = names.index("pos") if "pos" in names else None
    return names.index("word"), names.index("tag"), pos


def split_dev(data: DataConfig, train: list[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """The last `dev_share` of the training sentences as dev set, where there is no other."""
    n = round(len(train) * data.dev_share)
    return (train[:-n], train[-n:]) if n else (train, [])


# --------------------------------------------------------------------------- vocabularies


def tag_vocabulary(task: str, sentences: Sequence[Sentence]) -> list[str]:
    """All tags of a task: those seen, and for phrases O and all four IOBES tags of each type."""
    seen = {tag for sentence in sentences for tag in sentence.tags}
    if task in PLAIN_TASKS:
        return sorted(seen)
    types = sorted({tag[2:] for tag in seen if tag != "O"})
    return ["O", *(f"{prefix}-{kind}" for kind in types for prefix in "BIES")]


def count_forms(sentences: Sequence[Sentence]) -> Counter[str]:
    """How often each word form occurs."""
    return Counter(form for sentence in sentences for form in sentence.forms)


def pos_vocabulary(sentences: Sequence[Sentence]) -> Vocabulary:
    """The part-of-speech tags that the sentences carry."""
    return Vocabulary.of(sorted({tag for s in sentences for tag in s.pos or ()}))


# --------------------------------------------------------------------------- ids


@dataclass(frozen=True)
class Encoded:
    """One sentence as ids; forms index the encoder's list of distinct forms."""

    forms: NDArray[np.int32]
    tags: NDArray[np.int64]
    pos: NDArray[np.int32] | None
    gazetteer: NDArray[np.int32] | None
    unlabelled: tuple[str, ...]
    weight: float


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
    ) -> None:
        self.features, self.pos, self.gazetteer = features, pos, gazetteer
        self.tags = {task: {tag: i for i, tag in enumerate(names)} for task, names in tags.items()}
        self.margin, self.device = margin, device
        self.rows: dict[str, int] = {PADDING_FORM: 0}
        self.hidden: NDArray[np.bool_] = np.zeros(0, np.bool_)  # forms that may turn RARE
        self.rare_row = 1
        self.ids = features.ids([PADDING_FORM])

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
        pos = None
        if self.pos is not None:
            get = self.pos.rows.get
            pos = np.array([get(tag, 1) for tag in sentence.pos or ()], np.int32)
            if len(pos) != len(forms):
                raise SennaError("a sentence has no part-of-speech column", where="features.pos")
        return Encoded(
            np.array(forms, np.int32),
            np.array([tags.get(tag, -1) for tag in sentence.tags], np.int64),
            pos,
            self.gazetteer.mark(sentence.forms) if self.gazetteer is not None else None,
            sentence.unlabelled,
            sentence.weight,
        )

    def use_rows(self, word_rows: NDArray[np.int32]) -> None:
        """From here on word ids are rows of the network's own table (see `Inputs`)."""
        self.ids = replace(self.ids, words=word_rows[self.ids.words])
        self.rare_row = int(word_rows[RARE])

    def hide(self, forms: Iterable[str]) -> None:
        """Forms whose word training may replace by RARE, so that RARE learns something."""
        self.hidden = np.zeros(len(self.rows), np.bool_)
        self.hidden[[self.rows[form] for form in forms]] = True

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
        tags = np.zeros((n, width), np.int64)
        for i, s in enumerate(sentences):
            tokens[i, margin : margin + len(s.forms)] = s.forms
            tags[i, : len(s.tags)] = s.tags
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
