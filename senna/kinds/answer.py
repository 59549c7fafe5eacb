"""The base class of all kinds of answers: see `Output`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from senna.annotation.schemes import Phrase
from senna.decoding.requests import DIGITS, Scored
from senna.errors import SennaError

# Scorers and the tokenizer's patterns take time to load: tagging does not wait for them.
if TYPE_CHECKING:
    from senna.text.tokens import Tokens


# The answers of a model, by task in the table's order: for each sentence its tags (IOBES, or
# plain), its predicates with their roles, or its tree.
Annotation = dict[str, list[Any]]
Answers = Mapping[str, Any]  # of one sentence
Columns = list[list[str]]
Record = dict[str, Any]  # an object of JSON


def of_sentence(annotation: Annotation, i: int) -> dict[str, Any]:
    """The answers for one of the sentences."""
    return {task: of_task[i] for task, of_task in annotation.items()}


class Gold(NamedTuple):
    """A gold sentence: the right answer, and the tags of other tasks that its file has too."""

    forms: list[str]
    answer: Any
    tags: dict[str, list[Any]]  # of "psg" the nodes of its tree
    name: str = ""  # of the file
    line: int = 0
    others: frozenset[int] = frozenset()  # words that are predicates of kinds not asked for
    opens: bool = False  # whether a document begins with it
    given: Any = None  # of CoNLL-U the sentence as it was read


class GoldOptions(NamedTuple):
    """How gold is read."""

    columns: str = ""  # the columns' names, where they are not the usual ones
    kinds: tuple[str, ...] = ()  # of predicates; all of them if empty
    alike: bool = False  # refuse sentences that have more or fewer columns than the first
    labels: str = ""  # names for the labels of sentences in the file: see `DataConfig.labels`
    tell: Callable[[str], object] = lambda note: None  # of what was changed


class Line(NamedTuple):
    """A sentence: its text, where that starts, its tokens, and where it comes from.

    Places are those in the input; of a page in its text, and then `source` has each token's place
    in the input. So it has where places count UTF-16 code units.
    """

    text: str
    start: int
    tokens: Tokens
    file: str = ""  # where one is named
    row: int = 0  # of a table, from 1
    opens: bool = False  # whether a document begins with it
    given: Any = None  # of CoNLL-U the sentence as it was read
    source: Sequence[tuple[int, int]] = ()
    line: int = 0  # of the input, from 1, on which it starts, where that is known
    kept: Mapping[str, str] | None = None  # cells of its row, by column, that are written too
    columns: Sequence[Sequence[str]] = ()  # of each of its tokens, as they were read
    mark: Sequence[str] = ()  # the columns of the document mark before it

    @property
    def words(self) -> list[str]:
        """The words of its tokens."""
        return self.tokens.words

    @property
    def places(self) -> Sequence[tuple[int, int]]:
        """Where each of its tokens starts and ends in the input."""
        return self.source or self.tokens.places

    @property
    def begin(self) -> int:
        """Where it starts in the input."""
        return self.source[0][0] if self.source else self.start

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Where tokens [first, last) start and end in the input; of none, where it starts."""
        if first == last:
            return self.start, self.start
        places = self.places
        return places[first][0], places[last - 1][1]

    def in_utf16(self, wide: Sequence[int], before: int = 0) -> Line:
        """The same with places that count UTF-16 code units.

        `wide` are the places of the text's characters of two units, ascending, but for the first
        `before`.
        """

        def unit(place: int) -> int:
            return place + before + bisect_left(wide, place)

        if not self.tokens:
            return self._replace(start=unit(self.start))
        return self._replace(source=[(unit(start), unit(end)) for start, end in self.places])

    def span(self, name: str, phrase: Phrase) -> Record:
        """A phrase, its label under `name`."""
        first, last, label = phrase
        places, (start, end) = self.tokens.places, self.place(first, last)
        text = self.text[places[first][0] - self.start : places[last - 1][1] - self.start]
        return {
            name: label, "first": first, "last": last, "start": start, "end": end, "text": text
        }  # fmt: skip


class Labelled(NamedTuple):
    """A labelled span of a sentence; of an argument with the place of its predicate."""

    phrase: Phrase
    predicate: int | None = None

    def score(self, answer: Any) -> float | None:
        """Its probability in the answer that it is of; None where none was asked for."""
        tags = answer if self.predicate is None else dict(answer)[self.predicate]
        if not isinstance(tags, Scored) or not tags.scores:
            return None
        return tags.span(self.phrase.start, self.phrase.end)


# Types of JSON values, for columns of tables: str, int, [type], {name: type}.
SPAN = {"first": int, "last": int, "start": int, "end": int, "text": str}
TASK = "{task}"  # the name of a task, as a name of a field
SHOWN = [f"{number / 1000:.{DIGITS}f}" for number in range(1001)]  # probabilities, in thousandths


class Measure(NamedTuple):
    """A score in percent, and the name of what it measures: F1, accuracy, LAS."""

    name: str
    percent: float


