"""Sets that are published as columns: CrossNER, WikiGold, WNUT-17, Tweebank and Broad Twitter.

They are read here and not with `senna.text.columns`, which refuses what these files have: lines
without a tag, words with spaces in them, blank lines made of tabs.
"""

from __future__ import annotations

from collections.abc import Mapping

from senna.corpora.tagged import SourcePaths, TaggedDocument, map_labels, read_text
from senna.text.schemes import phrases_of


def _named(kinds: Mapping[str | None, str]) -> dict[str, str | None]:
    """{label of a set: ours} from {ours: labels of the set}."""
    return {label: name for name, labels in kinds.items() for label in labels.split()}


_SAME = _named({name: name for name in ("PER", "LOC", "ORG", "MISC")})
_CROSSNER = _named(
    {
        "PER": "person politician writer musicalartist scientist researcher",
        "LOC": "location country astronomicalobject",
        "ORG": "organisation politicalparty band university magazine academicjournal",
        "MISC": "misc event election award book poem album song product conference programlang",
        None: "literarygenre musicgenre musicalinstrument field task algorithm metrics protein "
        "chemicalcompound chemicalelement enzyme discipline theory",
    }
)
_CROSSNER_DOMAINS = ("politics", "science", "music", "literature", "ai")
_WNUT = _named(
    {
        "PER": "person",
        "LOC": "location",
        "ORG": "corporation group",
        "MISC": "creative-work product",
    }
)


def read_columns(
    text: str,
    labels: Mapping[str, str | None] = _SAME,
    *,
    delimiter: str | None = "\t",
    misc_needs_capital: bool = False,
) -> list[TaggedDocument]:
    """Documents of a file of columns, word first and tag last; -DOCSTART- opens a document.

    A line without a tag ends a sentence, as a blank one does. With `misc_needs_capital` a MISC
    phrase without any capital letter or digit is dropped.
    """
    documents: list[TaggedDocument] = [[]]
    words: list[str] = []
    tags: list[str] = []

    def end_sentence() -> None:
        marked = _drop_lower_case_misc(words, tags, labels) if misc_needs_capital else tags
        sentence = map_labels(words, marked, labels)
        if sentence:
            documents[-1].append(sentence)
        words.clear()
        tags.clear()

    for line in [*text.split("\n"), ""]:
        fields = line.rstrip("\r").split(delimiter)
        if fields and fields[0] == "-DOCSTART-":
            end_sentence()
            documents.append([])
        elif len(fields) < 2 or not fields[-1].strip():
            end_sentence()
        else:
            words.append(fields[0])
            tags.append(fields[-1].strip())
    return [document for document in documents if document]


def _drop_lower_case_misc(
    words: list[str], tags: list[str], labels: Mapping[str, str | None]
) -> list[str]:
    """`tags` with O over phrases that would be MISC but hold no capital letter and no digit."""
    kept = list(tags)
    for start, end, label in phrases_of(tags, "iob2"):
        text = "".join(words[start:end])
        if labels[label] == "MISC" and not any(c.isupper() or c.isdigit() for c in text):
            kept[start:end] = ["O"] * (end - start)
    return kept


def crossner(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """All five domains; each is one "document"."""

    def documents(name: str) -> list[TaggedDocument]:
        return read_columns(read_text(sources[name]), _CROSSNER, misc_needs_capital=True)

    return {
        split: [
            document for domain in _CROSSNER_DOMAINS for document in documents(f"{domain}-{split}")
        ]
        for split in ("train", "dev", "test")
    }


def wikigold(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Every other document, the first included, as dev; the others are kept for a last test."""
    return {"dev": read_columns(read_text(sources["wikigold"]), delimiter=None)[0::2]}


def wnut17(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Emerging entities, its six types made four."""
    return {split: read_columns(read_text(path), _WNUT) for split, path in sources.items()}


def tweebank(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Tweebank-NER, which has our four types."""
    return {split: read_columns(read_text(path)) for split, path in sources.items()}


def btc(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Broad Twitter Corpus: sections a, b, e and g are train, h is dev, f is test."""
    sections = {"train": "abeg", "dev": "h", "test": "f"}
    return {
        split: [document for name in names for document in read_columns(read_text(sources[name]))]
        for split, names in sections.items()
    }
