"""From corpora to sentences and vocabularies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from senna import corpora
from senna.config import DataConfig, Source
from senna.errors import SennaError
from senna.files import open_text
from senna.tasks import TASKS
from senna.text import columns, pt0, roles, schemes
from senna.text.features import Vocabulary
from senna.text.roles import Predicate

ROLE_TASKS = ("predicates", "srl")  # they learn from files of roles, the others from columns


@dataclass(frozen=True)
class Sentence:
    """One annotated sentence; tags are IOBES (or plain, as for parts of speech).

    For roles, `tags` is empty and each of the `predicates` has its own.
    """

    forms: list[str]
    tags: list[str]
    pos: list[str] | None = None
    opens_document: bool = False
    unlabelled: tuple[str, ...] = ()
    weight: float = 1.0
    pt0: list[str] | None = None
    predicates: list[Predicate] = field(default_factory=list)


# --------------------------------------------------------------------------- reading


def read_sources(
    sources: Sequence[Source], split: str, task: str, own: DataConfig, data_dir: Path | None
) -> list[Sentence]:
    """Read and join the sources of one list ("train", "dev" or "test") of a task."""
    return [s for source in sources for s in read_source(source, split, task, own, data_dir)]


def read_source(
    source: Source, split: str, task: str, own: DataConfig, data_dir: Path | None
) -> list[Sentence]:
    """Read one source; tags of phrases come out as IOBES, whatever the file has.

    Of `own`, the task's data, only what is said of all its sources is looked at.
    """
    path = locate(source, split, data_dir)
    if task in ROLE_TASKS:
        found = _read_roles(path, source, task, own.kinds)
    else:
        found = _read_tags(path, source, task, own.merge_to)
    return _chosen(found, source.sentences, str(path)) if source.sentences else found


def _read_tags(path: Path, source: Source, task: str, merge_to: bool) -> list[Sentence]:
    """One tag a word."""
    with open_text(path) as lines:
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
    if TASKS[task].output != "tags":
        tags = _as_iobes(tags, str(path))
    if task == "pt0":
        tags = list(map(pt0.regular, tags))
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


def _read_roles(path: Path, source: Source, task: str, kinds: Sequence[str]) -> list[Sentence]:
    """Predicates of some kinds: their roles, or only which words they are."""
    made = []
    with open_text(path) as lines:
        for found in roles.read_roles(lines, name=str(path), names=source.columns):
            own = found.of_kinds(kinds)
            finder = task == "predicates"
            made.append(
                Sentence(
                    found.forms,
                    roles.marks_of(len(found.forms), own) if finder else [],
                    found.pos,
                    weight=source.weight,
                    pt0=pt0.regular(found.pt0) if found.pt0 is not None else None,
                    predicates=[] if finder else own,
                )
            )
    if not made:
        raise SennaError("no sentences in it", where=str(path))
    return made


def _chosen(sentences: list[Sentence], ranges: str, where: str) -> list[Sentence]:
    """The sentences of ranges as "1-200,300-"; numbers count from 1, both ends included."""
    made: list[Sentence] = []
    for part in ranges.split(","):
        first, dash, last = (cell.strip() for cell in part.partition("-"))
        try:
            start = int(first)
            end = (int(last) if last else len(sentences)) if dash else start
        except ValueError:
            start = end = 0
        if not 1 <= start <= end <= len(sentences):
            what = f"sentences {part.strip()!r}, but it has 1-{len(sentences)}"
            raise SennaError(what, where=where, mend="Ranges are as 1-200,300-.")
        made += sentences[start - 1 : end]
    return made


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
    seen |= {tag for s in sentences for predicate in s.predicates for tag in predicate.tags}
    if TASKS[task].output == "tags":
        return sorted(seen)
    if task == "predicates":
        return sorted({"O", "S-V", *seen})  # all of them are of one word
    types = sorted({tag[2:] for tag in seen if tag != "O"})
    return ["O", *(f"{prefix}-{kind}" for kind in types for prefix in "BIES")]


def count_forms(sentences: Sequence[Sentence]) -> Counter[str]:
    """How often each word form occurs."""
    return Counter(form for sentence in sentences for form in sentence.forms)


def pos_vocabulary(sentences: Sequence[Sentence]) -> Vocabulary:
    """The part-of-speech tags that the sentences carry."""
    return Vocabulary.of(sorted({tag for s in sentences for tag in s.pos or ()}))


def pt0_vocabulary(sentences: Sequence[Sentence]) -> Vocabulary:
    """The PT0 tags that the sentences carry."""
    return Vocabulary.of(sorted({tag for s in sentences for tag in s.pt0 or ()}))
