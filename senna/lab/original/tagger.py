"""Features of words as the original has them, and sentences tagged by its networks, each of which
is loaded when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from senna.extras.classic.lines import (
    ORIGINAL_TASKS,
    FatalError,
    Found,
    Options,
    VerbTags,
    Word,
    byte_places,
    bytes_of,
    spaced,
    text_of,
)
from senna.lab.original.networks import (
    Folder,
    Ints,
    ParseNetwork,
    RolesNetwork,
    Weights,
    WindowNetwork,
    cells,
)
from senna.lazy import cached_property

_NUMBER = re.compile(r"[+-]?[.,]?[0-9]+(?:[.,][0-9]+)*")
_CHUNK = re.compile(r"[^ \t\n\v\f\r\0]+")
# Letters and digits; beyond ASCII the original dropped bytes, and broke words there.
_RUN = re.compile(r"(?:[^\W_]|[\u0300-\u036f\udc80-\udcff])+")


class Tokenizer:
    """Cuts lines by the keys of a dictionary, which are normalised and in lower case."""

    def __init__(self, dictionary: Collection[str]) -> None:
        self._dictionary = dictionary
        self._longest = max(map(len, dictionary))
        self._cuts = lru_cache(1 << 15)(self._cut)

    def __call__(self, line: bytes) -> tuple[list[Word], list[str]]:
        """The words of a line, and the characters that are in none."""
        raw = text_of(line)
        normal, places = _with_places(raw)
        at = byte_places(raw)
        words, skipped = [], []
        for chunk in _CHUNK.finditer(normal):
            for start, end in self._cuts(chunk[0]):
                if start == end:
                    skipped.append(chunk[0][start])
                    continue
                first, last = places[chunk.start() + start], places[chunk.start() + end]
                words.append(Word(raw[first:last], at[first], at[last]))
        return words, skipped

    def _cut(self, chunk: str) -> list[tuple[int, int]]:
        """Start and end of the words of a normalised chunk; of what no word takes, its start twice.

        A word is the longest key that starts there, or a longer run of letters and digits.
        """
        small = lowered(chunk)
        cuts, start = [], 0
        while start < len(chunk):
            run = _RUN.match(chunk, start)
            length = run.end() - start if run else 0
            for longer in range(min(self._longest, len(chunk) - start), length, -1):
                if small[start : start + longer] in self._dictionary:
                    length = longer
                    break
            if not (length or chunk[start].isascii()):
                length = 1
            cuts.append((start, start + length))
            start += max(length, 1)
        return cuts


def normalised(word: str) -> str:
    """A word with 0 for each number in it."""
    return _NUMBER.sub("0", word)


def lowered(text: str) -> str:
    """Text with its ASCII letters in lower case."""
    return text.lower() if text.isascii() else text_of(bytes_of(text).lower())


def _with_places(raw: str) -> tuple[str, list[int]]:
    """A line with 0 for each number; where each of its characters, and its end, stand in it."""
    edges = [0, *(edge for match in _NUMBER.finditer(raw) for edge in match.span()), len(raw)]
    parts: list[str] = []
    places: list[int] = []
    for i, (start, end) in enumerate(pairwise(edges)):
        parts.append("0" if i % 2 else raw[start:end])
        places += [start] if i % 2 else range(start, end)
    return "".join(parts), [*places, len(raw)]


NAMES = ("ner.loc", "ner.msc", "ner.org", "ner.per")  # lists of phrases, with marks beside them
_CAPS = ("allcaps", "hascap", "initcap", "nocaps")
_UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")


class Features:
    """Numbers of words in the lists of a data folder; each list is loaded when it is needed."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._words = folder.keys("words", "UNKNOWN")

    def words(self, forms: Iterable[str]) -> Ints:
        """Numbers of words, (n_words,)."""
        get, unknown = self._words.get, self._words["UNKNOWN"]
        return np.array([get(lowered(normalised(form)), unknown) for form in forms], np.int64)

    def caps(self, forms: Iterable[str]) -> Ints:
        """Numbers of how words are capitalised, (n_words,)."""
        keys = self._folder.keys("caps", *_CAPS)
        return np.array([keys[_caps(normalised(form))] for form in forms], np.int64)

    def suffixes(self, forms: Iterable[str]) -> Ints:
        """Numbers of the last two bytes of words, (n_words,)."""
        keys = self._folder.keys("suffix", "NOSUFFIX")
        ends = (text_of(bytes_of(normalised(form))[-2:].lower()) for form in forms)
        return np.array([keys.get(end, keys["NOSUFFIX"]) for end in ends], np.int64)

    def names(self, sentences: Sequence[Sequence[str]]) -> list[Ints]:
        """For each list of names whether words are in one of its phrases, (n_words,)."""
        keys = self._folder.keys("gazetteer", "NO", "YES")
        marks = np.array([keys["NO"], keys["YES"]])
        return [
            marks[
                np.array([inside for forms in sentences for inside in _inside(forms, phrases)], int)
            ]
            for phrases in self._phrases
        ]

    @cached_property
    def _phrases(self) -> list[dict[str, bool]]:
        return [self._folder.phrases(name) for name in NAMES]


