"""One label per sentence, such as an opinion or a topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar

from senna.annotation.schemes import Phrase
from senna.decoding.requests import DIGITS
from senna.errors import SennaError
from senna.kinds.answer import (
    TASK,
    Columns,
    Gold,
    GoldOptions,
    LabelRow,
    Line,
    Output,
    Record,
    label,
    probability,
)
from senna.registry import LABELLED_TREES, SCORERS

if TYPE_CHECKING:
    from senna.kinds.figures import Scores
    from senna.kinds.tagged import TaggedSentence
    from senna.kinds.work import Work
    from senna.text.tokenizer import Tokens

REST = "_"  # in columns, for the words after the first
OF_LABELS = frozenset({"latex", "confusion", "errors"})
Pairs = Sequence[Sequence[str]]  # of a pattern of labels and their name: `DataConfig.labels`


class Label(str):
    """The label of a sentence; `scores` has the probability of each label, where asked for.

    `nodes` are the labels of the nodes of a binary tree, each before its parts, where there is one;
    of gold that has none for a node, "".
    """

    scores: Mapping[str, float]
    nodes: Sequence[str]

    def __new__(
        cls, name: str, scores: Mapping[str, float] | None = None, nodes: Sequence[str] = ()
    ) -> Label:
        label = super().__new__(cls, name)
        label.scores, label.nodes = scores or {}, nodes
        return label

    @property
    def score(self) -> float | None:
        """How probable it is, where scores were asked for."""
        return self.scores.get(self)


def commonest(labels: Sequence[Label]) -> Label:
    """The label that most of some sentences have, the first of equals; "" of none.

    Its probabilities are the means over the sentences that have it.
    """
    counts = Counter(labels)
    name = max(counts, key=counts.__getitem__, default="")
    return Label(name, means([label for label in labels if label == name]))


def means(labels: Sequence[Label]) -> dict[str, float]:
    """The mean probability of each label over the sentences that have some."""
    names = dict.fromkeys(name for label in labels for name in label.scores)
    return {
        name: sum(label.scores.get(name, 0) for label in labels) / len(labels) for name in names
    }


def named(label: str, pairs: Pairs) -> str:
    """The name of a label, "" of one that is left out; SennaError for one without a pair."""
    for pattern, name in pairs:
        if fnmatchcase(label, pattern.strip()):
            return name.strip()
    if pairs:
        remedy = f"It knows {', '.join(pattern.strip() for pattern, _ in pairs)}."
        raise SennaError(f"label {label!r:.60} has no name in data.label.labels", remedy=remedy)
    return label


class LabelOutput(Output):
    """Answers are texts, those of models `Label`."""

    fields: ClassVar[Record] = {TASK: str}
    gives = "labels"
    measure = "accuracy"
    mark = REST
    of_files = of_models = OF_LABELS
    suffix = "tsv"
    of_sentences = True
    score_type = float

    def read(self, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
        """Lines of a label, a tab and a text, tokenised as `senna tag` does; or labelled trees."""
        if how.columns:
            raise SennaError("labels have no columns to be named", where=name)
        pairs, is_tree = [pair.split("=") for pair in how.labels.split(",") if pair], None
        for number, line in enumerate(lines, start=1):
            line = line.removeprefix("\ufeff").rstrip("\r\n")
            if not line.strip():
                continue
            before, is_tree = is_tree, line.lstrip().startswith("(") and "\t" not in line
            try:
                if before not in (None, is_tree):
                    what = "the file mixes trees and lines of a label and a text"
                    raise SennaError(what, remedy="Use two files.")
                sentences = LABELLED_TREES["nodes"].labelled if is_tree else _texts
                yield from sentences(line, pairs, name, number)
            except SennaError as error:
                where = error.where or f"{name}:{number}"
                raise SennaError(error.what, where=where, remedy=error.remedy) from None

    def brackets(self, answer: Label, n: int, tree: Sequence[Phrase] | None = None) -> list[Phrase]:
        """One around the sentence, then those of the other nodes of its tree; "" has no label."""
        if tree is None:
            return [Phrase(0, n, answer)]
        spans: list[Phrase] = LABELLED_TREES["nodes"].nodes_over(tree, n)
        names = answer.nodes or [answer] + [""] * (len(spans) - 1)
        return [Phrase(*span[:2], name) for span, name in zip(spans, names, strict=True)]

    def vocabulary(self, answers: Iterable[Label]) -> list[str]:
        names = {str(name) for answer in answers for name in (answer, *answer.nodes)}
        return sorted(names - {""})

    def check(self, train: Sequence[str], others: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Two labels are needed, and other sets may have none that training lacks."""
        known = set(train)
        if len(known) == 1:
            what = f"all training sentences have one label, {train[0]!r:.60}"
            raise SennaError(what, remedy="At least two labels are needed.")
        for name, answers in others:
            new = next((n for n, answer in enumerate(answers, 1) if answer not in known), None)
            if known and new:
                remedy = f"Training has {', '.join(sorted(known)):.200}."
                what = f"label {answers[new - 1]!r:.60} of sentence {new}"
                raise SennaError(what, where=name, remedy=remedy)

    # ------------------------------------------------------------------------- scores

    def percent(self, gold: Sequence[str], predicted: Sequence[str]) -> float:
        """The share of right labels."""
        from senna.kinds.figures import percent

        return percent(sum(map(str.__eq__, gold, predicted)), len(gold))

    def read_pairs(self, gold: str, predicted: str | None, work: Work) -> Iterator[TaggedSentence]:
        """Two files of labels and texts, as `--format tsv` writes them."""
        with work.two_files(gold, predicted, self.gives, self.suffix) as (lines, others, names):
            both = zip(names, (lines, others), strict=True)
            for one, other in zip_longest(*(self.read(file, n, GoldOptions()) for n, file in both)):
                if one is None or other is None:
                    what = "ends before the other file does"
                    raise SennaError(what, where=names[other is None])
                if one.forms != other.forms:
                    what = f"another text than that of {names[0]}:{one.line}"
                    raise SennaError(what, where=f"{names[1]}:{other.line}")
                yield self.pair(one, other.answer)

    def pair(self, gold: Gold, predicted: str) -> TaggedSentence:
        """The whole text stands as one word, with its labels as tags."""
        from senna.kinds.tagged import TaggedSentence

        text = " ".join(gold.forms)
        return TaggedSentence([text], [gold.answer], [predicted], gold.name, gold.line)

    def score(self, pairs: Iterable[TaggedSentence], work: Work) -> Scores:
        """Accuracy, and the figures of each label."""
        from senna.kinds import accuracy

        confusion = SCORERS["confusion"]
        reports = SCORERS["reports"]
        sentences = list(pairs)
        reports.confuse(sentences, confusion.tag_pairs, work)
        return accuracy.score_labels(sentences)

    def join(self, parts: Sequence[Label], starts: Sequence[int], n: int, given: bool) -> Label:
        """The label that most parts have."""
        return commonest(parts)

    # ------------------------------------------------------------------------- output

    def columns(self, words: Sequence[str], answer: Label, scheme: str) -> Columns:
        """The label at the first word, then its probability where scores were asked for."""
        values = [str(answer)]
        if answer.score is not None:
            values.append(f"{answer.score:.{DIGITS}f}")
        return [[value, *[REST] * (len(words) - 1)][: len(words)] for value in values]

    def cells(self, words: Sequence[str], answer: Label, scheme: str) -> list[str]:
        """Nothing: a label says nothing of words."""
        return [""] * len(words)

    def of_words(self, answer: Label, n: int) -> dict[str, Sequence[Any]]:
        return {TASK: [str(answer)] * n}

    def scores(self, answer: Label) -> Any:
        return answer.score

    def write(self, record: Record, task: str, line: Line, answer: Label, scheme: str) -> None:
        record[task] = answer

    def parse(self, record: Record, task: str, tokens: Tokens) -> Label:
        score = record.get("scores", {}).get(task)
        name = label(record[task])
        return Label(name, {} if score is None else {name: probability(score)})

    def label_rows(self, words: Sequence[str], task: str, answer: Label) -> list[LabelRow]:
        """A row with one label under all words."""
        return [LabelRow(task, task, [Phrase(0, len(words), answer)])]


def _texts(line: str, pairs: Pairs, name: str, number: int) -> Iterator[Gold]:
    """The sentence of a line LABEL, tab, text."""
    from senna.text.tokenizer import tokenize

    label, tab, text = line.partition("\t")
    forms, label = [token.text for token in tokenize(text)], label.strip()
    if not (tab and label and forms):
        part = "text after the tab" if tab and label else "label before the tab"
        raise SennaError(f"no {part}" if tab else "no tab", remedy="A line is LABEL, tab, text.")
    if "\t" in text.strip("\t"):
        raise SennaError("a second tab", remedy="A line is LABEL, tab, text; the text has no tab.")
    if chosen := named(label, pairs):
        yield Gold(forms, Label(chosen), {}, name, number)


OUTPUTS = {"labels": LabelOutput()}
