"""Phrases that do not nest, as IOBES tags: chunks, names, the segments of PT0, values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from senna.answers.base import SPAN, TASK, Gold, GoldOptions, Labelled, LabelRow, Line, Record
from senna.answers.tags import TagOutput, in_scheme, written_spans
from senna.errors import SennaError, located
from senna.text.schemes import Phrase, all_tags, convert, phrases_of, tags_of

if TYPE_CHECKING:
    from senna.scoring.figures import Scores
    from senna.scoring.tagged import TaggedSentence
    from senna.scoring.work import Work

IOBES = ("B-", "I-", "E-", "S-")
LEFT_OUT = ("EDITED", "META")  # treebanks of speech have them, PT0's 25 types are without


class PhraseOutput(TagOutput):
    """Answers are lists of IOBES tags, which may be `Scored`."""

    fields: ClassVar[Record] = {
        "tags": {TASK: [str]},
        "spans": {TASK: [{"label": str, **SPAN}]},
    }
    gives = "phrases"
    is_iobes = True
    has_phrases = True
    measure = "F1"
    mark = "O"
    of_files = TagOutput.of_files - {"merge_to"} | {"relaxed"}
    of_models = TagOutput.of_models - {"merge_to"} | {"relaxed"}

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        """Tags as IOBES, whatever scheme the file has."""
        from senna.scoring.tagged import check_tags
        from senna.text.detection import detect

        check_tags((s.forms, s.answer, name, s.line) for s in gold)
        kinds = {tag[0] for sentence in gold for tag in sentence.answer}
        if "S" in kinds and kinds & {"B", "I"} and "E" not in kinds:
            what = "tags with S- beside B- or I-, but none with E-: two schemes are mixed"
            raise SennaError(what, where=name, mend="Write a phrase of one word as B-, as in IOB2.")
        with located(name):
            scheme = detect([sentence.answer for sentence in gold])
            return [
                sentence._replace(answer=convert(sentence.answer, scheme, "iobes"))
                for sentence in gold
            ]

    def vocabulary(self, answers: Iterable[list[str]]) -> list[str]:
        """O and all four IOBES tags of each type."""
        types = sorted({tag[2:] for answer in answers for tag in answer if tag != "O"})
        return all_tags(types)

    def accepts(self, tags: Sequence[str]) -> bool:
        return all(tag == "O" or (tag[:2] in IOBES and len(tag) > 2) for tag in tags)

    def percent(self, gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
        """F1 of phrases."""
        from senna.scoring.figures import Figures

        counts = [0, 0, 0]
        for tags, guess in zip(gold, predicted, strict=True):
            right = set(phrases_of(tags, "iobes"))
            guessed = right if guess == tags else set(phrases_of(guess, "iobes"))
            for i, phrases in enumerate((right, guessed, right & guessed)):
                counts[i] += len(phrases)
        return Figures.of(*counts).f1

    def score(self, pairs: Iterable[TaggedSentence], work: Work) -> Scores:
        from senna.scoring import reports

        return reports.of_phrases(pairs, work)

    def write(self, record: Record, task: str, line: Line, answer: list[str], scheme: str) -> None:
        record["tags"][task] = in_scheme(answer, scheme)
        record["spans"][task] = written_spans(line, "label", self.phrases(answer), answer)

    def phrases(self, tags: Sequence[str]) -> list[Phrase]:
        return phrases_of(tags, "iobes")

    def label_rows(self, words: Sequence[str], task: str, answer: list[str]) -> list[LabelRow]:
        return [LabelRow(task, task, self.phrases(answer))]

    def spans(self, answer: list[str]) -> Iterator[Labelled]:
        return map(Labelled, self.phrases(answer))


class SegmentOutput(PhraseOutput):
    """The lowest constituents of trees (section 6.5), those of PT0's 25 types."""

    def read(self, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
        for gold in super().read(lines, name, how):
            yield gold._replace(answer=self.regular(gold.answer))

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        sentences = super().learnable(gold, name)
        return [sentence._replace(answer=self.regular(sentence.answer)) for sentence in sentences]

    def regular(self, tags: list[str]) -> list[str]:
        return ["O" if tag[2:] in LEFT_OUT else tag for tag in tags]


class ValueOutput(PhraseOutput):
    """Dates, times, sums of money and numbers, which rules find; each has a value, by its words."""

    fields: ClassVar[Record] = {
        "tags": {TASK: [str]},
        "spans": {TASK: [{"label": str, **SPAN, "value": str}]},
    }
    has_scores = False

    def complete(
        self, answer: list[str], forms: Sequence[str], others: Mapping[str, Any]
    ) -> list[str]:
        """The phrases that rules find, in the place of an empty answer."""
        from senna.text.values import find

        return answer or tags_of(find(forms), len(forms), "iobes")

    def write(self, record: Record, task: str, line: Line, answer: list[str], scheme: str) -> None:
        """The same as of other phrases, and of each its value, "" where it has none."""
        from senna.text.values import value_of

        super().write(record, task, line, answer, scheme)
        for span in record["spans"][task]:
            words = line.words[span["first"] : span["last"]]
            span["value"] = value_of(words, span["label"])


OUTPUTS = {"phrases": PhraseOutput(), "segments": SegmentOutput(), "values": ValueOutput()}
