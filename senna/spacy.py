"""A component for spaCy: `nlp.add_pipe("senna")`. Importing this module makes it known.

Installed, the package says by itself where the component is (an entry point), and the import is not
needed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from inspect import Parameter, Signature, signature
from itertools import accumulate, groupby, islice
from pathlib import Path
from typing import Any

import numpy as np
from spacy.attrs import DEP, HEAD
from spacy.language import Language
from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Doc, Span
from spacy.training import Example

from senna.annotation.dependencies import ROOT, Arc, noun_chunks
from senna.document.document import Document
from senna.errors import SennaError
from senna.extras.search.patterns import labels_of
from senna.formats.conllu_lines import EMPTY
from senna.kinds import output_of
from senna.kinds.answer import Annotation, Labelled
from senna.kinds.labels.answer import means
from senna.model import folder as models
from senna.model.writing import copy_complete
from senna.pipeline.options import SPLIT_BY_LOAD, Options, chosen, loading
from senna.pipeline.pipeline import Pipeline
from senna.tasks import TASKS
from senna.text import sentences
from senna.text.tokens import Tokens

ASSIGNS = (
    *(f"token.{name}" for name in "tag pos lemma morph head dep is_sent_start".split()),
    *(f"doc.{name}" for name in "ents spans cats".split()),
)
_OPTIONS = {n: o for n, o in loading().items() if n not in ("input", "convention")}
# Of fields of CoNLL-U, the attribute of spaCy's tokens; those of trees are set together.
ATTRIBUTES = {"XPOS": "tag", "UPOS": "pos", "LEMMA": "lemma", "FEATS": "morph"}
TREES = ("HEAD", "DEPREL")
ALONE = "model"  # the folder of a saved model
KEPT = "senna"  # the name of the document among the user's data, and of the attribute that reads it
SCORE = "score"  # the attribute of names with their probability
ROOT_LABEL, SPACE_LABEL = "ROOT", "dep"  # spaCy's relations of roots, and of white space


class Component:
    """Tags documents of spaCy, in its tokens; see `create`."""

    def __init__(self, options: Options, overwrite: bool, document: bool = False) -> None:
        self.options, self.overwrite, self.document = options, overwrite, document
        self.remembers = options.remembers
        if self._has_models:
            _ = self.pipeline  # at once; models that are not there come with a saved pipeline

    @cached_property
    def pipeline(self) -> Pipeline:
        """The models, with probabilities of labels, which are the values of categories."""
        pipeline = Pipeline.of(self.options)
        if any(output_of(task).kind == "labels" for task in pipeline.tasks):
            pipeline.asked = pipeline.asked._replace(scores=True)
        return pipeline

    def __reduce__(self) -> Any:
        """Other processes load the models, as pickling them would cost more."""
        return Component, (self.options, self.overwrite, self.document)

    @property
    def _has_models(self) -> bool:
        return all(models.model_path(model).exists() for model in _own(self.options).values())

    @property
    def labels(self) -> tuple[str, ...]:
        """The tags, types and labels that the models of all tasks give, for `nlp.pipe_labels`."""
        if not self._has_models:
            return ()
        return tuple(sorted(set().union(*labels_of(self.pipeline.all_labels).values())))

    def to_disk(self, path: Path, *, exclude: Sequence[str] = ()) -> None:
        """Save models of your own, so that the saved pipeline is complete without their folders."""
        for name, model in _own(self.options).items():
            copy_complete(models.model_path(model), Path(path) / name)

    def from_disk(self, path: Path, *, exclude: Sequence[str] = ()) -> Component:
        """Take the models that `to_disk` has saved."""
        saved = {name: str(Path(path) / name) for name in _own(self.options)}
        if saved:
            model = saved.get(ALONE) or _named(self.options.model) | saved
            self.options = replace(self.options, model=model)
            vars(self).pop("pipeline", None)
        return self

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
        split = _sentences(docs, self.options.line_breaks)
        words = [
            [[doc[i].text for i in places] for places in rows]
            for doc, rows in zip(docs, split, strict=True)
        ]
        annotations = self.pipeline.annotate_documents(words, self.remembers)
        for doc, rows, annotation in zip(docs, split, annotations, strict=True):
            self._set(doc, rows, annotation)
        return docs

    def score(self, examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        """Scores of `nlp.evaluate`: tag_acc for pos, dep_las for dep, ents_f for ner, and so on."""
        pairs = list(examples)
        scores: dict[str, Any] = {}
        for task in self.pipeline.tasks:
            for field in TASKS[task].fields:
                if name := ATTRIBUTES.get(field):
                    scores |= Scorer.score_token_attr(pairs, name, getter=_value, **settings)
            if TASKS[task].fields == TREES:
                scores |= Scorer.score_deps(pairs, "dep", **settings)
            if TASKS[task].names:
                scores |= get_ner_prf(pairs, **settings)
        return scores

    def _set(self, doc: Doc, split: list[list[int]], annotation: Annotation) -> None:
        if self.document:
            places = [[doc[i] for i in row] for row in split]
            rows = [Tokens.of((t.text, t.idx, t.idx + len(t)) for t in row) for row in places]
            doc.user_data[KEPT] = Kept.of(Document(doc.text, rows, annotation))
        for task, rows in annotation.items():
            pairs = list(zip(split, rows, strict=True))
            if TASKS[task].fields:
                self._set_fields(doc, task, pairs)
            elif output_of(task).kind == "labels":
                kept = {} if self.overwrite else doc.cats
                doc.cats = means(annotation[task]) | kept
            else:
                spans = [span for pair in pairs for span in _spans(doc, task, *pair)]
                scores = [p for _, answer in pairs for p in _probabilities(task, answer)]
                if TASKS[task].names:
                    self._set_entities(doc, spans, scores)
                    continue
                doc.spans[task] = spans
                if scores:
                    doc.spans[task].attrs["scores"] = scores

    def _set_fields(self, doc: Doc, task: str, pairs: list[tuple[list[int], Any]]) -> None:
        fields, values = TASKS[task].fields, dict[int, tuple[str, ...]]()
        for places, answer in pairs:
            words = [doc[i].text for i in places]
            columns = output_of(task).columns(words, answer, "")[: len(fields)]
            values |= zip(places, zip(*columns, strict=True), strict=True)
        if fields == TREES:
            if self.overwrite or not doc.has_annotation("DEP"):
                _set_trees(doc, [places for places, _ in pairs], values)
            return
        for i, cells in values.items():
            for field, cell in zip(fields, cells, strict=True):
                _set_attribute(doc[i], ATTRIBUTES[field], cell, self.overwrite)

    def _set_entities(self, doc: Doc, spans: list[Span], scores: list[float]) -> None:
        before = [] if self.overwrite else list(doc.ents)
        taken = {token.i for span in before for token in span}
        free = [span for span in spans if taken.isdisjoint(range(span.start, span.end))]
        doc.set_ents([*before, *free], default="outside")
        for span, score in zip(spans, scores, strict=bool(scores)):
            if span in free:
                span._.set(SCORE, score)


def _with_options(function: Any) -> Any:
    """A factory with a parameter for each option: spaCy looks at its signature."""
    own = list(signature(function, eval_str=True).parameters.values())[:-1]
    added = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=Any) for name in _OPTIONS]
    function.__signature__ = Signature([*own, *added])
    return function


@Language.factory(  # type: ignore[untyped-decorator,unused-ignore]
    "senna",
    assigns=ASSIGNS,
    default_config={
        **{option.name: option.default for option in _OPTIONS.values()},
        "overwrite": False,
        "document": False,
    },
    default_score_weights={"tag_acc": 0.5, "ents_f": 0.5, "ents_p": 0.0, "ents_r": 0.0},
)
@_with_options
def create(nlp: Language, name: str, overwrite: bool, document: bool, **options: Any) -> Component:
    """Make the component; `tasks` to `memory` are as for `senna.load`.

    pos sets `token.tag_`, upos `pos_`, lemma `lemma_`, feats `morph`, dep `head` and `dep_`
    (`doc.noun_chunks` then follow the universal relations), ner sets `doc.ents`, and other tasks
    with phrases set a span group of their name, for example `doc.spans["chunk"]`.
    `doc.spans["srl"]` has the roles, with V for the predicate; `span.id_` is the index of the
    predicate's token in the document. `doc.cats` has the mean probability of each label. With
    `scores`, `span._.score` is the probability of a name, and `doc.spans["srl"].attrs["scores"]`
    has that of each span. With `document`, `doc._.senna` is the `senna.Document` of all that was
    found, with frames, trees, scores and the `n_best` taggings. What other components have set is
    kept unless `overwrite` is set. Sentences are found only in a document that has none.
    """

    return Component(chosen(options, SPLIT_BY_LOAD), overwrite, document)


def _named(model: Any) -> dict[str, str]:
    """The models of an option `model`, by their tasks; `ALONE` for one of all tasks."""
    alone = isinstance(model, (str, Path))
    named = {ALONE: model} if alone else dict(model or ())
    return {name: str(one) for name, one in named.items()}


def _own(options: Options) -> dict[str, str]:
    """Those that are not the package's."""
    named = _named(options.model)
    return {
        name: model
        for name, model in named.items()
        if models.model_path(model).parent not in models.places()
    }


