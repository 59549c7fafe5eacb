"""Measure what a memory of its document's names would gain a model of names: a trial, by rule.

usage: python scripts/experiments/measure_memory.py [--model DIR] [CORPUS:SPLIT]...

Of each document (-DOCSTART-) the model tags all sentences; then three rules look at the names found
in it: a name has the type that it had most often, what stands as a name elsewhere is one where the
model saw nothing, and a last name alone is the person's. "before": by the sentences before it, as a
stream would know them; "whole": by the whole document, for new places by names found twice.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from senna.corpora import find
from senna.evaluation import score
from senna.files import open_text
from senna.infer.pipeline import Pipeline
from senna.text import schemes
from senna.text.columns import read_columns
from senna.text.schemes import Phrase

SETS = ("ner/wikigold:dev", "ner/docred:dev", "ner/uner_ewt_misc:dev", "ner/gum:dev")
LONGEST = 5  # words of a name that is looked for
Sentence = list[str]
Names = list[Phrase]


class Memory:
    """How often names had which type, and the last names of persons."""

    def __init__(self) -> None:
        self.types: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self.last: set[str] = set()

    def learn(self, words: Sentence, names: Names) -> None:
        """Take in the names of a sentence."""
        for start, end, kind in names:
            self.types[tuple(words[start:end])][kind] += 1
            if kind == "PER" and end - start > 1:
                self.last.add(words[end - 1])

    def amend(self, words: Sentence, names: Names, first: bool, least: int) -> Names:
        """The names of a sentence in the light of others; `own`: its types are known already."""
        amended = [Phrase(s, e, self._type(words[s:e], kind, first)) for s, e, kind in names]
        covered = {i for start, end, _ in names for i in range(start, end)}
        return sorted([*amended, *self._more(words, covered, least)])

    def _type(self, words: Sentence, kind: str, first: bool) -> str:
        known = self.types.get(tuple(words))
        if not known:
            return "PER" if len(words) == 1 and words[0] in self.last else kind
        counts = known if first else known + Counter([kind])
        best, n = counts.most_common(1)[0]
        return best if n > counts[kind] else kind

    def _more(self, words: Sentence, covered: set[int], least: int) -> Iterator[Phrase]:
        for start, word in enumerate(words):
            if start in covered or not word[0].isupper():
                continue
            for end in range(min(len(words), start + LONGEST), start, -1):
                known = self.types.get(tuple(words[start:end]))
                long_enough = end - start > 1 or len(word) > 2
                free = covered.isdisjoint(range(start, end))
                if known and free and long_enough and known.total() >= least:
                    covered.update(range(start, end))
                    yield Phrase(start, end, known.most_common(1)[0][0])
                    break


def read_documents(path: Path) -> Iterator[list[tuple[Sentence, list[str]]]]:
    """Sentences with their tags in IOBES, by document."""
    document: list[tuple[Sentence, list[str]]] = []
    with open_text(path) as lines:
        for rows, _, opens in read_columns(lines, name=str(path)):
            if opens and document:
                yield document
                document = []
            words, tags = [row[0] for row in rows], [row[-1] for row in rows]
            document.append((words, schemes.convert(tags, "iob2", "iobes")))
    yield document


def remembered(document: Sequence[tuple[Sentence, Names]], whole: bool) -> list[Names]:
    """The names of a document's sentences, amended by memory."""
    memory, amended_names = Memory(), []
    for words, names in document if whole else ():
        memory.learn(words, names)
    for words, names in document:
        amended_names.append(memory.amend(words, names, whole, 2 if whole else 1))
        if not whole:
            memory.learn(words, names)
    return amended_names


def measure(pipeline: Pipeline, path: Path) -> list[float]:
    """F1 as the model tags, with the memory of what came before, and of the whole document."""
    documents = list(read_documents(path))
    gold = [tags for document in documents for _, tags in document]
    tagged = [pipeline.tag([words for words, _ in document])["ner"] for document in documents]
    scores = [score("ner", gold, [tags for document_tags in tagged for tags in document_tags])]
    for whole in (False, True):
        amended: list[list[str]] = []
        for document, document_tags in zip(documents, tagged, strict=True):
            words = [words for words, _ in document]
            names = [schemes.phrases_of(tags, "iobes") for tags in document_tags]
            memorised = remembered(list(zip(words, names, strict=True)), whole)
            amended += [
                schemes.tags_of(phrases, len(forms), "iobes")
                for forms, phrases in zip(words, memorised, strict=True)
            ]
        scores.append(score("ner", gold, amended))
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", nargs="*", default=list(SETS))
    parser.add_argument("--model", type=Path, help="folder; the package's by default")
    chosen = parser.parse_args()
    pipeline = Pipeline.load(["ner"], chosen.model)
    print("| set | as tagged | before | whole |\n|---|---:|---:|---:|")
    rows = []
    for name in chosen.corpus:
        corpus, _, split = name.rpartition(":")
        rows.append(measure(pipeline, find(corpus) / f"{split}.xz"))
        print(f"| {name} | " + " | ".join(f"{f1:.2f}" for f1 in rows[-1]) + " |")
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    print("| mean | " + " | ".join(f"{f1:.2f}" for f1 in means) + " |")


if __name__ == "__main__":
    main()
