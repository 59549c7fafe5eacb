"""What `senna.load()` returns, and the documents it makes of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from senna.errors import SennaError
from senna.infer.pipeline import Pipeline
from senna.text import schemes, sentences
from senna.text.iobes import PLAIN_TASKS
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


@dataclass(frozen=True)
class Sentence:
    """Tokens with their offsets, and the tags of each task (IOBES, parts of speech plain)."""

    source: str
    tokens: list[Token]
    tags: dict[str, list[str]]

    @property
    def text(self) -> str:
        """The sentence as it stands in the input."""
        return self.source[self.tokens[0].start : self.tokens[-1].end] if self.tokens else ""

    def spans(self, task: str) -> list[Span]:
        """The phrases of a task ("chunk", "ner")."""
        if task not in self.tags or task in PLAIN_TASKS:
            raise SennaError(f"no phrases of task {task!r}; tagged: {', '.join(self.tags)}")
        found = []
        for first, last, label in schemes.phrases_of(self.tags[task], "iobes"):
            start, end = self.tokens[first].start, self.tokens[last - 1].end
            found.append(Span(self.source[start:end], label, start, end, first, last))
        return found


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
        return [tag for sentence in self.sentences for tag in sentence.tags[task]]

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
        tags = self.tag([[token.text for token in sentence] for sentence in tokens])
        made = [
            Sentence(text, sentence, {task: tags[task][i] for task in tags})
            for i, sentence in enumerate(tokens)
        ]
        return Document(text, made)

    def tag(
        self, tokenised: Sequence[Sequence[str]], pos: Sequence[Sequence[str]] | None = None
    ) -> dict[str, list[list[str]]]:
        """Tag tokenised sentences: task -> sentence -> tags."""
        return self.pipeline.tag(tokenised, pos)
