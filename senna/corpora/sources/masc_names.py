"""MASC's layer of names: people, places and organizations in stand-off annotation (GrAF)."""

from __future__ import annotations

import gzip
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar
from xml.etree import ElementTree
from zipfile import ZipFile

from senna.corpora.catalogue import resource_lines, word_list
from senna.corpora.sources.fewnerd import TITLES
from senna.corpora.sources.ud import training_sentences
from senna.corpora.tagged import (
    SourcePaths,
    TaggedDocument,
    TaggedWords,
    apart,
    from_phrases,
    longest_first,
)
from senna.text.schemes import Phrase, phrases_of

DOCUMENT_LIST = "corpora/masc-name-documents.txt"  # those that may be used and are not held out
FOLDER = "PropBankOriginal/MASC-3.0.0/data"

_LABELS = {"person": "PER", "location": "LOC", "org": "ORG"}
_LONGEST = 150  # words of a sentence
_PARTICLES = word_list("name-particles")
_GRAF = "{http://www.xces.org/ns/GrAF/1.0/}"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_CLITIC = re.compile(r"[^\W\d_]+?(['’](?:s|re|ll|ve|d|m)|n['’]t)", re.IGNORECASE)

Span = tuple[int, int]  # of characters
S = TypeVar("S", bound=tuple[Any, ...])


class Annotated(NamedTuple):
    """One document: its text and, as spans of it, its tokens, sentences and names."""

    text: str
    tokens: list[Span]
    sentences: list[Span]
    names: list[Phrase]


