"""A component for spaCy: `nlp.add_pipe("senna")`. Importing this module makes it known.

Installed, the package says by itself where the component is (an entry point), and the import is not
needed.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from inspect import Parameter, Signature, signature
from itertools import accumulate, groupby, islice
from typing import Any

from spacy.language import Language
from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Doc, Span
from spacy.training import Example

from senna.outputs import output_of
from senna.outputs.base import Annotation
from senna.pipeline.pipeline import Pipeline
from senna.reading.options import Reading, options_of
from senna.reading.texts import annotate
from senna.text import sentences

ASSIGNS = ("token.tag", "token.is_sent_start", "doc.ents", "doc.spans", "doc.cats")
_OPTIONS = {name: said for name, said in options_of(Reading).items() if said.spacy}
TAGS, ENTITIES = "pos", "ner"  # tasks for which spaCy has a place of its own


class Component:
    """Tags documents of spaCy, in its tokens; see `create`."""

    def __init__(
        self,
        pipeline: Pipeline,
        overwrite: bool,
        unit: str = "sentence",
        remembers: bool = True,
    ) -> None:
        self.pipeline, self.remembers = pipeline, remembers
        self.overwrite = overwrite
        self.split = _sentences if unit == "sentence" else _whole

    def __call__(self, doc: Doc) -> Doc:
        """Tag one document."""
        return self.annotated([doc])[0]

    def pipe(self, docs: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """Tag many, some together."""
        waiting = iter(docs)
        while batch := list(islice(waiting, batch_size)):
            yield from self.annotated(batch)

    def annotated(self, docs: Sequence[Doc]) -> Sequence[Doc]:
        """The same documents, tagged together."""
        split = [self.split(doc) for doc in docs]
        words = [
            [[doc[i].text for i in places] for places in rows]
            for doc, rows in zip(docs, split, strict=True)
        ]
        annotations = annotate(self.pipeline, words, self.remembers)
        for doc, rows, annotation in zip(docs, split, annotations, strict=True):
            self._set(doc, rows, annotation)
        return docs

    def score(self, examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        """What `nlp.evaluate` adds: tag_acc for pos, ents_p, ents_r, ents_f and types for ner."""
        pairs = list(examples)
        scores: dict[str, Any] = {}
        if TAGS in self.pipeline.tasks:
            scores |= Scorer.score_token_attr(pairs, "tag", **settings)
        if ENTITIES in self.pipeline.tasks:
            scores |= get_ner_prf(pairs, **settings)
        return scores

    def _set(self, doc: Doc, split: list[list[int]], annotation: Annotation) -> None:
        """Write what was found in a document's sentences, given by the places of their tokens."""
        for task, rows in annotation.items():
            pairs = list(zip(split, rows, strict=True))
            if task == TAGS:
                for i, tag in (token for pair in pairs for token in zip(*pair, strict=True)):
                    if self.overwrite or not doc[i].tag:
                        doc[i].tag_ = tag
                continue
            if output_of(task).of_sentences:
                kept = {} if self.overwrite else doc.cats
                doc.cats = output_of(task).categories(rows) | kept
                continue
            spans = [span for pair in pairs for span in _spans(doc, task, *pair)]
            if task == ENTITIES:
                before = [] if self.overwrite else list(doc.ents)
                taken = {token.i for span in before for token in span}
                free = [span for span in spans if taken.isdisjoint(range(span.start, span.end))]
                doc.set_ents([*before, *free], default="outside")
            else:
                doc.spans[task] = spans


def _with_options(function: Any) -> Any:
    """A factory with a parameter for each option: spaCy looks at its signature."""
    own = list(signature(function).parameters.values())[:-1]
    added = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=Any) for name in _OPTIONS]
    function.__signature__ = Signature([*own, *added])
    return function


@Language.factory(  # type: ignore[untyped-decorator,unused-ignore]
    "senna",
    assigns=ASSIGNS,
    default_config={
        **{option.name: option.default for option in _OPTIONS.values()},
        "overwrite": False,
    },
    default_score_weights={"tag_acc": 0.5, "ents_f": 0.5, "ents_p": 0.0, "ents_r": 0.0},
)
@_with_options
def create(nlp: Language, name: str, overwrite: bool, **options: Any) -> Component:
    """Make the component; `tasks` to `memory` are as for `senna.load`.

    pos sets `token.tag_`, ner sets `doc.ents`, and other tasks with phrases set a span group of
    their name, for example `doc.spans["chunk"]`. `doc.spans["srl"]` has the roles, with V for the
    predicate; `span.id_` is the index of the predicate's token in the document. `doc.cats` has the
    mean probability of each label. Tags, entities and categories of other components are kept
    unless `overwrite` is set. Sentences are found only in a document that has none.
    """

    reading = Reading(**options)
    for note in reading.notes():
        warnings.warn(str(note), stacklevel=2)
    pipeline = reading.pipeline()
    if any(output_of(task).of_sentences for task in pipeline.tasks):
        pipeline.asked = replace(pipeline.asked, scores=True)
    return Component(pipeline, overwrite, reading.unit, reading.remembers)


def _whole(doc: Doc) -> list[list[int]]:
    """The tokens of a document that are no white space, as one sentence."""
    words = [token.i for token in doc if not token.is_space]
    return [words] if words else []


def _sentences(doc: Doc) -> list[list[int]]:
    """The tokens of each sentence that are no white space.

    Where a document has no sentences they are found in its text, and it gets them.
    """
    words = [token.i for token in doc if not token.is_space]
    if doc.has_annotation("SENT_START"):
        numbers = list(accumulate(int(token.is_sent_start is True) for token in doc))
    else:
        starts = [tokens[0].start for tokens in sentences.split(doc.text)]
        numbers = [bisect_right(starts, token.idx) for token in doc]
        firsts = [next(places) for _, places in groupby(words, key=numbers.__getitem__)]
        begins = {0, *firsts[1:]}  # white space before the first sentence belongs to it
        for token in doc:
            token.is_sent_start = token.i in begins
    return [list(places) for _, places in groupby(words, key=numbers.__getitem__)]


def _spans(doc: Doc, task: str, places: list[int], answer: Any) -> Iterator[Span]:
    """The spans of a sentence, whose tokens have these places in the document."""
    spans = output_of(task).spans(answer)
    # Predicate by predicate, the words of each from left to right.
    for (first, last, label), predicate in sorted(
        spans, key=lambda span: (span.predicate or 0, span.phrase.start)
    ):
        id_ = "" if predicate is None else str(places[predicate])
        yield Span(doc, places[first], places[last - 1] + 1, label=label, span_id=id_)
