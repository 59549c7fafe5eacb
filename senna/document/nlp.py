"""`senna.load()` and what it returns: texts in, documents out."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial, wraps
from inspect import Signature, signature
from itertools import chain
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, get_type_hints, overload

from senna.annotation.predicates import Predicate
from senna.document.document import Document, Labels
from senna.errors import SennaError
from senna.inference.kernel.library import missing
from senna.kinds import output_of
from senna.kinds.answer import Annotation
from senna.pipeline.format import together
from senna.pipeline.jobs import in_order
from senna.pipeline.options import SPLIT_BY_LOAD, Options, chosen, loading
from senna.pipeline.pipeline import Pipeline
from senna.registry import READERS
from senna.tasks import ROLES, TASKS
from senna.text.tokens import Tokens, refuse_texts, spaced_lines

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")
Words = list[list[str]]  # the words of sentences
Text = str | list[str] | Words  # one of which a document is made; words alone are one sentence
BATCH = 256  # texts tagged together
LARGEST = 1 << 17  # characters of them: one more text at most

Parts = tuple[Sequence[Tokens], Annotation]  # what a document consists of, beside its text


def _takes(kind: Callable[P, Options]) -> Callable[[Callable[[Options], R]], Callable[P, R]]:
    def decorated(function: Callable[[Options], R]) -> Callable[P, R]:
        gives, hints = signature(function).return_annotation, get_type_hints(kind)
        all_ = signature(kind).parameters
        parameters = [all_[name].replace(annotation=hints[name]) for name in loading()]
        known = Signature(parameters, return_annotation=gives)

        @wraps(function)
        def with_fields(*given: P.args, **named: P.kwargs) -> R:
            try:
                values = known.bind(*given, **named).arguments
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(chosen(values, SPLIT_BY_LOAD))

        with_fields.__signature__ = known  # type: ignore[attr-defined]
        return with_fields

    return decorated


@_takes(Options)
def load(options: Options) -> Nlp:
    """Load the package's models for some tasks, or one model.

    The default `tasks` are pos, chunk, ner and srl, or all tasks of the `model`, which is the name
    of a model of the package (for example "ner") or a folder ("./ner"). `convention` and
    `line_breaks` control how raw text is split. `input` is "text" or "html". `predicates` says how
    the predicates of srl are found: "auto", "pos", the `Path` of a model (see `senna tag --help`),
    or "given" if they are passed to `roles`. With `scores`, tags and spans have probabilities.
    `n_best` is the number of taggings to keep per task. `gazetteer` has additional phrases by type,
    {"PER": [...]}; with `force` they are always names. With `memory` False, names found earlier in
    a document do not help to recognise later ones.
    Raises `SennaError` for an unknown task or a damaged folder.
    """
    _note_missing_kernel()
    # A folder may be another one, or none, where this is unpickled.
    model = options.model
    named = model is None or (isinstance(model, str) and Path(model).name == model)
    return Nlp(Pipeline.of(options), options, named and not isinstance(options.predicates, Path))


@lru_cache(maxsize=1)
def _note_missing_kernel() -> None:
    if sys.stderr is not None and sys.stderr.isatty() and (why := missing()):
        print(f"senna: {why}", file=sys.stderr)


@lru_cache(maxsize=2)
def loaded(options: Options) -> Nlp:
    """The same from a record, once per process: workers get one task after another."""
    return Nlp(Pipeline.of(options), options)


@dataclass(frozen=True, repr=False)
class Nlp:
    """A loaded pipeline with its way of splitting text; call it with raw text, or with HTML.

    It also takes the words of a sentence, or of several sentences, as lists of texts. `by_name`:
    other processes load its models by the names in `options`, instead of getting all weights.
    """

    pipeline: Pipeline
    options: Options = field(default_factory=Options)
    by_name: bool = field(default=False, compare=False)

    def __reduce__(self) -> Any:
        if self.by_name:
            return loaded, (self.options,)
        return Nlp, (self.pipeline, self.options)

    def __repr__(self) -> str:
        model = "" if self.options.model is None else f", model={self.options.model!r:.60}"
        return f"Nlp({','.join(self.tasks)}{model})"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks it tags."""
        return self.pipeline.tasks

    def __call__(self, text: Text) -> Document:
        """Split and tag a text; or tag words, whose document has them between spaces."""
        pages: deque[Any] = deque()
        [checked] = self._drawn([text], pages)
        [parts] = self.parts([checked])
        return _document(checked, parts, pages, lambda: self._labels)

    @cached_property
    def _labels(self) -> dict[str, list[str]]:
        return self.pipeline.all_labels

    @overload
    def pipe(
        self,
        texts: Iterable[Text],
        *,
        batch_size: int = BATCH,
        jobs: int = 1,
        as_tuples: Literal[False] = False,
    ) -> Iterator[Document]: ...

    @overload
    def pipe(
        self,
        texts: Iterable[tuple[Text, C]],
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
        """Yield the documents of many texts in order; this is much faster than one call per text.

        At most `batch_size` texts, and not many more than 131,072 characters, are tagged together,
        here or in `jobs` processes. With `as_tuples`, `texts` are pairs (text, context), and the
        results are pairs (document, context). Texts are drawn from an iterator only when they are
        needed.
        """
        if isinstance(texts, str):
            remedy = "Call nlp(text), or give a list of texts."
            raise SennaError("got one text, expected several", remedy=remedy)
        for name, value in (("batch_size", batch_size), ("jobs", jobs)):
            if not isinstance(value, int):
                raise SennaError(f"{name} = {value!r}, expected a whole number")
            if value < 1:
                raise SennaError(f"{name} = {value}, expected at least 1")
        contexts = deque[Any]()  # what comes with the texts: it stays here
        pages: deque[Any] = deque()  # so do the places of their characters
        drawn = self._drawn(_split(texts, contexts) if as_tuples else texts, pages)
        batches = together(drawn, _size, LARGEST, batch_size)

        def documents() -> Iterator[Any]:
            with closing(in_order(partial(getattr, self, "parts"), batches, jobs)) as results:
                for batch, result in results:
                    for text, parts in zip(batch, result, strict=True):
                        doc = _document(text, parts, pages, lambda: self._labels)
                        yield (doc, contexts.popleft()) if as_tuples else doc

        return documents()

    def _drawn(self, texts: Iterable[Any], pages: deque[Any]) -> Iterator[str | Words]:
        """Texts that have been checked, those of HTML as they are shown."""
        checked = _checked(texts)
        return _shown(checked, pages) if self.options.input == "html" else checked

    def parts(self, texts: Sequence[str | Words]) -> list[Parts]:
        """The parts of the documents of texts that are tagged together."""
        split = iter(self.options.split([text for text in texts if isinstance(text, str)]))
        sentences = [
            next(split) if isinstance(text, str) else spaced_lines(text)[1] for text in texts
        ]
        words = [[row.words for row in rows] for rows in sentences]
        found = self.pipeline.annotate_documents(words, self.options.remembers)
        return list(zip(sentences, found, strict=True))

    def tag(
        self, tokenised: Sequence[Sequence[str]], pos: Sequence[Sequence[str]] | None = None
    ) -> dict[str, list[list[str]]]:
        """Tag tokenised sentences, each by itself: task -> sentence -> one tag per word.

        The tags of roles and trees are the cells that CoNLL-U has in MISC. Raises SennaError for
        the task label, which does not tag words.
        """
        _check_words(tokenised)
        if any(TASKS[task].head == "labels" for task in self.pipeline.tasks):
            remedy = "Take nlp(words).label, or nlp.pipe."
            raise SennaError("the task does not tag words", where="label", remedy=remedy)
        answers = self.pipeline.annotate(tokenised, {} if pos is None else {"pos": pos})
        for task in answers:
            if not TASKS[task].is_tagging:
                pairs, cells = zip(tokenised, answers[task], strict=True), output_of(task).cells
                answers[task] = [cells(words, answer, "iobes") for words, answer in pairs]
        return answers

    def roles(
        self, tokenised: Sequence[Sequence[str]], predicates: Sequence[Sequence[int]] | None = None
    ) -> list[list[Predicate]]:
        """The predicates of each tokenised sentence, with their roles in IOBES.

        `predicates` lists the tokens that are predicates, counted from 0; without it, the pipeline
        finds them.
        """
        _check_words(tokenised)
        answers = self.pipeline.annotate(tokenised, predicates=predicates)
        if ROLES not in answers:
            raise SennaError(f"no model for task {ROLES!r} is loaded", remedy=f"Has {self.tasks}.")
        return answers[ROLES]


def _check_words(tokenised: Sequence[Sequence[str]]) -> None:
    for number, words in enumerate(tokenised, start=1):
        if isinstance(words, str):
            what = f"sentence {number} is a text, {words[:40]!r}, not a list of words"
            raise SennaError(what, remedy="Split it, or call nlp(text).")
        for word in words:
            if not isinstance(word, str):
                raise SennaError(f"sentence {number} has {word!r}, which is not a text")
        refuse_texts(words)


def _split(pairs: Iterable[Any], contexts: deque[Any]) -> Iterator[Any]:
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise SennaError("with as_tuples texts come as pairs (text, context)")
        contexts.append(pair[1])
        yield pair[0]


def _checked(texts: Iterable[Any]) -> Iterator[str | Words]:
    for number, text in enumerate(texts, start=1):
        if isinstance(text, list):
            sentences = [text] if text and isinstance(text[0], str) else text
            for words in sentences:
                if isinstance(words, str) or not isinstance(words, Sequence):
                    what = f"text {number} has {words!r} where a list of words is expected"
                    raise SennaError(what, remedy="Give a list of words, or a list of such lists.")
            _check_words(sentences)
            yield [list(words) for words in sentences]
            continue
        if not isinstance(text, str):
            missing = text is None or (isinstance(text, float) and text != text)  # NaN
            missing = missing or type(text).__name__ == "NAType"  # of pandas
            what = f"text {number} is {'missing' if missing else 'of type ' + type(text).__name__}"
            remedy = "Give a text or a list of words; with nlp.pipe and as_tuples=True, pairs."
            remedy = f'It is {text!r}: leave it out, or give "".' if missing else remedy
            raise SennaError(f"{what}, not a text", remedy=remedy)
        yield text


def _document(text: str | Words, parts: Parts, pages: deque[Any], labels: Labels) -> Document:
    shown = text if isinstance(text, str) else "\n".join(map(" ".join, text))
    return Document(shown, *parts, pages.popleft() if pages else None, labels)


def _shown(sources: Iterator[str | Words], pages: deque[Any]) -> Iterator[str | Words]:
    for source in sources:
        page = READERS["html"].read_page(source) if isinstance(source, str) else None
        pages.append(page)
        yield source if page is None else page.text


def _size(text: str | Words) -> int:
    return len(text) if isinstance(text, str) else sum(map(len, chain.from_iterable(text)))
