"""Measures parts of speech, names, sentences and tokens on texts of ten kinds, by kind.

    python scripts/measure_quality.py [--model MODEL ...] [--errors] [FILE ...]
    python scripts/measure_quality.py --spans [--model MODEL ...] [--errors]
    python scripts/measure_quality.py --arcs [--model MODEL ...] [--errors]
    python scripts/measure_quality.py --frames [--model MODEL ...] [--errors]
    python scripts/measure_quality.py --cuts [--errors]
    python scripts/measure_quality.py --lemmas [--model MODEL] [--errors] [FILE ...]
    python scripts/measure_quality.py --constructions [--model MODEL ...] [--errors]

The texts are those of tests/quality, written and tagged by hand for this purpose: a thermometer. No
model may learn from them, and nothing may be chosen on them: what does ceases to be measured. Their
README says what the files hold and by which conventions they were tagged.

The models are those of the package; `--model`, a name or a folder, once or more, takes the place of
these for the tasks that it has. Gold tokens are tagged, a document at a time. "pos" is the share of
words with the right part of speech; P, R and F1 are of names, as conlleval counts; "sentences" and
"tokens" are the shares of gold ones that the splitter cuts from the raw text, both ends right.
`--errors` lists what is wrong, each in its context.

`--spans` measures short sentences instead, the share that is right as a whole: simple ones whose
verb must have its frame, and names that are easily wrong (see `quality_spans`). `--arcs` measures
the subjects, objects, roots and clauses of simple sentences (see `quality_arcs`). `--frames`
measures predicates and roles in sentences of twelve kinds (see `quality_frames`). `--cuts` measures
where short texts are cut into sentences and tokens (see `quality_cuts`). `--lemmas` measures the
lemmas of inflected forms (see `quality_lemmas`). `--constructions` measures one decision in each of
some hundred sentences of eleven kinds (see `quality_constructions`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import quality_arcs
import quality_constructions
import quality_cuts
import quality_frames
import quality_lemmas
import quality_spans

import senna
from senna.files import open_text
from senna.scoring import accuracy, conlleval
from senna.scoring.figures import percent
from senna.scoring.tagged import TaggedSentence
from senna.text.schemes import Phrase, convert, phrases_of
from senna.text.sentences import split

TEXTS = Path(__file__).resolve().parents[1] / "tests" / "quality"
TASKS = ("pos", "ner")
REPORTS = {
    "spans": quality_spans,
    "arcs": quality_arcs,
    "frames": quality_frames,
    "cuts": quality_cuts,
    "lemmas": quality_lemmas,
    "constructions": quality_constructions,
}
AROUND = 3  # words of context on each side of an error
HEADING = """\
| kind | words | pos | names | P | R | F1 | sentences | tokens |
|---|---:|---:|---:|---:|---:|---:|---:|---:|"""

Cut = tuple[int, int]  # characters of a text, end exclusive


class Sentence(NamedTuple):
    """Words with their gold tags (names in IOB2), and where they stand in the document's text."""

    words: list[str]
    pos: list[str]
    ner: list[str]
    cuts: list[Cut]

    @property
    def cut(self) -> Cut:
        return self.cuts[0][0], self.cuts[-1][1]


class Document(NamedTuple):
    """A text as people would type it, and what a careful reader sees in it."""

    kind: str
    name: str
    text: str
    sentences: list[Sentence]