def _caps(form: str) -> str:
    has_upper = not _UPPER.isdisjoint(form)
    if has_upper and _LOWER.isdisjoint(form):
        return "allcaps"
    if form[0] in _UPPER:
        return "initcap"
    return "hascap" if has_upper else "nocaps"


def _inside(forms: Sequence[str], phrases: dict[str, bool]) -> list[bool]:
    """Whether each word is in a phrase; phrases may overlap."""
    marks = [False] * len(forms)
    small = [lowered(form) for form in forms]
    for start in range(len(small)):
        for end in range(start + 1, len(small) + 1):
            whole = phrases.get(" ".join(small[start:end]))
            if whole is None:
                break
            if whole:
                marks[start:end] = [True] * (end - start)
    return marks


# The lists in the order in which the original loads them; those of names have marks beside them.
SEARCHED = ("words", "caps", "suffix", "gazetteer")
LABELS = ("pos", "chk", "pt0", "ner", "vbs", "srl", "psg-left", "psg-right")

_NETWORKS: dict[str, Callable[[Weights], Any]] = {
    "pos": lambda file: WindowNetwork(file, 3),
    "chk": lambda file: WindowNetwork(file, 3),
    "pt0": lambda file: WindowNetwork(file, 3),
    "ner": lambda file: WindowNetwork(file, 6),
    "vbs": lambda file: WindowNetwork(file, 3, paths=False),
    "srl": RolesNetwork,
    "psg": ParseNetwork,
}


class Models:
    """Networks, and the labels of their classes."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._loaded: dict[str, Any] = {}

    def network(self, task: str) -> Any:
        """The network of a task."""
        if task not in self._loaded:
            self._loaded[task] = _NETWORKS[task](self._folder.weights(task))
        return self._loaded[task]

    def labels(self, name: str) -> list[str]:
        """The labels of a network's classes; of psg its `psg-left` and `psg-right`."""
        labels = self._folder.entries(name)
        if self.network(name.partition("-")[0]).n_classes > len(labels):
            raise FatalError("hash index out of bounds")
        return labels

    def inventory(self) -> Iterator[str]:
        """Load everything, in the original's order, and report the sizes of the networks."""
        for name in (*SEARCHED, *NAMES, *LABELS):
            self._folder.entries(name)
        for task in _NETWORKS:
            self.network(task)
        for task in _NETWORKS:
            yield from _sizes(task, self.network(task))
        yield "ready"


_TABLES = {
    "pos": ("word", "caps", "suffix"),
    "ner": ("word", "caps", "loc", "misc", "other", "loc"),
    "srl": ("word", "caps", "verb position", "word position"),
    "psg": ("word", "caps", "pos", "psg"),
}


def _sizes(task: str, network: Any) -> Iterator[str]:
    tables = list(network.input.tables)
    if task == "srl":
        tables[2:] = network.to_verb, network.to_word
        window = f"window size: {network.size}"
        hidden = [
            f" (convolution): {len(network.bias)}",
            f" (hidden layer): {len(network.hidden.bias)}",
        ]
    elif task == "psg":
        window = f"max window size: {len(network.by_distance)}"
        hidden = [f": {len(network.first.bias)} [1]", f": {len(network.hidden.bias)} [2]"]
    else:
        tables[5:] = tables[2:3] * (task == "ner")  # the original tells of its first list twice
        window = f"window size: {network.size}"
        hidden = [f": {len(network.first.bias)}"]
    yield f"{task}: {window}"
    for name, table in zip(_TABLES.get(task, ("word", "caps", "pos")), tables, strict=True):
        yield f"{task}: vector size in {name} lookup table: {table.shape[1]}"
        yield f"{task}: {name} lookup table size: {len(table)}"
    for units in hidden:
        yield f"{task}: number of hidden units{units}"
    yield f"{task}: number of classes: {network.n_classes}"


