"""What `senna.load()` returns, and the documents it makes of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from senna.errors import SennaError
from senna.infer.confidence import Path, Scored
from senna.infer.pipeline import Pipeline
from senna.tasks import TASKS
from senna.text import schemes, sentences
from senna.text.roles import Predicate
from senna.text.schemes import Phrase
from senna.text.tokenizer import Token


@dataclass(frozen=True)
class Span:
    """A labelled phrase: tokens [first, last) of its sentence, characters [start, end)."""

    text: str
    label: str
    start: int
    end: int
    first: int
    last: int
    score: float | None = None  # how probable it is, where scores were asked for


@dataclass(frozen=True)
class Frame:
    """A predicate (its token of the sentence, from 0), its own span, and those of its arguments."""

    index: int
    predicate: Span
    arguments: list[Span]


@dataclass(frozen=True)
class Sentence:
    """Tokens with their offsets, and what each task found: `found` has its tags, or its roles."""

    source: str
    tokens: list[Token]
    found: dict[str, Any]

    @property
    def tags(self) -> dict[str, list[str]]:
        """The tags of each task that gives one a token: IOBES, or plain."""
        return {task: own for task, own in self.found.items() if TASKS[task].is_tagging}

    @property
    def scores(self) -> dict[str, list[float]]:
        """How probable each of these tags is, where scores were asked for."""
        tags = ((task, own) for task, own in self.tags.items() if isinstance(own, Scored))
        return {task: own.scores for task, own in tags if own.scores}

    def paths(self, task: str) -> list[Path]:
        """The best taggings of a task, each with its score, where several were asked for."""
        tags = self._found(task, "tags", "phrases")
        return tags.paths if isinstance(tags, Scored) else []

    @property
    def text(self) -> str:
        """The sentence as it stands in the input."""
        return self.source[self.tokens[0].start : self.tokens[-1].end] if self.tokens else ""

    def spans(self, task: str) -> list[Span]:
        """The phrases of a task ("chunk", "ner")."""
        tags = self._found(task, "phrases")
        return [self._span(phrase, tags) for phrase in schemes.phrases_of(tags, "iobes")]

    @property
    def frames(self) -> list[Frame]:
        """Who did what to whom: the predicates in order, with their arguments (task srl)."""
        return [
            Frame(
                own.position,
                self._span(Phrase(own.position, own.position + 1, "V"), own.tags),
                [self._span(phrase, own.tags) for phrase in own.arguments],
            )
            for own in self._found("srl", "roles")
        ]

    def _found(self, task: str, *outputs: str) -> Any:
        """What a task found, if its output is of some kind."""
        if task not in self.found or TASKS[task].output not in outputs:
            what = f"no {' or '.join(outputs)} of task {task!r}"
            raise SennaError(what, mend=f"Tagged: {', '.join(self.found)}.")
        return self.found[task]

    def _span(self, phrase: Phrase, tags: list[str]) -> Span:
        first, last, label = phrase
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        score = tags.span(first, last) if isinstance(tags, Scored) and tags.scores else None
        return Span(self.source[start:end], label, start, end, first, last, score)


@dataclass(frozen=True)
class Document:
    """A tagged text."""

    text: str
    sentences: list[Sentence]

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @property
    def tokens(self) -> list[Token]:
        """All tokens."""
        return [token for sentence in self.sentences for token in sentence.tokens]

    def tags(self, task: str) -> list[str]:
        """The tags of all tokens."""
        return [tag for s in self.sentences for tag in s._found(task, "tags", "phrases")]

    def spans(self, task: str) -> list[Span]:
        """The phrases of all sentences."""
        return [span for sentence in self.sentences for span in sentence.spans(task)]


@dataclass(frozen=True)
class Nlp:
    """A loaded pipeline with its way of splitting text; call it with raw text."""

    pipeline: Pipeline
    convention: str = "modern"
    line_breaks: str = "auto"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks it tags."""
        return self.pipeline.tasks

    def __call__(self, text: str) -> Document:
        """Split and tag raw text."""
        tokens = sentences.split(text, self.convention, self.line_breaks)
        forms = [[token.text for token in sentence] for sentence in tokens]
        found = self.pipeline.annotate(forms)
        made = [
            Sentence(text, own, {task: rows[i] for task, rows in found.items()})
            for i, own in enumerate(tokens)
        ]
        return Document(text, made)

    def tag(
        self, tokenised: Sequence[Sequence[str]], pos: Sequence[Sequence[str]] | None = None
    ) -> dict[str, list[list[str]]]:
        """Tag tokenised sentences: task -> sentence -> tags. For roles see `roles`."""
        return self.pipeline.tag(tokenised, pos)

    def roles(
        self,
        tokenised: Sequence[Sequence[str]],
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> list[list[Predicate]]:
        """The predicates of tokenised sentences with their roles, IOBES.

        `predicates` are the tokens, from 0, that are predicates; without them they are found.
        """
        return self.pipeline.roles(tokenised, predicates)