def masc_names(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Names of the documents in `DOCUMENT_LIST`; all of them are train."""
    ewt, gum = (training_sentences(name, sources[f"{name}-train"]) for name in ("ewt", "gum"))
    forms = (word.lower() for sentence in (*ewt, *gum) for word, _ in sentence)
    whole = {form for form in forms if "-" in form}
    documents = []
    with ZipFile(sources[FOLDER]) as files:
        for name in resource_lines(DOCUMENT_LIST):
            layers = [
                gzip.decompress(files.read(f"{name}{suffix}.gz"))
                for suffix in (".txt", "-seg.xml", "-penn.xml", "-s.xml", "-ne.xml")
            ]
            documents.append(list(sentences_of(read_graf(*layers), whole)))
    return {"train": documents}


# --------------------------------------------------------------------------- layers


def read_graf(
    text: bytes, segments: bytes, tokens: bytes, sentences: bytes, names: bytes
) -> Annotated:
    """A document from its text and its layers; tokens link to regions of both first layers."""
    token_layer, sentence_layer = _Layer(tokens), _Layer(sentences)
    regions = _Layer(segments).regions | token_layer.regions
    spans = {
        node: _around(regions[target] for target in targets)
        for node, targets in token_layer.links.items()
        if node in token_layer.annotations
    }
    name_layer = _Layer(names)
    phrases = set()
    for node, labels in name_layer.annotations.items():
        parts = [spans[token] for token in name_layer.edges[node] if token in spans]
        phrases |= {Phrase(*_around(parts), label) for label in labels if parts}
    return Annotated(
        text.decode(),
        sorted(set(spans.values())),
        sorted(
            {
                sentence_layer.regions[targets[0]]
                for node, targets in sentence_layer.links.items()
                if "s" in sentence_layer.annotations.get(node, ())
            }
        ),
        sorted(phrases),
    )


class _Layer:
    """The regions, links, edges and labels of one GrAF file, by the ids of their nodes."""

    def __init__(self, content: bytes) -> None:
        self.regions: dict[str, Span] = {}
        self.links: dict[str, list[str]] = {}  # regions of a node
        self.edges: dict[str, list[str]] = defaultdict(list)
        self.annotations: dict[str, list[str]] = defaultdict(list)
        for element in ElementTree.fromstring(content):
            kind = element.tag.removeprefix(_GRAF)
            if kind == "region":
                start, end = element.attrib["anchors"].split()
                self.regions[element.attrib[_ID]] = int(start), int(end)
            elif kind == "node" and (link := element.find(f"{_GRAF}link")) is not None:
                self.links[element.attrib[_ID]] = link.attrib["targets"].split()
            elif kind == "edge":
                self.edges[element.attrib["from"]].append(element.attrib["to"])
            elif kind == "a":
                self.annotations[element.attrib["ref"]].append(element.attrib["label"])


def _around(spans: Iterator[Span] | Sequence[Span]) -> Span:
    starts, ends = zip(*spans, strict=True)
    return min(starts), max(ends)


# --------------------------------------------------------------------------- sentences


def sentences_of(document: Annotated, whole: Collection[str]) -> Iterator[TaggedWords]:
    """The sentences with their names; `whole` has the words whose hyphens are not split."""
    text = document.text
    for start, end in document.sentences:
        spans: list[Span] = []
        last = -1
        for token in _within(document.tokens, start, end):
            if last <= token[0] and text[slice(*token)].strip():
                spans += split_token(text, token, whole)
                last = token[1]
        spans = join_apostrophes(text, spans)
        if not 0 < len(spans) <= _LONGEST:
            continue
        starts = {span[0]: i for i, span in enumerate(spans)}
        ends = {span[1]: i + 1 for i, span in enumerate(spans)}
        names = [
            Phrase(starts[first], ends[stop], _LABELS[label])
            for first, stop, label in sorted(_within(document.names, start, end), key=longest_first)
            if label in _LABELS
            and any(map(str.isalnum, text[first:stop]))
            and first in starts
            and stop in ends
        ]
        words = [text[slice(*span)] for span in spans]
        sentence = from_phrases(words, [name for name in apart(names) if words[name[0]] != "@"])
        if sentence:
            yield trimmed(sentence)


def _within(spans: list[S], start: int, end: int) -> list[S]:
    """Those of the sorted spans that lie between two places."""
    after = bisect_left(spans, start, key=itemgetter(0))
    before = bisect_left(spans, end, key=itemgetter(0))
    return [span for span in spans[after:before] if span[1] <= end]


def split_token(text: str, token: Span, whole: Collection[str]) -> list[Span]:
    """The words of a token as in EWT and GUM: crime-ridden is three, it's is two."""
    start, end = token
    word = text[start:end]
    if clitic := _CLITIC.fullmatch(word):
        cut = start + clitic.start(1)
        return [(start, cut), (cut, end)]
    parts = re.split("(-)", word)
    hyphenated = len(parts) > 1 and all(part.isalnum() for part in parts[::2])
    if not hyphenated or not any(map(str.isalpha, parts)) or word.lower() in whole:
        return [token]
    spans = []
    for part in parts:
        spans.append((start, start + len(part)))
        start += len(part)
    return spans


def join_apostrophes(text: str, spans: Sequence[Span]) -> list[Span]:
    """Join curly apostrophes, which are tokens of the source: world ’ s is world ’s."""
    joined: list[Span] = []
    rest = list(reversed(spans))
    while rest:
        start, end = rest.pop()
        if (
            joined
            and joined[-1][1] == start
            and text[start:end] == "’"
            and rest
            and rest[-1][0] == end
        ):
            after = text[slice(*rest[-1])].lower()
            negated = after == "t" and text[start - 1].lower() == "n" and start - joined[-1][0] > 1
            if negated:  # wasn ’ t is was n’t
                joined[-1] = joined[-1][0], start - 1
                start -= 1
            if negated or after in ("s", "re", "ll", "ve", "d", "m"):
                end = rest.pop()[1]
        joined.append((start, end))
    return joined


def trimmed(sentence: TaggedWords) -> TaggedWords:
    """Names without punctuation at their ends and, of persons, without titles.

    After a title alone, for example Mr., the name that follows is a person's whatever its label.
    """
    words, tags = map(list, zip(*sentence, strict=True))
    names = []
    title_end = -1
    for start, end, label in phrases_of(tags, "iob2"):
        follows_title, title_end = start == title_end, -1
        first, last = start, end
        while last > first and not any(map(str.isalnum, words[last - 1])):
            last -= 1
        while first < last and not any(map(str.isalnum, words[first])):
            first += 1
        if label == "PER":
            while first < last and _is_title(words[first]):
                first += 1
            if first == last and words[end - 1] in ("Mr.", "Mrs.", "Ms."):
                title_end = end
        elif follows_title:
            label = "PER"
        if first < last:
            names.append((first, last, label))
    return from_phrases(words, names)


def _is_title(word: str) -> bool:
    return word in TITLES or (word.islower() and word not in _PARTICLES)