def _value(token: Any, name: str) -> Any:
    """The value of an attribute, as scorers compare it."""
    return token.morph.key if name == "morph" else getattr(token, name)


def _set_attribute(token: Any, name: str, value: str, overwrite: bool) -> None:
    if name == "morph":
        if overwrite or not token.has_morph():
            token.set_morph("" if value == EMPTY else value)
    elif overwrite or not getattr(token, name):
        setattr(token, f"{name}_", value)


def _set_trees(doc: Any, split: list[list[int]], values: Mapping[int, tuple[str, ...]]) -> None:
    """Set heads and relations; white space hangs on the word before it, or on the first word."""
    if not values:
        return
    first = min(values)
    heads = [first if token.i < first else max(token.i - 1, 0) for token in doc]
    relations = [SPACE_LABEL] * len(doc)
    for places in split:
        for i in places:
            head, relation = int(values[i][0]), values[i][1]
            heads[i] = i if head == ROOT else places[head - 1]
            relations[i] = ROOT_LABEL if head == ROOT else relation
    offsets = np.array(heads) - np.arange(len(doc))
    labels = [doc.vocab.strings.add(relation) for relation in relations]
    array = np.stack([offsets.astype(np.int64).astype(np.uint64), np.array(labels, np.uint64)], 1)
    doc.from_array([HEAD, DEP], array)
    doc.noun_chunks_iterator = _noun_chunks


