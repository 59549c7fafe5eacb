"""Documents: what was found in a text, as sentences, tokens, phrases, frames and trees."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import getitem
from pathlib import Path
from typing import Any, TypeVar, overload

from senna.annotation import schemes
from senna.annotation.dependencies import Arc, dependents, noun_chunks
from senna.annotation.predicates import VERB
from senna.annotation.schemes import Phrase
from senna.annotation.trees import Tree, folded
from senna.decoding.requests import Scored, Tagging
from senna.document import serialise as exchange
from senna.document.parts import Constituent, Frame, Match, Named, Placed, Span, Token, part_of
from senna.document.serialise import PER_TOKEN, record_of, to_json
from senna.errors import SennaError
from senna.kinds import output_of
from senna.kinds.answer import Annotation, DocumentError, Record, of_sentence
from senna.kinds.dependencies.answer import ScoredArcs
from senna.kinds.labels.answer import Label, commonest
from senna.lazy import cached_property
from senna.registry import DRAWINGS, READERS, SEARCH
from senna.tasks import TASKS
from senna.text.tokens import Tokens

T = TypeVar("T")
Labels = Callable[[], Mapping[str, Sequence[str]]]  # of each task

POSSESSIVE = ("'s", "\u2019s", "'", "\u2019")
_PLACES = {  # of the answers of a kind
    "tags": 'doc.tags("{}")',
    "lemmas": 'doc.tags("{}")',
    "phrases": 'doc.spans("{}")',
    "roles": "doc.frames",
    "trees": "sentence.tree",
    "dependencies": "token.head, token.deprel, sentence.root",
    "labels": "doc.label",
}


class ByTask(dict[str, T]):
    """A dictionary by task; raises SennaError for a task that it does not have."""

    def __init__(self, values: dict[str, T], what: str, remedy: str) -> None:
        super().__init__(values)
        self._what, self._mend = what, remedy

    def __missing__(self, task: str) -> T:
        raise SennaError(f"no {self._what} of task {task!r}", remedy=self._mend)


class Sentence(Placed):
    """A sentence of a document: a sequence of tokens, with the answer of each task.

    Sentences are equal that have the same text, place, tokens and answers.
    """

    def __init__(self, doc: Document, index: int) -> None:
        self.doc = doc
        self.index = index

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens."""
        rows = self.doc.rows[self.index]
        return [Token(*row, i, self) for i, row in enumerate(rows)]

    @cached_property
    def answers(self) -> dict[str, Any]:
        """The answer of each task: tags, predicates with their roles, or a tree."""
        return of_sentence(self.doc.answers, self.index)

    @property
    def words(self) -> list[str]:
        """The texts of the tokens."""
        return [*self.doc.rows[self.index].words]

    @property
    def tags(self) -> dict[str, list[str]]:
        """The tags of each task that gives one per token: IOBES, or plain."""
        pairs = self.answers.items()
        tags = {task: tags for task, tags in pairs if output_of(task).kind in PER_TOKEN}
        return ByTask(tags, "tags", f"Tagged: {', '.join(tags)}. senna.load takes more tasks.")

    @property
    def scores(self) -> dict[str, list[float]]:
        """The probability of each tag, or arc, for each task, if loaded with scores."""
        pairs = self.answers.items()
        scores = {t: a.scores for t, a in pairs if isinstance(a, Scored | ScoredArcs) and a.scores}
        return ByTask(scores, "scores", "Load with scores=True.")

    def paths(self, task: str) -> list[Tagging]:
        """The best taggings of a task, each with its score, if loaded with n_best."""
        tags = self.answer_of(task, *PER_TOKEN)
        return tags.paths if isinstance(tags, Scored) else []

    @property
    def start(self) -> int:
        """The first character; without tokens, the end of the sentence before."""
        return self.doc.starts[self.index]

    @property
    def end(self) -> int:
        """The character after the last one."""
        rows = self.doc.rows[self.index]
        return rows.end if rows else self.start

    @property
    def text(self) -> str:
        """The sentence as it stands in the input."""
        return self.doc.text[self.start : self.end]

    def __len__(self) -> int:
        return len(self.doc.rows[self.index])

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, place: int) -> Token: ...

    @overload
    def __getitem__(self, place: slice) -> Span: ...

    def __getitem__(self, place: int | slice) -> Token | Span:
        """A token, or some of them as a `Span`."""
        return part_of(self, 0, len(self), place)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self._record() == other._record()

    def _record(self) -> Record:
        [line] = exchange.lines_of(self.doc.text, [self.doc.rows[self.index]])
        return record_of(line, self.answers, "iobes", flat=True)

    def __hash__(self) -> int:
        return hash((self.start, self.end, self.text))

    def __reduce__(self) -> Any:
        return getitem, (self.doc, self.index)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Sentence({self.text!r})"

    def spans(self, task: str) -> list[Span]:
        """The phrases of a task ("chunk", "ner")."""
        tags = self.answer_of(task, "phrases")
        return [self.span(phrase, tags) for phrase in schemes.phrases_of(tags, "iobes")]

    @property
    def noun_chunks(self) -> list[Span]:
        """The noun phrases, which do not nest, by tasks dep and upos, otherwise by task chunk."""
        tagged = self.answers.keys()
        if "dep" not in tagged or ("upos" not in tagged and "chunk" in tagged):
            # CoNLL-2000 begins a chunk with 's, which is no part of the phrase alone.
            chunks = [span for span in self.spans("chunk") if span.label == "NP"]
            starts = [span.first + (self.words[span.first] in POSSESSIVE) for span in chunks]
            pairs = zip(starts, chunks, strict=True)
            return [self.span(Phrase(k, s.last, "NP")) for k, s in pairs if k < s.last]
        upos = self.answer_of("upos", "tags")
        return [self.span(phrase) for phrase in noun_chunks(self.arcs, upos)]

    @property
    def frames(self) -> list[Frame]:
        """Who did what to whom: the predicates in order, with their arguments (task srl)."""
        return [
            Frame(
                predicate.position,
                self.span(Phrase(predicate.position, predicate.position + 1, VERB), predicate.tags),
                [self.span(phrase, predicate.tags) for phrase in predicate.arguments],
            )
            for predicate in self.answer_of("srl", "roles")
        ]

    @property
    def label(self) -> Label:
        """The label (task label): a text, with a `score` if loaded with scores."""
        label: Label = self.answer_of("label", "labels")
        return label

    @property
    def arcs(self) -> list[Arc]:
        """The head of each token, from 1, or 0, and its relation, as in CoNLL-U (task dep)."""
        arcs: list[Arc] = self.answer_of("dep", "dependencies")
        return arcs

    @cached_property
    def below(self) -> list[list[int]]:
        """The indexes of each token's dependents, from left to right (task dep)."""
        return dependents(self.arcs)

    @property
    def root(self) -> Token | None:
        """The root of the dependency tree (task dep); None without tokens."""
        return next((token for token in self.tokens if token.head is None), None)

    @cached_property
    def tree(self) -> Constituent:
        """The parse tree (task psg)."""

        def make(node: Tree, children: list[Constituent]) -> Constituent:
            place = self._place(node.start, node.end, node.label)
            return Constituent(*place, self, children=tuple(children))

        return folded(self.answer_of("psg", "trees"), make)

    @cached_property
    def nodes(self) -> dict[int, tuple[int, Constituent | None]]:
        """For the `id` of each constituent of the tree: its number, from 0, and its parent."""
        every = list(self.tree.subtrees())
        parents = {id(child): node for node in every for child in node.children}
        return {id(node): (i, parents.get(id(node))) for i, node in enumerate(every)}

    def match(self, pattern: str | Sequence[str]) -> list[Match]:
        """The matches of a pattern: see `Document.match`."""
        return [*SEARCH["patterns"].match([self], pattern, self.doc._labels())]

    def answer_of(self, task: str, *outputs: str) -> Any:
        """The answer of a task; raises SennaError if its output is of another kind."""
        what = f"no {' or '.join(outputs)} of task {task!r}"
        if task not in self.doc.answers:
            remedy = f"Tagged: {', '.join(self.doc.answers)}."
            if task in TASKS:
                remedy += f" `--task {task}` or senna.load({task!r}) tags it, with a model of it."
            raise SennaError(what, remedy=remedy)
        if (kind := output_of(task).kind) not in outputs:
            raise SennaError(what, remedy=f"It gives {kind}: {_PLACES[kind].format(task)}.")
        return self.doc.answers[task][self.index]

    def span(self, phrase: Phrase, tags: Sequence[str] = ()) -> Span:
        """The span of a phrase (its first token, the one after its last, a label), by some tags."""
        first, last, label = phrase
        score = tags.span(first, last) if isinstance(tags, Scored) and tags.scores else None
        return Span(*self._place(first, last, label), self, score)

    def _place(self, first: int, last: int, label: str) -> tuple[str, str, int, int, int, int]:
        rows = self.doc.rows[self.index]
        start = rows[first].start if first < len(rows) else self.end
        end = rows[last - 1].end if first < last else start
        return self.doc.text[start:end], label, start, end, first, last


