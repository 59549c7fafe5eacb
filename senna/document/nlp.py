"""What `senna.load()` returns: texts in, documents out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from senna.document.document import Document
from senna.errors import SennaError
from senna.infer.pipeline import Pipeline
from senna.outputs.base import Annotation
from senna.pool import in_order
from senna.text import sentences
from senna.text.roles import Predicate
from senna.text.tokenizer import Token

if TYPE_CHECKING:
    from senna.text.markup import Page

C = TypeVar("C")
BATCH = 256  # texts tagged together
LARGEST = 1 << 17  # characters of them: one more text at most

Parts = tuple[list[list[Token]], Annotation]  # what a document is made of, beside its text
# The same as it goes from one process to another: the fields of a sentence's tokens in one list.
Packed = tuple[list[list[Any]], Annotation]


@dataclass(frozen=True)
class Nlp:
    """A loaded pipeline with its way of splitting text; call it with raw text, or with HTML."""

    pipeline: Pipeline
    convention: str = "modern"
    line_breaks: str = "auto"
    input: str = "text"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks it tags."""
        return self.pipeline.tasks

    def __call__(self, text: str) -> Document:
        """Split and tag a text."""
        [document] = self.pipe([text])
        return document

    @overload
    def pipe(
        self,
        texts: Iterable[str],
        *,
        batch_size: int = BATCH,
        jobs: int = 1,
        as_tuples: Literal[False] = False,
    ) -> Iterator[Document]: ...

    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str, C]],
        *,
        batch_size: int = BATCH,
        jobs: int = 1,
        as_tuples: Literal[True],
    ) -> Iterator[tuple[Document, C]]: ...

    def pipe(
        self,
        texts: Iterable[Any],
        *,
        batch_size: int = BATCH,
        jobs: int = 1,
        as_tuples: bool = False,
    ) -> Iterator[Any]:
        """Documents of many texts, in their order, tagged some together: much faster than by one.

        At most `batch_size` texts, and not many more than 131,072 characters, are tagged together,
        here or in `jobs` processes. With `as_tuples` texts come with something of yours each,
        (text, context), and documents go with it, (document, context). Texts are drawn as they
        are needed.
        """
        if isinstance(texts, str):
            mend = "Call nlp(text), or give a list of texts."
            raise SennaError("one text, where several are expected", mend=mend)
        for name, value in (("batch_size", batch_size), ("jobs", jobs)):
            if value < 1:
                raise SennaError(f"{name} = {value}, at least 1 is needed")
        return self._pipe(texts, batch_size, jobs, as_tuples)

    def _pipe(
        self, texts: Iterable[Any], batch_size: int, jobs: int, as_tuples: bool
    ) -> Iterator[Any]:
        contexts = deque[Any]()  # what comes with the texts: it stays here
        pages: deque[Page] = deque()  # so do the places of their characters
        drawn = _checked(_split(texts, contexts) if as_tuples else texts)
        if self.input == "html":
            drawn = _shown(drawn, pages)
        load = partial(_tagger, self, jobs > 1)
        with closing(in_order(load, _batches(drawn, batch_size), jobs)) as work:
            for batch, made in work:
                own = map(_unpacked, made) if jobs > 1 else made
                for text, (rows, found) in zip(batch, own, strict=True):
                    page = pages.popleft() if pages else None
                    doc = Document(text, rows, found, page)
                    yield (doc, contexts.popleft()) if as_tuples else doc

    def parts(self, texts: Sequence[str]) -> list[Parts]:
        """What the documents of texts, tagged together, are made of."""
        split = [sentences.split(text, self.convention, self.line_breaks) for text in texts]
        forms = [[token.text for token in row] for rows in split for row in rows]
        found = self.pipeline.annotate(forms)
        ends = accumulate(map(len, split), initial=0)
        return [
            (rows, {task: own[start:end] for task, own in found.items()})
            for rows, (start, end) in zip(split, pairwise(ends), strict=True)
        ]

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


def _tagger(nlp: Nlp, packed: bool) -> Callable[[list[str]], list[Any]]:
    return (lambda texts: list(map(_packed, nlp.parts(texts)))) if packed else nlp.parts


def _packed(parts: Parts) -> Packed:
    rows, found = parts
    return [[field for token in row for field in token] for row in rows], found


def _unpacked(packed: Packed) -> Parts:
    rows, found = packed
    return [list(map(Token, row[::3], row[1::3], row[2::3])) for row in rows], found


def _split(pairs: Iterable[Any], contexts: deque[Any]) -> Iterator[str]:
    """The texts of pairs; what comes with them is laid aside."""
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2:
            raise SennaError("with as_tuples texts come as pairs (text, context)")
        contexts.append(pair[1])
        yield pair[0]


def _checked(texts: Iterable[Any]) -> Iterator[str]:
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            what = f"text {number} is of type {type(text).__name__}, not a text"
            raise SennaError(what, mend="With as_tuples=True texts may come as (text, context).")
        yield text


def _shown(sources: Iterator[str], pages: deque[Page]) -> Iterator[str]:
    """The texts of HTML; the pages are laid aside."""
    from senna.text.markup import read_page

    for source in sources:
        pages.append(read_page(source))
        yield pages[-1].text


def _batches(texts: Iterator[str], size: int) -> Iterator[list[str]]:
    held: list[str] = []
    length = 0
    for text in texts:
        held.append(text)
        length += len(text)
        if len(held) == size or length > LARGEST:
            yield held
            held, length = [], 0
    if held:
        yield held
