"""Features of words as the original has them, and sentences tagged by its networks, each of which
is loaded when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from senna.extras.classic.program import (
    ORIGINAL_TASKS,
    Found,
    Options,
    VerbTags,
    Word,
    byte_places,
    bytes_of,
    spaced,
    text_of,
)
from senna.lab.original.networks import LISTS, NETWORKS, Folder, Ints, cells
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


_CAPS = ("allcaps", "hascap", "initcap", "nocaps")
_UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")


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
        self._numbers = self._folder.keys("words", "UNKNOWN")
        if options.verbose:
            for name in (*LISTS, "psg-left", "psg-right"):
                self._folder.entries(name)
            networks = {task: self._folder.network(task) for task in NETWORKS}
            for task, network in networks.items():
                for line in _sizes(task, network):
                    say(line)
            say("ready")

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
        return Tokenizer(self._numbers)

    @cached_property
    def _names(self) -> list[dict[str, bool]]:
        return list(self._folder.phrases())

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
        folder = self._folder
        forms = [[word.text for word in sentence] for sentence in sentences]
        lengths = np.array(list(map(len, forms)))
        flat = [form for sentence in forms for form in sentence]
        get, unknown = self._numbers.get, self._numbers["UNKNOWN"]
        plain = list(map(normalised, flat))  # of numbers
        caps = folder.keys("caps", *_CAPS)
        features = [
            np.array([get(lowered(form), unknown) for form in plain], np.int64),
            np.array([caps[_caps(form)] for form in plain], np.int64),
        ]
        if "ner" in self.tasks:
            keys = folder.keys("gazetteer", "NO", "YES")
            inside = [[m for own in forms for m in _inside(own, names)] for names in self._names]
            lists = [np.where(marks, keys["YES"], keys["NO"]) for marks in inside]
            self._add("ner", [*features, *lists], lengths, answers)
        if set(self.tasks) == {"ner"}:
            return
        keys = folder.keys("suffix", "NOSUFFIX")
        ends = (text_of(bytes_of(form)[-2:].lower()) for form in plain)  # the last two bytes
        suffixes = np.array([keys.get(end, keys["NOSUFFIX"]) for end in ends], np.int64)
        features.append(self._add("pos", [*features, suffixes], lengths, answers))
        if "chk" in self.tasks:
            self._add("chk", features, lengths, answers)
        edges = np.concatenate([[0], np.cumsum(lengths)]).tolist()
        parts = [slice(*pair) for pair in pairwise(edges)]
        if "srl" in self.tasks:
            self._add_roles(features, lengths, parts, verbs, answers)
        if "psg" in self.tasks:
            left, right = (folder.labels(f"psg-{side}") for side in ("left", "right"))
            for answer, part in zip(answers, parts, strict=True):
                levels = folder.network("psg")([feature[part] for feature in features])
                answer["psg"] = cells(levels, left, right)

    def _add(
        self, task: str, features: Sequence[Ints], lengths: Ints, answers: list[Found]
    ) -> Ints:
        """The classes of all words, (n_words,); their labels are added to what is found."""
        classes: Ints = self._folder.network(task)(features, lengths)
        labels = self._folder.labels(task)
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
        folder = self._folder
        labels = folder.labels("srl")
        pt0 = folder.network("pt0")(features, lengths)
        if verbs is None:
            if self._options.pos_verbs:
                of_verbs = [label.startswith("V") for label in folder.labels("pos")]
                verbal = np.array(of_verbs)[features[2]]
            else:
                names = folder.labels("vbs")
                none = names.index(NO_VERB) if NO_VERB in names else NO_VERB_CLASS
                verbal = folder.network("vbs")(features, lengths) != none
            verbs = [np.flatnonzero(verbal[part]).tolist() for part in parts]
        for answer, part, places in zip(answers, parts, verbs, strict=True):
            inner = [feature[part] for feature in (*features[:2], pt0)]
            rows = folder.network("srl")(inner, places)
            answer["srl"] = VerbTags(places, [[labels[c] for c in row.tolist()] for row in rows])