class Document(Named):
    """A tagged text: a sequence of sentences.

    What it holds is plain: `rows`, the tokens of each sentence, and `answers`, for each task what
    was found in each sentence. Sentences, tokens and spans are made of it when they are asked for.
    """

    def __init__(
        self,
        text: str,
        rows: Sequence[Tokens],
        answers: Annotation,
        page: Any = None,
        labels: Labels = dict,
    ) -> None:
        self.text = text
        self.rows = rows
        self.answers = answers
        self.page = page  # of which it is the text
        self._labels = labels  # what gives those that the models of each task know

    def __reduce__(self) -> Any:
        return Document, (self.text, self.rows, self.answers, self.page)

    @cached_property
    def starts(self) -> list[int]:
        """The first character of each sentence."""
        return exchange.starts_of(self.rows)

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences."""
        return [Sentence(self, i) for i in range(len(self.rows))]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @overload
    def __getitem__(self, place: int) -> Sentence: ...

    @overload
    def __getitem__(self, place: slice) -> list[Sentence]: ...

    def __getitem__(self, place: int | slice) -> Sentence | list[Sentence]:
        return self.sentences[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return exchange.to_dict(self, flat=True) == exchange.to_dict(other, flat=True)

    __hash__ = None  # type: ignore[assignment]  # it holds lists

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        shown = self.text if len(self.text) <= 60 else f"{self.text[:57]}..."
        return f"Document({shown!r}, {len(self)} sentences)"

    def _repr_html_(self) -> str:
        """How a notebook draws it: see `senna.show`."""
        return str(DRAWINGS["show"].drawn(self.sentences, whole=False))

    def html(self) -> str:
        """A page that is complete in itself, as a text: see `senna.show`."""
        return str(DRAWINGS["show"].drawn(self.sentences))

    def source(self, of: Token | Span | Sentence) -> tuple[int, int]:
        """The start and the end of a part in the input: in the source of HTML, else in the text.

        Raises SennaError for a span of no tokens where the input was HTML.
        """
        if self.page is None:
            return of.start, of.end
        if of.start == of.end:
            raise SennaError("it has no tokens, so it has no place in the source")
        place: tuple[int, int] = self.page.place(of.start, of.end)
        return place

    @property
    def tokens(self) -> list[Token]:
        """All tokens."""
        return [token for sentence in self.sentences for token in sentence.tokens]

    def tags(self, task: str) -> list[str]:
        """The tags of all tokens."""
        return [tag for s in self.sentences for tag in s.answer_of(task, *PER_TOKEN)]

    def spans(self, task: str) -> list[Span]:
        """The phrases of all sentences."""
        return [span for sentence in self.sentences for span in sentence.spans(task)]

    @property
    def noun_chunks(self) -> list[Span]:
        """The noun phrases of all sentences, by tasks dep and upos, otherwise by task chunk."""
        return [span for sentence in self.sentences for span in sentence.noun_chunks]

    def char_span(self, start: int, end: int, label: str = "") -> Span | None:
        """The span of the characters [start, end), within one sentence.

        The result is None if no token begins at `start` or no token ends at `end`.
        """
        i = bisect_right(self.starts, start) - 1
        if i < 0 or not start < end:
            return None
        rows = self.rows[i]
        first = next((k for k, token in enumerate(rows) if token.start == start), None)
        last = next((k for k, token in enumerate(rows, start=1) if token.end == end), None)
        if first is None or last is None:
            return None
        return self.sentences[i].span(Phrase(first, last, label))

    @property
    def frames(self) -> list[Frame]:
        """The predicates of all sentences, with their arguments (task srl)."""
        return [frame for sentence in self.sentences for frame in sentence.frames]

    @property
    def label(self) -> Label:
        """The label of most sentences; the first one if tied, "" without sentences.

        Its `score`, if loaded with scores, is the mean over the sentences with this label.
        """
        return commonest([sentence.label for sentence in self.sentences])

    def match(self, pattern: str | Sequence[str]) -> list[Match]:
        """The matches of a pattern, for example "<ner=PER> <pos=VBD> *"; see docs/api.md.

        Each match lies within a sentence. The matches of one pattern do not overlap; those of
        several patterns are in text order. The time is proportional to the length of the text.
        Raises SennaError for an invalid pattern, for tasks that were not tagged and for tags that
        the models never give.
        """
        return [*SEARCH["patterns"].match(self.sentences, pattern, self._labels())]

    @classmethod
    def of(cls, words: Sequence[Any], **columns: Sequence[Any]) -> Document:
        """The document of the words of a sentence, or of several, with your own answers.

        `columns` are tags of tasks by name (`upos=["PRON", "VERB"]`), and `head` and `deprel`, a
        value per word as in CoNLL-U; for several sentences, a list per sentence. Phrases may be in
        any tag scheme. Raises SennaError for columns that do not fit.
        """
        record = exchange.record_with(words, columns)
        try:
            return cls.from_dict(record)
        except DocumentError as error:
            remedy = "Give one tag per word."
            if "head" in columns:
                remedy = "Heads are the numbers of words, from 1, as in CoNLL-U; the root's is 0."
            raise SennaError(error.why, where=f"sentence {error.sentence}", remedy=remedy) from None

    def to(
        self,
        format: str,
        *,
        scheme: str | None = None,
        offsets: bool = False,
        offset_unit: str = "character",
    ) -> str:
        """The document as `senna tag --format` writes it, for example "conllu" or "columns".

        With `offset_unit` "utf16", starts and ends count UTF-16 code units, as JavaScript does.
        Raises SennaError for an unknown format, for svg and parquet, whose output is not one text,
        and for a format that needs a task that was not tagged.
        """
        return exchange.written(self, format, scheme, offsets, offset_unit)

    def to_dict(self) -> dict[str, Any]:
        """The document as a dictionary: its text, and sentences as `--format jsonl` writes them.

        For HTML, offsets refer to the visible text, and `page` has the places in the source.
        """
        return exchange.to_dict(self)

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Document:
        """The document that `to_dict` described; raises SennaError for an invalid dictionary."""
        return cls(*exchange.from_dict(record))

    def to_json(self) -> str:
        """The result of `to_dict` as JSON on one line."""
        return to_json(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Document:
        """The document that `to_json` described; raises SennaError for invalid JSON."""
        import json

        try:
            return cls.from_dict(json.loads(text))
        except ValueError as error:
            raise SennaError(f"not JSON: {error}") from None
        except RecursionError:
            raise SennaError("the JSON is nested too deeply") from None

    def to_dataframe(self, of: str = "tokens") -> Any:
        """A pandas table of "tokens", or of "spans": phrases, roles and constituents.

        Raises SennaError if pandas is not installed.
        """
        return DRAWINGS["dataframe"].to_dataframe(self, of)


def read(path: str | Path) -> Iterator[Document]:
    """The documents of a file that `senna tag` or `Document.to_json` wrote, one at a time.

    It is in CoNLL-U if its name says so (`.conllu`, `.conllup`, `.gz` of them), else in lines of
    JSON; "-" is standard input. Texts with spans, as annotation tools export them, have task ner,
    and there is a warning of spans that cut tokens. A document begins with a file, a row of a table
    or `# newdoc`. Raises SennaError for anything else, with its line.
    """
    return (Document(*parts) for parts in READERS["stored"].read(str(path)))
