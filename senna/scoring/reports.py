"""The reports of tags, phrases and roles, with what options add to them."""

from __future__ import annotations

from collections.abc import Iterable

from senna.kinds import accuracy
from senna.kinds.figures import Figures, Scores, rounded
from senna.kinds.tagged import TaggedSentence, check_tags, merge_to
from senna.kinds.work import Work
from senna.scoring import confusion, conlleval, relaxed, srleval
from senna.text.vocabulary import normalise

SHOWN_SCHEMES = {"iobes": "IOBES", "bilou": "BILOU", "bracket": "brackets"}


def of_tags(pairs: Iterable[TaggedSentence], work: Work) -> Scores:
    """Accuracy; with --as-is or --raw what conlleval reports."""
    if work.options.get("as_is") or work.options.get("raw"):
        return of_phrases(pairs, work)
    sentences = _merged(pairs, work)
    confuse(sentences, confusion.tag_pairs, work)
    return accuracy.score(sentences, work.known, normalise)


def of_phrases(pairs: Iterable[TaggedSentence], work: Work) -> Scores:
    """Columns that conlleval would misread are read in their own scheme, unless --as-is is set."""
    sentences = _merged(pairs, work)
    read_as: dict[str, str] = {}
    if not work.options.get("as_is") and not work.options.get("raw"):
        for side in ("gold", "predicted"):
            check_tags((s.words, getattr(s, side), s.name, s.line) for s in sentences)
        read_as = conlleval.schemes_of(sentences)
    as_is = conlleval.score(sentences) if read_as else None
    sentences = list(conlleval.in_iob2(sentences, read_as)) if read_as else sentences
    scores = conlleval.score(sentences, read_as)
    for scheme, shown in SHOWN_SCHEMES.items():
        columns = " and ".join(name for name, read in read_as.items() if read == scheme)
        if columns and as_is and as_is.counts(*as_is.labels) != scores.counts(*scores.labels):
            work.notes.append(f"{columns} read as {shown}; --as-is reads them as conlleval does")
    if work.options.get("relaxed"):
        counts = relaxed.score(sentences)
        work.text += "\n" + relaxed.table(counts)
        work.tables["relaxed"] = relaxed.entries(counts)
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


def of_roles(pairs: Iterable[srleval.RolePair], work: Work) -> Scores:
    """The report of srl-eval; of a model, with its excess predicates counted."""
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