class Result(NamedTuple):
    """What was found in a document: tags of its gold sentences, and cuts of its raw text."""

    document: Document
    pos: list[list[str]]
    ner: list[list[str]]  # IOB2
    sentence_cuts: set[Cut]
    token_cuts: set[Cut]

    def tagged(self, task: str) -> list[TaggedSentence]:
        """The sentences with gold and found tags of a task."""
        pairs = zip(self.document.sentences, getattr(self, task), strict=True)
        return [
            TaggedSentence(sentence.words, getattr(sentence, task), predicted)
            for sentence, predicted in pairs
        ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--errors", action="store_true")
    for name in REPORTS:
        parser.add_argument(f"--{name}", action="store_true")
    chosen = parser.parse_args()
    try:
        for name, module in REPORTS.items():
            if getattr(chosen, name):
                files = [chosen.files] if name == "lemmas" else []
                print("\n".join(module.report(chosen.model, chosen.errors, *files)))
                return 0
        documents = [d for f in chosen.files or sorted(TEXTS.glob("*.txt")) for d in read(f)]
        results = measured(documents, chosen.model)
    except senna.SennaError as error:
        print(f"measure_quality: {error.of_command()}", file=sys.stderr)
        return 2
    print(HEADING)
    for kind in dict.fromkeys(document.kind for document in documents):
        print(row(kind, [result for result in results if result.document.kind == kind]))
    print(row("all", results))
    if chosen.errors:
        for result in results:
            print(f"\n{result.document.kind}, {result.document.name}")
            print("\n".join(f"  {line}" for line in errors(result)))
    return 0


def read(path: Path) -> list[Document]:
    """The documents of a file; the README beside the texts has its format.

    Raises SennaError, with the line, where it is not in that format.
    """
    kind, documents, words, start = "", list[tuple[str, list[str], list[Sentence]]](), [], 0
    with open_text(path) as file:
        lines = [*file.read().split("\n"), ""]
    for number, line in enumerate(lines, start=1):
        head, _, rest = line.partition(":")
        if head == "# kind":
            kind = rest.strip()
        elif head == "# document":
            documents.append((rest.strip(), [], []))
        elif documents and head == "# text":
            documents[-1][1].append(rest.removeprefix(" "))
        elif line:
            columns = line.split("\t")
            if not kind or not documents or len(columns) != 3:
                what = f'"{line}" is no word with its two tags in a document of a kind'
                raise senna.SennaError(what, where=f"{path}:{number}")
            words.append(columns)
            start = start or number
        elif words:
            _, text, sentences = documents[-1]
            after = sentences[-1].cut[1] if sentences else 0
            sentences.append(placed(words, "\n".join(text), after, f"{path}:{start}"))
            words, start = [], 0
    return [
        Document(kind, name, "\n".join(text), document_sentences)
        for name, text, document_sentences in documents
    ]


def placed(columns: Sequence[Sequence[str]], text: str, after: int, where: str) -> Sentence:
    """A sentence of rows of word and tags, whose words follow one another in the text."""
    cuts: list[Cut] = []
    for word, *_ in columns:
        start = text.find(word, after)
        if start < 0 or text[after:start].strip():
            raise senna.SennaError(f'the text does not go on with "{word}"', where=where)
        after = start + len(word)
        cuts.append((start, after))
    words, pos, ner = map(list, zip(*columns, strict=True))
    return Sentence(words, pos, ner, cuts)


def measured(documents: Sequence[Document], models: Sequence[str]) -> list[Result]:
    """The documents tagged and split, by the package's models or those named."""
    by_task = {task: senna.load([task]) for task in TASKS}
    for model in models:
        pipeline = senna.load(None, model)
        has = [task for task in TASKS if task in pipeline.tasks]
        if not has:
            raise senna.SennaError("it tags neither pos nor ner", where=f"--model {model}")
        by_task |= dict.fromkeys(has, pipeline)
    results = []
    for document in documents:
        words = [sentence.words for sentence in document.sentences]
        pos, ner = (by_task[task].tag(words)[task] for task in TASKS)
        sentence_offsets = [
            [(token.start, token.end) for token in pipeline] for pipeline in split(document.text)
        ]
        sentences = {(pipeline[0][0], pipeline[-1][1]) for pipeline in sentence_offsets}
        tokens = {cut for pipeline in sentence_offsets for cut in pipeline}
        names = [convert(tags, "iobes", "iob2") for tags in ner]
        results.append(Result(document, pos, names, sentences, tokens))
    return results


def row(kind: str, results: Sequence[Result]) -> str:
    """A line of the table."""
    words = accuracy.score(one for result in results for one in result.tagged("pos"))
    names = conlleval.score(one for result in results for one in result.tagged("ner"))
    sentences = [(s.cut, r.sentence_cuts) for r in results for s in r.document.sentences]
    tokens = [(c, r.token_cuts) for r in results for s in r.document.sentences for c in s.cuts]
    shares = [
        percent(sum(cut in cuts for cut, cuts in one), len(one)) for one in (sentences, tokens)
    ]
    overall = names.overall
    figures = [overall.precision, overall.recall, overall.f1, *shares]
    cells = [kind, f"{words.gold.total():,}", f"{words.accuracy:.1f}", f"{names.gold.total():,}"]
    return f"| {' | '.join([*cells, *(f'{figure:.1f}' for figure in figures)])} |"


def errors(result: Result) -> Iterator[str]:
    """What is wrong in a document, one line each."""
    document = result.document
    for sentence, pos, ner in zip(document.sentences, result.pos, result.ner, strict=True):
        if sentence.cut not in result.sentence_cuts:
            start, end = sentence.cut
            yield f"sentence not cut: {document.text[start:end]}"
        for word, cut in zip(sentence.words, sentence.cuts, strict=True):
            if cut not in result.token_cuts:
                yield f"token not cut: {word}"
        for at, (gold, predicted) in enumerate(zip(sentence.pos, pos, strict=True)):
            if gold != predicted:
                yield f"{gold} tagged {predicted}: {context(sentence.words, at, at + 1)}"
        yield from wrong_names(sentence, ner)


def wrong_names(sentence: Sentence, predicted: Sequence[str]) -> Iterator[str]:
    """Names that are missed, found with another type or extent, or found where none is."""
    words = sentence.words
    gold, ours = (phrases_of(tags, "iob2") for tags in (sentence.ner, predicted))
    for name in gold:
        over = [other for other in ours if overlap(name, other)]
        if name not in over:
            told = [f"{o.label} {' '.join(words[o.start : o.end])}" for o in over] or ["nothing"]
            place = context(words, name.start, name.end)
            yield f"{name.label} found as {' and '.join(told)}: {place}"
    for name in ours:
        if not any(overlap(name, other) for other in gold):
            yield f"no name found as {name.label}: {context(words, name.start, name.end)}"


def overlap(one: Phrase, other: Phrase) -> bool:
    return one.start < other.end and other.start < one.end


def context(words: Sequence[str], start: int, end: int) -> str:
    """Some words in brackets, with their neighbours."""
    before, after = words[max(0, start - AROUND) : start], words[end : end + AROUND]
    return " ".join([*before, f"[{' '.join(words[start:end])}]", *after])


if __name__ == "__main__":
    sys.exit(main())