class Output(ABC):
    """A kind of output: its answers in files, in scores and in what is written.

    An answer is what a task with this output finds in one sentence.
    """

    # What it adds to the record of a sentence, by name, with the types; see `SPAN` and `TASK`.
    # Of "scores": its probabilities, which are there only where they were asked for.
    fields: ClassVar[Record]
    kind: ClassVar[str]  # tags, phrases (tags in IOBES), lemmas, roles, trees, ...

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        """Gold of a whole file as models learn it; SennaError for what none can learn."""
        return gold

    @abstractmethod
    def targets(
        self, answer: Any, n: int, tree: Sequence[Phrase] | None = None
    ) -> tuple[list[list[str]], list[Phrase] | None]:
        """Targets of training for an answer about n words: rows with one tag per word, or spans.

        tree: constituents, for a network that follows them.
        """

    @abstractmethod
    def vocabulary(self, seen: Collection[str]) -> list[str]:
        """All tags or labels of a model, given those `seen` in targets of training.

        Those that no model can have are left out.
        """

    @abstractmethod
    def measure(self, gold: Sequence[Any], predicted: Sequence[Any]) -> Measure:
        """Score predicted answers by the usual measure of their kind."""

    @abstractmethod
    def join(self, parts: Sequence[Any], starts: Sequence[int], n: int, given: bool) -> Any:
        """The answer for a sentence of n words that was cut at `starts`, from those for its parts.

        given: predicates were given, and not found.
        """

    @abstractmethod
    def columns(self, words: Sequence[str], answer: Any, scheme: str) -> Columns:
        """An answer as columns, each with one cell per word, in a tag scheme."""

    def cells(self, words: Sequence[str], answer: Any, scheme: str) -> list[str]:
        """An answer as one column; cells that are empty, O or * say nothing of their words."""
        return self.columns(words, answer, scheme)[0]

    @abstractmethod
    def write(self, record: Record, task: str, line: Line, answer: Any, scheme: str) -> None:
        """Add an answer, with its probabilities, to the JSON record of its sentence."""

    @abstractmethod
    def parse(self, record: Record, task: str, tokens: Tokens) -> Any:
        """The answer in the JSON record of a sentence."""

    def spans(self, answer: Any) -> Iterator[Labelled]:
        """All spans of an answer that have a label; those of a predicate begin with itself."""
        return iter(())


class DocumentError(SennaError):
    """A fault of a document: the reason, and the number of its sentence from 1, or 0."""

    def __init__(self, why: str, sentence: int = 0) -> None:
        self.why, self.sentence = why, sentence
        place = f"sentence {sentence}: " if sentence else ""
        remedy = "Give the result of doc.to_dict() or doc.to_json()."
        super().__init__(f"not a document ({place}{why})", remedy=remedy)


def add_scores(record: Record, task: str, scores: Any) -> None:
    """Add probabilities, a number or lists of them, to the JSON record of a sentence."""
    record.setdefault("scores", {})[task] = _rounded(scores)


def _rounded(scores: Any) -> Any:
    return list(map(_rounded, scores)) if isinstance(scores, list) else round(scores, DIGITS)


def whole(value: Any) -> int:
    """A whole number of a document's JSON, where true is none; SennaError for anything else."""
    if type(value) is not int:
        raise DocumentError(f"{value!r} is not a whole number")
    return value


def label(value: Any) -> str:
    """A tag, role or label of a document's JSON; SennaError for what columns could not hold."""
    if not isinstance(value, str) or "\t" in value or len(f"{value}.".splitlines()) > 1:
        raise DocumentError(f"{value!r:.60} is not a tag or label on one line")
    return value


def labels(values: Any, n: int, what: str = "tags") -> list[str]:
    """The tags of n tokens in a document's JSON."""
    return list(map(label, _of_tokens(values, n, what)))


def phrase_of(span: Any, name: str, n: int) -> Phrase:
    """A span of n tokens in a document's JSON, whose label is under `name`."""
    first, last = whole(span["first"]), whole(span["last"])
    if not 0 <= first < last <= n:
        raise DocumentError(f"a span from {first} to {last} of {n} tokens")
    return Phrase(first, last, label(span[name]))


def probability(value: Any) -> float:
    """A probability in a document's JSON."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise DocumentError(f"{value!r:.60} is not a probability")
    return float(value)


def probabilities(values: Any, n: int) -> list[float]:
    """The probabilities of what n tokens have in a document's JSON."""
    return list(map(probability, _of_tokens(values, n, "scores")))


def _of_tokens(values: Any, n: int, what: str) -> list[Any]:
    if not isinstance(values, list) or len(values) != n:
        shown = f"{len(values)} {what}" if isinstance(values, list) else f"{what} in no list"
        raise DocumentError(f"{shown} of {n} tokens")
    return values


def moved(parts: Sequence[Sequence[Phrase]], starts: Iterable[int]) -> list[Phrase]:
    """The phrases of parts of a sentence, which begin at `starts`, as those of the sentence."""
    if len(parts) == 1:  # the whole
        return list(parts[0])
    return [
        Phrase(first + start, last + start, label)
        for start, phrases in zip(starts, parts, strict=True)
        for first, last, label in phrases
    ]
