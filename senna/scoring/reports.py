"""Scores of each kind of answers, as `senna eval` reports them: pairs, figures, additions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, TextIO

from senna.annotation.scheme_detection import check_tags
from senna.errors import SennaError
from senna.formats.columns import without_text
from senna.formats.conllu import sentence_of, text_of
from senna.formats.conllu_lines import EMPTY, filled
from senna.formats.gold import read_labels
from senna.formats.props import propositions_of, read_props
from senna.kinds import fields_of
from senna.kinds.answer import Gold, GoldOptions, of_sentence
from senna.kinds.lemmas.answer import compared as compared_lemma
from senna.kinds.scores import Figures, Scores, Source, Work, opened, rounded, shown
from senna.kinds.tags.answer import merge_to
from senna.pipeline.evaluate import pipeline_for
from senna.pipeline.format import as_lines
from senna.scoring import accuracy, confusion, conlleval, evalb, srleval, udeval
from senna.scoring.conlleval import TaggedSentence, read_tagged
from senna.text.lemmas import Lemma
from senna.text.sentences import split
from senna.text.vocabulary import normalise

SHOWN_SCHEMES = {"iobes": "IOBES", "bilou": "BILOU", "bracket": "brackets"}


class Report:
    """How gold and predicted answers of a kind are paired and counted."""

    of_gold: frozenset[str] = frozenset()  # options of `senna eval` for reading gold
    of_files: frozenset[str] = frozenset()  # options for scoring files
    of_models: frozenset[str] = frozenset()  # options for scoring a model
    side_by_side = False  # whether gold and predicted answers are columns of one file
    # Tasks whose answers are scored with its own, if the model has them: then `pair` takes the
    # answers of all, by task.
    beside: tuple[str, ...] = ()

    def read_pairs(self, gold: Source, predicted: Source | None, work: Work) -> Iterator[Any]:
        """Read pairs of gold and predicted sentences, from one file or two."""
        raise NotImplementedError

    def pair(self, gold: Gold, predicted: Any) -> Any:
        """Return the pair of a gold sentence and a predicted answer, as `score` takes it."""
        raise NotImplementedError

    def score(self, pairs: Iterable[Any], work: Work) -> Scores:
        """Return the full report of some pairs."""
        raise NotImplementedError


class TagReport(Report):
    """Accuracy of tags; with --as-is or --raw what conlleval reports."""

    side_by_side = True
    of_models = frozenset({"as_is", "merge_to", "latex", "confusion", "errors"})
    of_files = of_models | {"raw", "outside", "delimiter"}

    def read_pairs(
        self, gold: Source, predicted: Source | None, work: Work
    ) -> Iterator[TaggedSentence]:
        """Columns whose last two are gold and predicted; undecodable bytes are kept."""
        options, name = work.options, shown(gold)
        delimiter = options.get("delimiter")
        if delimiter is None and options.get("as_is"):
            delimiter = " "
        raw, outside = options.get("raw", False), options.get("outside", "O")
        with opened(gold, "surrogateescape") as file:
            lines = file if delimiter or raw else without_text(file, name)
            yield from read_tagged(lines, name=name, delimiter=delimiter, raw=raw, outside=outside)

    def pair(self, gold: Gold, predicted: list[str]) -> TaggedSentence:
        return TaggedSentence(gold.forms, gold.answer, predicted, gold.name, gold.line)

    def score(self, pairs: Iterable[TaggedSentence], work: Work) -> Scores:
        if work.options.get("as_is") or work.options.get("raw"):
            return of_phrases(pairs, work)
        sentences = _merged(pairs, work)
        confuse(sentences, confusion.tag_pairs, work)
        scores = accuracy.score(sentences, work.known, normalise)
        if sentences and work.known is None and not scores.accuracy:
            work.notes.append("no tag is right: the last two columns are gold and predicted")
        return scores


class PhraseReport(TagReport):
    """The report of conlleval."""

    of_files = TagReport.of_files - {"merge_to"} | {"relaxed"}
    of_models = TagReport.of_models - {"merge_to"} | {"relaxed"}

    def score(self, pairs: Iterable[TaggedSentence], work: Work) -> Scores:
        return of_phrases(pairs, work)


class MarkReport(PhraseReport):
    """The same of predicates, which files of roles have."""

    of_gold = frozenset({"kinds", "columns"})


class LemmaReport(TagReport):
    """Accuracy of lemmas; any is right where gold is open."""

    of_files = frozenset()

    def pair(self, gold: Gold, predicted: list[str]) -> TaggedSentence:
        lemmas = list(map(Lemma.of, gold.forms, gold.answer))
        return super().pair(gold, list(map(compared_lemma, lemmas, predicted)))


class RoleReport(Report):
    """The report of srl-eval; of a model, with its excess predicates counted."""

    of_gold = MarkReport.of_gold
    of_files = frozenset({"latex", "confusion"})
    of_models = of_files | {"predicates"}

    def read_pairs(self, gold: Source, predicted: Source | None, work: Work) -> Iterator[Any]:
        """Two files of props."""
        warn = work.notes.append
        both = two_files(work, gold, predicted, "props", "props", "surrogateescape")
        with both as (lines, others, names):
            golden = read_props(lines, name=names[0], warn=warn)
            guessed = read_props(others, name=names[1], warn=warn)
            yield from srleval.pairs_of(golden, guessed, warn)

    def pair(self, gold: Gold, predicted: Any) -> srleval.RolePair:
        answers = propositions_of(gold.answer), propositions_of(predicted)
        return srleval.RolePair(*answers, gold.others)

    def score(self, pairs: Iterable[srleval.RolePair], work: Work) -> Scores:
        wanted = work.options.get("confusion", False)
        # Predicates that a model misses are in its figures.
        warn = work.notes.append if work.known is None else None
        scores = srleval.score(pairs, warn=warn, with_confusion=wanted)
        if work.options.get("predicates", "gold") == "gold":
            return scores
        counts = Figures.of(*scores.predicates)
        figures = f"precision {counts.precision:.2f}, recall {counts.recall:.2f}"
        work.notes.append(f"predicates: {figures}, F1 {counts.f1:.2f}")
        counted = scores.with_excess()
        without = scores.with_excess(of_other_kinds=False).overall.f1, scores.overall.f1
        work.notes.append(
            f"roles: F1 {counted.overall.f1:.2f} with the arguments of all excess predicates, "
            f"{without[0]:.2f} without those of other kinds of predicates, {without[1]:.2f} "
            "without any, as srl-eval.pl counts"
        )
        names = "f1", "f1_without_other_kinds", "f1_without_excess"
        values = map(rounded, (counted.overall.f1, *without))
        work.tables["excess_predicates"] = dict(zip(names, values, strict=True))
        return counted


class TreeReport(Report):
    """The report of evalb."""

    def read_pairs(self, gold: Source, predicted: Source | None, work: Work) -> Iterator[Any]:
        """Two files of trees."""
        both = two_files(work, gold, predicted, "trees", "mrg", "surrogateescape")
        with both as (lines, others, names):
            yield from evalb.read_pairs(lines, others, names, work.notes.append)

    def pair(self, gold: Gold, predicted: Any) -> evalb.TreePair:
        return evalb.compared(gold.answer, predicted)

    def score(self, pairs: Iterable[evalb.TreePair], work: Work) -> Scores:
        return evalb.score(pairs, work.notes.append)


class ArcReport(Report):
    """The report of the scorer of the CoNLL 2018 shared task."""

    of_models = frozenset({"from_text"})
    beside = ("pos", "lemma", "upos", "feats")

    def read_pairs(self, gold: Source, predicted: Source | None, work: Work) -> Iterator[Any]:
        """Two files in CoNLL-U, as one pair: their sentences need not be the same."""
        with two_files(work, gold, predicted, "CoNLL-U", "conllu") as (lines, others, names):
            yield udeval.read_side(lines, names[0]), udeval.read_side(others, names[1])

    def from_text(
        self, gold: Iterator[Gold], model: str | Path, work: Work, tagged: Callable[[int], object]
    ) -> Iterator[Any]:
        """Documents of gold sentences, and what a model finds in their texts, split anew."""
        pipeline = pipeline_for(model, work.task)
        for held in _documents(gold):
            document = [sentence.given for sentence in held if sentence.given]  # CoNLL-U has it
            text = text_of(document)
            lines = as_lines(text, split(text))
            answers = pipeline.annotate([line.words for line in lines])
            tagged(sum(len(line.tokens) for line in lines))
            system = [sentence_of(line, of_sentence(answers, i)) for i, line in enumerate(lines)]
            yield document, system

    def pair(self, gold: Gold, predicted: dict[str, Any]) -> Any:
        assert gold.given is not None  # only CoNLL-U has such gold
        nothing = dict.fromkeys(udeval.PREDICTED, [EMPTY] * len(gold.forms))
        fields = nothing | fields_of(predicted, gold.forms)
        return [gold.given], [filled(gold.given, fields)]

    def score(self, pairs: Iterable[Any], work: Work) -> Scores:
        return udeval.score(pairs)


def _documents(sentences: Iterable[Gold]) -> Iterator[list[Gold]]:
    """The sentences of each document."""
    held: list[Gold] = []
    for sentence in sentences:
        if held and sentence.opens:
            yield held
            held = []
        held.append(sentence)
    if held:
        yield held


class LabelReport(Report):
    """Accuracy of labels, and the figures of each."""

    of_files = of_models = frozenset({"latex", "confusion", "errors"})

    def read_pairs(
        self, gold: Source, predicted: Source | None, work: Work
    ) -> Iterator[TaggedSentence]:
        """Two files of labels and texts, as `--format tsv` writes them."""
        with two_files(work, gold, predicted, "labels", "tsv") as (lines, others, names):
            both = zip((lines, others), names, strict=True)
            for one, other in zip_longest(*(read_labels(*file, GoldOptions()) for file in both)):
                if one is None or other is None:
                    what = "ends before the other file does"
                    raise SennaError(what, where=names[other is None])
                if one.forms != other.forms:
                    what = f"another text than that of {names[0]}:{one.line}"
                    raise SennaError(what, where=f"{names[1]}:{other.line}")
                yield self.pair(one, other.answer)

    def pair(self, gold: Gold, predicted: str) -> TaggedSentence:
        """The whole text stands as one word, with its labels as tags."""
        text = " ".join(gold.forms)
        return TaggedSentence([text], [gold.answer], [predicted], gold.name, gold.line)

    def score(self, pairs: Iterable[TaggedSentence], work: Work) -> Scores:
        sentences = list(pairs)
        confuse(sentences, confusion.tag_pairs, work)
        return accuracy.score_labels(sentences)


@contextmanager
def two_files(
    work: Work,
    gold: Source,
    predicted: Source | None,
    kind: str,
    suffix: str,
    errors: str = "strict",
) -> Iterator[tuple[TextIO, TextIO, tuple[str, str]]]:
    """Two files, open, and their names for messages.

    Raises SennaError if there is no second one, or both are standard input.
    """
    if predicted is None:
        what = f"--task {work.task} needs two files of {kind}, gold and predicted, or a --model"
        remedy = f"Example: senna eval --task {work.task} gold.{suffix} pred.{suffix}"
        raise SennaError(what, remedy=remedy)
    if gold == predicted == "-":
        what = "gold and predicted cannot both come from standard input"
        raise SennaError(what, remedy="Name a file for one of them.")
    with opened(gold, errors) as lines, opened(predicted, errors) as others:
        yield lines, others, (shown(gold), shown(predicted))


def of_phrases(pairs: Iterable[TaggedSentence], work: Work) -> Scores:
    """Columns that conlleval would misread are read in their own scheme, unless --as-is is set."""
    sentences = _merged(pairs, work)
    read_as: dict[str, str] = {}
    if not work.options.get("as_is") and not work.options.get("raw"):
        for side in ("gold", "predicted"):
            check_tags((s.words, getattr(s, side), s.name, s.line) for s in sentences)
        read_as = conlleval.schemes_of(sentences)
    as_is = conlleval.score(sentences) if read_as and work.known is None else None
    sentences = list(conlleval.in_iob2(sentences, read_as)) if read_as else sentences
    scores = conlleval.score(sentences, read_as)
    for scheme, title in SHOWN_SCHEMES.items():
        columns = " and ".join(name for name, read in read_as.items() if read == scheme)
        if columns and as_is and as_is.counts(*as_is.labels) != scores.counts(*scores.labels):
            work.notes.append(f"{columns} read as {title}; --as-is reads them as conlleval does")
    if work.options.get("relaxed"):
        counts = confusion.relaxed_scores(sentences)
        work.text += "\n" + confusion.relaxed_table(counts)
        work.tables["relaxed"] = confusion.relaxed_entries(counts)
    confuse(sentences, confusion.phrase_pairs, work)
    return scores


def _merged(pairs: Iterable[TaggedSentence], work: Work) -> list[TaggedSentence]:
    if not work.options.get("merge_to"):
        return list(pairs)
    return [
        pair._replace(
            gold=merge_to(pair.words, pair.gold), predicted=merge_to(pair.words, pair.predicted)
        )
        for pair in pairs
    ]


def confuse(sentences: list[TaggedSentence], pairs: confusion.PhrasePairs, work: Work) -> None:
    """Add the table and the errors that are asked for."""
    shown, n = work.options.get("confusion"), work.options.get("errors", 0)
    counts = confusion.confusion(sentences if shown or n else [], pairs)
    if shown:
        work.text += "\n" + confusion.table(counts)
        work.tables["confusion"] = confusion.table_entries(counts)
    if n:
        work.text += "\n" + confusion.error_list(counts, n)
        work.tables["errors"] = confusion.error_entries(counts, n)


REPORTS = {
    "tags": TagReport(),
    "phrases": PhraseReport(),
    "marks": MarkReport(),
    "lemmas": LemmaReport(),
    "roles": RoleReport(),
    "trees": TreeReport(),
    "dependencies": ArcReport(),
    "labels": LabelReport(),
}
