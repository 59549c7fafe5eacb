"""From corpora to sentences and vocabularies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from senna import corpora
from senna.config import DataConfig, Source
from senna.errors import SennaError
from senna.files import open_text
from senna.tasks import TAGGING, TASKS
from senna.text import columns, pt0, roles, schemes
from senna.text.constituents import NONE, brackets
from senna.text.features import Vocabulary
from senna.text.schemes import Phrase
from senna.text.trees import TRACE, cleaned, read_tree_lines
from senna.text.views import labels_of

LARGEST = 500  # words of a tree: learning from it takes time with the cube of them


@dataclass(frozen=True)
class Example:
    """One annotated sentence of a task.

    `gold` is what the task's reader makes of it: a tag a word, IOBES or plain, for roles a
    `senna.text.roles.Predicate` for each predicate, or a tree.
    """

    forms: list[str]
    gold: Any
    tags: dict[str, list[str]] = field(default_factory=dict)  # of other tasks: features
    unlabelled: tuple[str, ...] = ()
    weight: float = 1.0
    tree: tuple[Phrase, ...] = ()  # constituents, each before its parts: a feature


def rows_of(task: str, example: Example) -> list[list[str]]:
    """The rows of tags to learn from: one, for roles one for each predicate, for trees none."""
    head = TASKS[task].head
    if head == "roles":
        return [predicate.tags for predicate in example.gold]
    return [example.gold] if head == "tags" else []


# --------------------------------------------------------------------------- reading


def read_sources(
    sources: Sequence[Source], split: str, task: str, own: DataConfig, data_dir: Path | None
) -> list[Example]:
    """Read and join the sources of one list ("train", "dev" or "test") of a task."""
    return [s for source in sources for s in read_source(source, split, task, own, data_dir)]


def read_source(
    source: Source, split: str, task: str, own: DataConfig, data_dir: Path | None
) -> list[Example]:
    """Read one source; tags of phrases come out as IOBES, whatever the file has.

    Of `own`, the task's data, only what is said of all its sources is looked at.
    """
    path = locate(source, split, data_dir)
    found = GOLD[TASKS[task].gold](path, source, task, own)
    if not found:
        raise SennaError("no sentences in it", where=str(path))
    return _chosen(found, source.sentences, str(path)) if source.sentences else found


def _read_columns(path: Path, source: Source, task: str, own: DataConfig) -> list[Example]:
    """One tag a word."""
    with open_text(path) as lines:
        blocks = list(columns.read_columns(lines, name=str(path)))
    if not blocks:
        return []
    n = len(blocks[0].rows[0])
    places = _places(source, n, str(path))
    for block in blocks:
        if len(block.rows[0]) != n:
            what = f"{len(block.rows[0])} columns, expected {n} as in the first sentence"
            raise SennaError(what, where=f"{path}:{block.line}")
    gold = [[row[places["tag"]] for row in block.rows] for block in blocks]
    if TASKS[task].output != "tags":
        gold = _as_iobes(gold, str(path))
    made = []
    for block, tags in zip(blocks, gold, strict=True):
        forms = [row[places["word"]] for row in block.rows]
        tags = schemes.merge_to(forms, tags) if own.merge_to else tags
        given = {name: [row[i] for row in block.rows] for name, i in places.items()}
        made.append(Example(forms, tags, _features(given), source.unlabelled, source.weight))
    return made


def _read_segments(path: Path, source: Source, task: str, own: DataConfig) -> list[Example]:
    """Segments of trees, without those that are none of PT0's types."""
    found = _read_columns(path, source, task, own)
    return [replace(example, gold=pt0.regular(example.gold)) for example in found]


def _read_roles(path: Path, source: Source, task: str, own: DataConfig) -> list[Example]:
    """Predicates of some kinds, and their roles."""
    made = []
    with open_text(path) as lines:
        for found in roles.read_roles(lines, name=str(path), names=source.columns):
            tags = _features({"pos": found.pos, "pt0": found.pt0})
            gold = found.of_kinds(own.kinds)
            made.append(Example(found.forms, gold, tags, weight=source.weight))
    return made


def _read_predicates(path: Path, source: Source, task: str, own: DataConfig) -> list[Example]:
    """Which words are predicates of some kinds."""
    found = _read_roles(path, source, task, own)
    return [replace(e, gold=roles.marks_of(len(e.forms), e.gold)) for e in found]


