"""Names in GUM, read off its entity layer (see `senna.corpora.sources.gum_names`)."""

from __future__ import annotations

from collections.abc import Iterable

from senna.corpora.catalogue import resource_lines
from senna.corpora.sources.gum_mentions import read_gum_documents
from senna.corpora.sources.gum_names import Lexicon, names_of
from senna.corpora.sources.ud import free
from senna.corpora.tagged import SourcePaths, TaggedDocument, from_phrases, read_text

HASHES = "corpora/gum-words.txt"


def common_words(texts: Iterable[str]) -> set[str]:
    """Words in lower case that are no proper nouns, in CoNLL-U files of all genres."""
    rows = (line.split("\t") for text in texts for line in text.split("\n") if "\t" in line)
    return {row[1] for row in rows if row[1].islower() and row[4] not in ("NNP", "NNPS")}


def read_lexicon(lines: Iterable[str], common: set[str]) -> Lexicon:
    """The lexicon whose hashed words stand in `lines`: `people HASH` or `place HASH`."""
    kinds: dict[str, set[str]] = {"people": set(), "place": set()}
    for line in lines:
        kind, _, digest = line.partition(" ")
        kinds[kind].add(digest)
    return Lexicon(common, peoples=kinds["people"], places=kinds["place"])


def ner(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """The documents of `pos/gum`, with IOB2 tags of names in place of parts of speech."""
    texts = {split: read_text(path) for split, path in sources.items()}
    lexicon = read_lexicon(resource_lines(HASHES), common_words(texts.values()))
    return {
        split: [
            [
                from_phrases([t.form for t in tokens], names_of(tokens, lexicon))
                for tokens in document
            ]
            for document in free(read_gum_documents(text))
        ]
        for split, text in texts.items()
    }