def _noun_chunks(part: Any) -> Iterator[tuple[int, int, int]]:
    """The noun phrases of a document or a span, by universal relations, as spaCy asks for them."""
    label = part.vocab.strings.add("NP")
    for sentence in part.sents:
        start = sentence.start
        heads = [0 if token.head == token else token.head.i - start + 1 for token in sentence]
        arcs = [Arc(*pair) for pair in zip(heads, (t.dep_ for t in sentence), strict=True)]
        for phrase in noun_chunks(arcs, [token.pos_ for token in sentence]):
            if part[0].i <= start + phrase.start and start + phrase.end <= part[-1].i + 1:
                yield start + phrase.start, start + phrase.end, label


def _sentences(docs: Sequence[Doc], line_breaks: str) -> list[list[list[int]]]:
    """The tokens of each sentence of each document that are no white space.

    Where a document has no sentences they are found in its text, and it gets them.
    """
    texts = [doc.text for doc in docs if not doc.has_annotation("SENT_START")]
    split = iter(sentences.split_each(texts, line_breaks=line_breaks))
    return [_places(doc, None if doc.has_annotation("SENT_START") else next(split)) for doc in docs]


def _places(doc: Doc, found: list[Tokens] | None) -> list[list[int]]:
    words = [token.i for token in doc if not token.is_space]
    if found is None:
        numbers = list(accumulate(int(token.is_sent_start is True) for token in doc))
    else:
        starts = [tokens.start for tokens in found]
        numbers = [bisect_right(starts, token.idx) for token in doc]
        firsts = [next(places) for _, places in groupby(words, key=numbers.__getitem__)]
        begins = {0, *firsts[1:]}  # white space before the first sentence belongs to it
        for token in doc:
            token.is_sent_start = token.i in begins
    return [list(places) for _, places in groupby(words, key=numbers.__getitem__)]


def _ordered(task: str, answer: Any) -> list[Labelled]:
    """The spans of an answer, predicate by predicate, those of each from left to right."""
    spans = output_of(task).spans(answer)
    return sorted(spans, key=lambda span: (span.predicate or 0, span.phrase.start))


def _spans(doc: Doc, task: str, places: list[int], answer: Any) -> Iterator[Span]:
    """The spans of a sentence, whose tokens have these places in the document."""
    for (first, last, label), predicate in _ordered(task, answer):
        id_ = "" if predicate is None else str(places[predicate])
        yield Span(doc, places[first], places[last - 1] + 1, label=label, span_id=id_)


def _probabilities(task: str, answer: Any) -> list[float]:
    """The probability of each span, in the same order, where they were asked for."""
    scores = (span.score(answer) for span in _ordered(task, answer))
    return [score for score in scores if score is not None]


def _document(doc: Doc) -> Document:
    """The value of `doc._.senna`."""
    if KEPT not in doc.user_data:
        remedy = 'Choose nlp.add_pipe("senna", config={"document": True}).'
        raise SennaError("no senna.Document was kept", where="doc._.senna", remedy=remedy)
    kept = doc.user_data[KEPT]
    if not isinstance(kept, Kept):  # spaCy has stored it
        kept = doc.user_data[KEPT] = Kept(kept)
    return kept.document


class Kept(str):
    """A document as its JSON, which spaCy can store."""

    @classmethod
    def of(cls, document: Document) -> Kept:
        kept = cls(document.to_json())
        kept.document = document
        return kept

    @cached_property
    def document(self) -> Document:
        return Document.from_json(str(self))

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


Doc.set_extension(KEPT, getter=_document, force=True)
if not Span.has_extension(SCORE):
    Span.set_extension(SCORE, default=None)