def _read_trees(path: Path, source: Source, task: str, own: DataConfig) -> list[Example]:
    """Bracketed trees, one or several on a line or over lines; traces and functions go."""
    if source.columns:
        raise SennaError("trees have no columns to be named", where=str(path))
    made = []
    with open_text(path) as lines:
        for line, read in read_tree_lines(lines, str(path)):
            tree = cleaned(read, {TRACE})
            if tree is None:
                continue
            leaves = tree.leaves()
            if len(leaves) > LARGEST:
                what = f"a tree of {len(leaves)} words, at most {LARGEST} can be learnt from"
                raise SennaError(what, where=f"{path}:{line}")
            tags = {"pos": [leaf.label for leaf in leaves]}
            forms = [str(leaf.word) for leaf in leaves]
            made.append(Example(forms, tree, tags, weight=source.weight))
    return made


GOLD: dict[str, Callable[[Path, Source, str, DataConfig], list[Example]]] = {  # by `Task.gold`
    "columns": _read_columns,
    "segments": _read_segments,
    "predicates": _read_predicates,
    "roles": _read_roles,
    "trees": _read_trees,
}


def _features(given: Mapping[str, list[str] | None]) -> dict[str, list[str]]:
    """The columns that are tags of a task, as our own models of it would have them."""
    tags = {name: own for name, own in given.items() if own is not None and name in TAGGING}
    segments = {name for name in tags if TASKS[name].gold == "segments"}
    return tags | {name: pt0.regular(tags[name]) for name in segments}


def _chosen(sentences: list[Example], ranges: str, where: str) -> list[Example]:
    """The sentences of ranges as "1-200,300-"; numbers count from 1, both ends included."""
    made: list[Example] = []
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
    name = Path(source.corpus).name if Path(source.corpus).is_absolute() else source.corpus
    return name.encode("utf-8", "replace").decode("utf-8")  # names of files need not be UTF-8


def locate(source: Source, split: str, data_dir: Path | None) -> Path:
    """The file of a source: the user's own, or a split of a corpus of the catalogue."""
    own = Path(source.corpus)
    if own.is_file():
        return own
    folder = corpora.find(source.corpus, data_dir)
    name = source.split or split
    for candidate in (
        f"{name}.xz",
        f"{name}.txt",
        f"{name}.txt.xz",
        f"{name}.gz",
        f"{name}.mrg.xz",
    ):
        if (folder / candidate).is_file():
            return folder / candidate
    raise SennaError(f"no split {name!r} in it", where=str(folder))


def _places(source: Source, n: int, where: str) -> dict[str, int]:
    """Which of n columns has what, by name: word, tag, and what may be a feature."""
    if n < 2:
        what = "1 column, expected a word and its tag at least"
        raise SennaError(what, where=where)
    if not source.columns:
        return {"word": 0, **({"pos": 1} if n > 2 else {}), "tag": n - 1}
    names = [name.strip() for name in source.columns.split(",")]
    if "word" not in names or "tag" not in names or len(names) > n:
        raise SennaError(
            f"columns {source.columns!r} do not fit {n} columns",
            where=where,
            mend="Name them in order, as word,pos,-,tag.",
        )
    return {name: names.index(name) for name in names}


def split_dev(data: DataConfig, train: list[Example]) -> tuple[list[Example], list[Example]]:
    """The last `dev_share` of the training sentences as dev set, where there is no other."""
    n = round(len(train) * data.dev_share)
    return (train[:-n], train[-n:]) if n else (train, [])


# --------------------------------------------------------------------------- vocabularies


def tag_vocabulary(task: str, examples: Sequence[Example]) -> list[str]:
    """All tags of a task: those seen, and for phrases O and all four IOBES tags of each type."""
    if TASKS[task].head == "trees":
        labels = {own.label for example in examples for own in brackets(example.gold)}
        return [NONE, *sorted(labels - {NONE})]
    seen = {tag for example in examples for row in rows_of(task, example) for tag in row}
    if TASKS[task].output == "tags":
        return sorted(seen)
    if TASKS[task].gold == "predicates":
        return sorted({"O", "S-V", *seen})  # all of them are of one word
    types = sorted({tag[2:] for tag in seen if tag != "O"})
    return ["O", *(f"{prefix}-{kind}" for kind in types for prefix in "BIES")]


def count_forms(examples: Sequence[Example]) -> Counter[str]:
    """How often each word form occurs."""
    return Counter(form for example in examples for form in example.forms)


def tree_labels(examples: Sequence[Example]) -> list[str]:
    """The labels of the constituents that the examples carry as a feature."""
    return sorted({label for example in examples for label in labels_of(example.tree)})


def feature_vocabulary(name: str, examples: Sequence[Example]) -> Vocabulary:
    """The tags of a task that the examples carry as a feature."""
    return Vocabulary.of(sorted({tag for s in examples for tag in s.tags.get(name, ())}))
