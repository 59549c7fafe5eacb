"""Universal Dependencies (CoNLL-U) with all columns: what is gold of words and their trees.

Empty nodes and enhanced dependencies are left out, of MISC all but SpaceAfter=No, and of the
comments all but a sentence's id, its text, and where documents and paragraphs begin.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from senna.corpora.sources.ud import free
from senna.corpora.tagged import SourcePaths, excluded_sentences, read_text
from senna.text.conllu import DEPS, EMPTY, ID, MISC, ConlluSentence, as_conllu, read_conllu

_KEPT = re.compile(r"# *(sent_id|text|newdoc( id)?|newpar( id)?) *(=|$)")
_OPENS = re.compile(r"# *new(doc|par)")
_GLUED = "SpaceAfter=No"


def _sentences(sources: SourcePaths, split: str) -> list[ConlluSentence]:
    path = sources[split]
    return list(read_conllu(read_text(path).splitlines(keepends=True), name=str(path)))


def _written(sentences: Iterable[ConlluSentence], excluded: Collection[str] = ()) -> str:
    """Sentences as they are kept; excluded: the ids of those that are left out."""
    texts, opening = [], list[str]()
    for sentence in sentences:
        comments = [comment for comment in sentence.comments if _KEPT.match(comment)]
        if sentence.comment("sent_id") in excluded:  # the next one opens what it would
            opening = comments if sentence.opens_document else []
            opening = [comment for comment in opening if _OPENS.match(comment)]
            continue
        texts.append(_trimmed([*opening, *comments], sentence.rows))
        opening = []
    return "".join(texts)


def _trimmed(comments: Sequence[str], every: Sequence[Sequence[str]]) -> str:
    rows = [list(row) for row in every if "." not in row[ID]]
    for row in rows:
        row[DEPS], row[MISC] = EMPTY, _GLUED if _GLUED in row[MISC].split("|") else EMPTY
    return as_conllu(comments, rows)


def _texts(sources: SourcePaths, name: str) -> dict[str, str]:
    excluded = excluded_sentences(name)
    return {
        f"{split}.conllu": _written(_sentences(sources, split), excluded[split])
        for split in sources
    }


def ewt(sources: SourcePaths) -> dict[str, str]:
    """The English Web Treebank, all documents in their released order."""
    return _texts(sources, "ud/ewt")


def eslspok(sources: SourcePaths) -> dict[str, str]:
    """Interviews with learners of English; without lemmas and features."""
    return _texts(sources, "ud/eslspok")


def pronouns(sources: SourcePaths) -> dict[str, str]:
    """Constructed sentences with possessive pronouns."""
    return _texts(sources, "ud/pronouns")


def gum(sources: SourcePaths) -> dict[str, str]:
    """Georgetown University Multilayer corpus, the documents whose texts anyone may reuse."""
    excluded = excluded_sentences("ud/gum")
    texts = {}
    for split in sources:
        documents: dict[str, list[ConlluSentence]] = {}
        name = ""
        for sentence in _sentences(sources, split):
            name = sentence.comment("newdoc id") or name
            documents.setdefault(name, []).append(sentence)
        kept = [sentence for document in free(documents.items()) for sentence in document]
        texts[f"{split}.conllu"] = _written(kept, excluded[split])
    return texts
