"""Universal Dependencies (CoNLL-U): words and their language-specific tags (XPOS)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

T = TypeVar("T")

# Genres of GUM whose texts anyone may reuse. Left out: essay, fiction, letter, podcast, whow and
# reddit (non-commercial), conversation (its licence is stated differently in different places).
GUM_GENRES = frozenset(
    ["academic", "bio", "court", "interview", "news", "speech", "textbook", "vlog", "voyage"]
)
# A recording from the corpus that `conversation` was left out for, and a transcript from a site
# whose terms are non-commercial.
GUM_LEFT_OUT = frozenset(["GUM_court_carpet", "GUM_court_insanity"])


def conllu_rows(text: str) -> Iterator[tuple[str, list[list[list[str]]]]]:
    """(id, sentences) of each document of a CoNLL-U file; a word is the list of its ten fields.

    The words are the syntactic words: empty nodes and the lines of multiword tokens (which stand
    before their parts) are left out.
    """
    name, document = "", list[list[list[str]]]()
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        for line in (row[0] for row in rows if row[0].startswith("# newdoc id = ")):
            if document:
                yield name, document
            name, document = line.removeprefix("# newdoc id = ").strip(), []
        if sentence := [row for row in rows if row[0].isdigit()]:
            document.append(sentence)
    if document:
        yield name, document


def read_conllu(text: str) -> Iterator[tuple[str, TaggedDocument]]:
    """(id, sentences) of each document of a CoNLL-U file; sentences are (FORM, XPOS) pairs."""
    for name, sentences in conllu_rows(text):
        yield name, [[(fields[1], fields[4]) for fields in sentence] for sentence in sentences]


def ewt(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """English Web Treebank, all documents in their released order."""
    return {
        split: [document for _, document in read_conllu(read_text(path))]
        for split, path in sources.items()
    }


def free(documents: Iterable[tuple[str, T]]) -> list[T]:
    """Of the documents of GUM, by their ids, those whose texts anyone may reuse, ordered by id."""
    known = {name: document for name, document in documents if name not in GUM_LEFT_OUT}
    return [known[name] for name in sorted(known) if name.split("_")[1] in GUM_GENRES]


def gum(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Georgetown University Multilayer corpus, the documents whose texts anyone may reuse."""
    return {split: free(read_conllu(read_text(path))) for split, path in sources.items()}


def training_sentences(name: str, path: Path) -> list[TaggedWords]:
    """The sentences of pos/ewt or pos/gum ("ewt" or "gum") from their downloaded train file."""
    documents = {"ewt": ewt, "gum": gum}[name]({"train": path})["train"]
    return [
        s for kept in without(documents, excluded_sentences(f"pos/{name}")["train"]) for s in kept
    ]


def eslspok(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Interviews with learners of English, one document per split, tagged as EWT and GUM are.

    A preposition *to* is IN, quotation marks are two tags in turn, and the one X is FW.
    """
    return {
        split: [
            [
                _as_in_ewt(sentence)
                for _, document in conllu_rows(read_text(path))
                for sentence in document
            ]
        ]
        for split, path in sources.items()
    }


def _as_in_ewt(sentence: list[list[str]]) -> TaggedWords:
    pairs: TaggedWords = []
    inside = False
    for _, form, _, _, tag, _, _, relation, *_ in sentence:
        if form == '"':
            tag, inside = "''" if inside else "``", not inside
        elif tag == "TO" and relation in ("case", "fixed"):
            tag = "IN"
        elif tag == "X":
            tag = "FW"
        pairs.append((form, tag))
    return pairs