NO_VERB, NO_VERB_CLASS = "NOVB", 22  # the class stands for the label where the list has none


class Original:
    """A data folder of the original; what no task needs is not loaded.

    `say` gets a line for each part that is loaded, `warn` the characters that are left out.
    """

    exact = True

    def __init__(
        self, path: str, options: Options, say: Callable[[str], None], warn: Callable[[str], None]
    ) -> None:
        self.tasks = options.tasks or ORIGINAL_TASKS
        self._options, self._warn = options, warn
        self._folder = Folder(path, say)
        self._features = Features(self._folder)
        self._models = Models(self._folder)
        if options.verbose:
            for line in self._models.inventory():
                say(line)

    def words(self, line: bytes) -> list[Word]:
        """The words of a line."""
        if self._options.user_tokens:
            return spaced(line)
        words, skipped = self._tokenizer(line)
        for character in skipped:
            self._warn(f"skipping a char ({character})")
        return words

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer(self._folder.keys("words"))

    def tag(
        self, sentences: Sequence[Sequence[Word]], verbs: Sequence[Sequence[int]] | None
    ) -> list[Found]:
        """The answers of the tasks for sentences; `verbs` are theirs, or None to find them."""
        answers: list[Found] = [{} for _ in sentences]
        # Weights of a damaged file may be too large.
        with np.errstate(over="ignore", invalid="ignore"):
            if sentences:
                self._tag(sentences, verbs, answers)
        return answers

    def _tag(
        self,
        sentences: Sequence[Sequence[Word]],
        verbs: Sequence[Sequence[int]] | None,
        answers: list[Found],
    ) -> None:
        forms = [[word.text for word in sentence] for sentence in sentences]
        lengths = np.array(list(map(len, forms)))
        flat = [form for sentence in forms for form in sentence]
        features = [self._features.words(flat), self._features.caps(flat)]
        if "ner" in self.tasks:
            self._add("ner", [*features, *self._features.names(forms)], lengths, answers)
        if set(self.tasks) == {"ner"}:
            return
        features.append(
            self._add("pos", [*features, self._features.suffixes(flat)], lengths, answers)
        )
        if "chk" in self.tasks:
            self._add("chk", features, lengths, answers)
        edges = np.concatenate([[0], np.cumsum(lengths)]).tolist()
        parts = [slice(*pair) for pair in pairwise(edges)]
        if "srl" in self.tasks:
            self._add_roles(features, lengths, parts, verbs, answers)
        if "psg" in self.tasks:
            left, right = (self._models.labels(f"psg-{side}") for side in ("left", "right"))
            for answer, part in zip(answers, parts, strict=True):
                levels = self._models.network("psg")([feature[part] for feature in features])
                answer["psg"] = cells(levels, left, right)

    def _add(
        self, task: str, features: Sequence[Ints], lengths: Ints, answers: list[Found]
    ) -> Ints:
        """The classes of all words, (n_words,); their labels are added to what is found."""
        classes: Ints = self._models.network(task)(features, lengths)
        labels = self._models.labels(task)
        if task in self.tasks:
            numbers = iter(classes.tolist())
            for answer, length in zip(answers, lengths.tolist(), strict=True):
                answer[task] = [labels[next(numbers)] for _ in range(length)]
        return classes

    def _add_roles(
        self,
        features: Sequence[Ints],
        lengths: Ints,
        parts: Sequence[slice],
        verbs: Sequence[Sequence[int]] | None,
        answers: list[Found],
    ) -> None:
        """Roles; features are word, capitals and part of speech."""
        models = self._models
        labels = models.labels("srl")
        pt0 = models.network("pt0")(features, lengths)
        if verbs is None:
            verbal = self._verbal(features, lengths)
            verbs = [np.flatnonzero(verbal[part]).tolist() for part in parts]
        for answer, part, places in zip(answers, parts, verbs, strict=True):
            inner = [feature[part] for feature in (*features[:2], pt0)]
            rows = models.network("srl")(inner, places)
            answer["srl"] = VerbTags(places, [[labels[c] for c in row.tolist()] for row in rows])

    def _verbal(self, features: Sequence[Ints], lengths: Ints) -> Ints:
        """Whether words are verbs, (n_words,)."""
        if self._options.pos_verbs:
            labels = self._models.labels("pos")
            return np.array([label.startswith("V") for label in labels])[features[2]]
        labels = self._models.labels("vbs")
        none = labels.index(NO_VERB) if NO_VERB in labels else NO_VERB_CLASS
        return np.asarray(self._models.network("vbs")(features, lengths) != none)
