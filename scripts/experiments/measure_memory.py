"""Stricter rules for the memory of names (`senna.pipeline.memory`), on the dev sets of names.

usage: python scripts/experiments/measure_memory.py

Prints F1 on each set, with no memory, with the rule as it is, and where a name is repeated only if
it was seen twice, or if its mean probability so far is at least P.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from senna.answers import output_of
from senna.answers.base import GoldOptions
from senna.answers.gold import read_gold
from senna.corpora import find, split_file
from senna.files import open_text
from senna.paths.confidence import Asked
from senna.pipeline.memory import Memory, Mentions, Words
from senna.pipeline.pipeline import Pipeline
from senna.text.schemes import Phrase

SETS = ("ner/wikigold", "ner/docred", "ner/uner_ewt_misc", "ner/gum")
Sure = Callable[[int, float], bool]  # by how often it was seen, and its mean probability
RULES: dict[str, Sure] = {
    "as it is": lambda n, mean: True,
    "seen twice": lambda n, mean: n > 1,
    "P 0.6": lambda n, mean: mean >= 0.6,
    "P 0.8": lambda n, mean: mean >= 0.8,
    "twice or P 0.8": lambda n, mean: n > 1 or mean >= 0.8,
}


class Strict(Memory):
    """A memory whose new names must be sure."""

    def __init__(self, sure: Sure) -> None:
        super().__init__()
        self.sure = sure

    def _changed(self, forms: Sequence[str], names: Sequence[Phrase]) -> dict[Phrase, float | None]:
        changed, there = super()._changed(forms, names), {(n.start, n.end) for n in names}
        return {
            phrase: chance
            for phrase, chance in changed.items()
            if (phrase.start, phrase.end) in there
            or self._is_sure(self.names[tuple(forms[phrase.start : phrase.end])], phrase.label)
        }

    def _is_sure(self, mentions: Mentions, label: str) -> bool:
        count, total = mentions[label]
        return self.sure(count, total / count)


def main() -> None:
    output, pipeline = output_of("ner"), Pipeline.load(["ner"], asked=Asked(scores=True))
    table: dict[str, list[float]] = {name: [] for name in ("none", *RULES)}
    for name in SETS:
        path = str(split_file(find(name), "dev"))
        with open_text(path) as lines:
            gold = list(read_gold("ner", lines, path, GoldOptions()))
        right = [sentence.answer for sentence in output.learnable(gold, path)]
        words: list[Words | list[str]] = [sentence.forms for sentence in gold]
        found = pipeline.annotate(words)["ner"]
        table["none"].append(output.percent(right, found))
        for rule, sure in RULES.items():
            answers = {"ner": list(found)}
            Strict(sure).recall(words, [sentence.opens for sentence in gold], answers)
            table[rule].append(output.percent(right, answers["ner"]))
    print(f"{'':16}", *(f"{name:>18}" for name in (*SETS, "mean")))
    for rule, scores in table.items():
        print(f"{rule:16}", *(f"{x:18.2f}" for x in (*scores, sum(scores) / len(scores))))


if __name__ == "__main__":
    main()
