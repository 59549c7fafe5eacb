"""Universal Dependencies (CoNLL-U): words and their language-specific tags, or all columns.

Of the columns, empty nodes and enhanced dependencies are left out, of MISC all but SpaceAfter=No,
and of the comments all but a sentence's id, its text, and where documents and paragraphs begin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import TypeVar

from senna.corpora.tagged import (
    SourcePaths,
    TaggedDocument,
    TaggedWords,
    excluded_sentences,
    read_text,
    without,
)
from senna.formats.conllu import as_conllu
from senna.formats.conllu_lines import (
    DEPS,
    EMPTY,
    FORM,
    ID,
    MISC,
    XPOS,
    ConlluSentence,
    read_conllu,
)

T = TypeVar("T")

# Genres of GUM whose texts anyone may reuse. Left out: essay, fiction, letter, podcast, whow and
# reddit (non-commercial), conversation (its licence is stated differently in different places).
GUM_GENRES = frozenset(
    ["academic", "bio", "court", "interview", "news", "speech", "textbook", "vlog", "voyage"]
)
# A recording from the corpus that `conversation` was left out for, and a transcript from a site
# whose terms are non-commercial.
GUM_LEFT_OUT = frozenset(["GUM_court_carpet", "GUM_court_insanity"])
_KEPT = re.compile(r"# *(sent_id|text|newdoc( id)?|newpar( id)?) *(=|$)")
_OPENS = re.compile(r"# *new(doc|par)")
_GLUED = "SpaceAfter=No"


def free(documents: Mapping[str, T]) -> list[T]:
    """Of the documents of GUM, by their ids, those whose texts anyone may reuse, ordered by id."""
    known = sorted(documents.keys() - GUM_LEFT_OUT)
    return [documents[name] for name in known if name.split("_")[1] in GUM_GENRES]


def documents_of(text: str) -> dict[str, list[ConlluSentence]]:
    """{id: sentences} of the documents of a CoNLL-U file."""
    documents: dict[str, list[ConlluSentence]] = {}
    name = ""
    for sentence in read_conllu(text.split("\n"), name="source"):
        name = sentence.comment("newdoc id") or name
        documents.setdefault(name, []).append(sentence)
    return documents


def tagged_documents(text: str) -> dict[str, TaggedDocument]:
    """The same; sentences are (FORM, XPOS) pairs."""
    return {
        name: [[(row[FORM], row[XPOS]) for row in sentence.words] for sentence in sentences]
        for name, sentences in documents_of(text).items()
    }


def tagged(sources: SourcePaths, *, only_free: bool) -> dict[str, list[TaggedDocument]]:
    """Documents in their released order, or (`only_free`, of GUM) those that anyone may reuse."""
    converted = {}
    for split, path in sources.items():
        documents = tagged_documents(read_text(path))
        converted[split] = free(documents) if only_free else [*documents.values()]
    return converted


def training_sentences(name: str, path: Path) -> list[TaggedWords]:
    """The sentences of pos/ewt or pos/gum ("ewt" or "gum") from their downloaded train file."""
    documents = tagged({"train": path}, only_free=name == "gum")["train"]
    kept = without(documents, excluded_sentences(f"pos/{name}")["train"])
    return [sentence for document in kept for sentence in document]


def columns(name: str) -> Callable[[SourcePaths], dict[str, str]]:
    """The converter of ud/ewt, ud/gum and so on; of GUM only what anyone may reuse."""

    def convert(sources: SourcePaths) -> dict[str, str]:
        excluded = excluded_sentences(name)
        return {
            f"{split}.conllu": _written(chain.from_iterable(documents), excluded[split])
            for split, path in sources.items()
            for every in [documents_of(read_text(path))]
            for documents in [free(every) if name == "ud/gum" else every.values()]
        }

    return convert


def _written(sentences: Iterable[ConlluSentence], excluded: Collection[str]) -> str:
    """Sentences as they are kept; excluded: the ids of those that are left out."""
    texts, opening = [], list[str]()
    for sentence in sentences:
        comments = [comment for comment in sentence.comments if _KEPT.match(comment)]
        if sentence.comment("sent_id") in excluded:  # the next one opens what it would
            opening = comments if sentence.opens_document else []
            opening = [comment for comment in opening if _OPENS.match(comment)]
            continue
        rows = [list(row) for row in sentence.rows if "." not in row[ID]]
        for row in rows:
            row[DEPS], row[MISC] = EMPTY, _GLUED if _GLUED in row[MISC].split("|") else EMPTY
        texts.append(as_conllu([*opening, *comments], rows))
        opening = []
    return "".join(texts)
