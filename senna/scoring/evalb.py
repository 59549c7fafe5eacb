"""Precision, recall and F1 of constituents, with the figures and layout of evalb and COLLINS.prm.

A file has one tree per line. Words tagged as traces or punctuation (`LEFT_OUT`) go before anything
is compared, then brackets without a word, and TOP. Labels are cut at their first ``-`` or ``=``;
PRT is ADVP. A bracket is correct when label and span are those of a gold one, each of which is
found once; it crosses when it overlaps a gold one and neither holds the other, whatever their
labels. Sentences whose words differ, or with brackets that are not closed, are errors and count for
nothing; those without a predicted word are skipped; the twelfth error ends the run. The figures are
given for all sentences, and of those of at most 40 words, punctuation included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from senna.annotation.trees import TOP, Tree, constituents, tree_of, words_of
from senna.formats.brackets import read_trees
from senna.kinds.scores import Figures, Scores, rounded

LEFT_OUT = frozenset({"-NONE-", ",", ":", "``", "''", "."})
SHORT = 40  # words
ERRORS = 11  # that a run bears
VALID, ERROR, SKIP = range(3)
_UNCLOSED = "Bracketing is unbalanced (too many open bracket)"

# Gold and predicted trees of a line, mostly one each, and how many brackets of each are not closed.
TreePair = tuple[Sequence[Tree], Sequence[Tree], tuple[int, int]]
Bracket = tuple[str, int, int]  # label, first word, end; an end of -1 where it is not closed


class Row(NamedTuple):
    """The counts of a sentence; `length` are its gold words, traces aside."""

    length: int = 0
    status: int = VALID
    correct: int = 0  # brackets
    gold: int = 0
    predicted: int = 0
    crossing: int = 0
    words: int = 0
    right_tags: int = 0


@dataclass(frozen=True)
class TreeScores(Scores):
    """Counts of brackets by label, and a row for each sentence."""

    rows: list[Row]
    stop: str = ""

    @property
    def status(self) -> int:
        return 1 if self.stop else 0

    @property
    def accuracy(self) -> float:
        return _rates(_sum(self.rows))[2]

    def report(self, *, latex: bool = False) -> str:
        text = _HEADING + "".join(_line(i, row) for i, row in enumerate(self.rows, start=1))
        if self.stop:
            return text
        text += _total(_sum(self.rows)) + "=== Summary ===\n" + _summary("All", self.rows)
        return text + _summary(f"len<={SHORT}", _short(self.rows))

    def as_dict(self) -> dict[str, object]:
        return {**_figures(self.rows), f"up_to_{SHORT}_words": _figures(_short(self.rows))}


def score(pairs: Iterable[TreePair], warn: Callable[[str], None]) -> TreeScores:
    """Score trees line by line; `warn` gets the errors in evalb's words."""
    gold, predicted, correct = Counter[str](), Counter[str](), Counter[str]()
    rows, errors = list[Row](), 0
    for number, (gold_trees, predicted_trees, open_brackets) in enumerate(pairs, start=1):
        one, other = map(_flat, (gold_trees, predicted_trees), open_brackets)
        unclosed = [_UNCLOSED for n_open in open_brackets if n_open]
        differ = _difference(one, other)
        for what in filter(None, (*unclosed, differ)):
            warn(f"{number} : {what}")
        errors += bool(unclosed or differ)
        if errors > ERRORS:
            return TreeScores(gold, predicted, correct, rows, f"more than {ERRORS} errors")
        if differ or not other.words:
            rows.append(Row(one.length, ERROR if differ else SKIP))
            continue
        rows.append(_row(one, other, ERROR if unclosed else VALID))
        if not unclosed:
            gold.update(label for label, _, _ in one.brackets.elements())
            predicted.update(label for label, _, _ in other.brackets.elements())
            correct.update(label for label, _, _ in (one.brackets & other.brackets).elements())
    return TreeScores(gold, predicted, correct, rows)


def f1(gold: Iterable[Tree], predicted: Iterable[Tree]) -> float:
    """F1 of brackets of some trees, over the same words."""
    return score(map(compared, gold, predicted), lambda line: None).overall.f1


def compared(gold: Tree, predicted: Tree) -> TreePair:
    """Gold's parts of speech say what is punctuation: otherwise slips of tags would be errors.

    Such a slip is a wrong tag.
    """
    leaves = []
    for word, leaf in zip(words_of(gold), predicted.leaves(), strict=True):
        tag = "" if leaf.label in LEFT_OUT else leaf.label
        label = word.label if word.label in LEFT_OUT else tag
        leaves.append(Tree(label, word=word.word))
    return [gold], [tree_of(constituents(predicted), leaves)], (0, 0)


class _Flat(NamedTuple):
    """The words, tags and brackets of a line that count."""

    length: int
    words: list[str]
    tags: list[str]
    brackets: Counter[Bracket]


def _flat(trees: Sequence[Tree], n_open: int) -> _Flat:
    """A line's trees, of whose last one the `n_open` outermost brackets on the right are open."""
    opened, node = set[int](), trees[-1] if trees else None
    while node and not node.is_leaf and len(opened) < n_open:
        opened.add(id(node))
        node = node.children[-1]
    length, kept, brackets = 0, list[Tree](), Counter[Bracket]()
    waiting = [(tree, -1) for tree in reversed(trees)]
    while waiting:
        tree, start = waiting.pop()
        if tree.is_leaf:
            length += tree.label != "-NONE-"
            kept += [tree] * (tree.label not in LEFT_OUT)
        elif start < 0:  # its children come first
            waiting.append((tree, len(kept)))
            waiting += [(child, -1) for child in reversed(tree.children)]
        elif (len(kept) > start or id(tree) in opened) and tree.label != TOP:
            label = tree.label.partition("-")[0].partition("=")[0]
            end = -1 if id(tree) in opened else len(kept)
            brackets["ADVP" if label == "PRT" else label, start, end] += 1
    return _Flat(length, [str(leaf.word) for leaf in kept], [leaf.label for leaf in kept], brackets)


def _difference(gold: _Flat, predicted: _Flat) -> str:
    if predicted.words and len(gold.words) != len(predicted.words):
        return f"Length unmatch ({len(gold.words)}|{len(predicted.words)})"
    pairs = zip(gold.words, predicted.words, strict=False)
    return next((f"Words unmatch ({one}|{other})" for one, other in pairs if one != other), "")


def _row(gold: _Flat, predicted: _Flat, status: int) -> Row:
    def crosses(one: Bracket, other: Bracket) -> bool:
        return one[1] < other[1] < one[2] < other[2] or other[1] < one[1] < other[2] < one[2]

    return Row(
        gold.length,
        status,
        (gold.brackets & predicted.brackets).total(),
        gold.brackets.total(),
        predicted.brackets.total(),
        sum(
            any(crosses(bracket, one) for one in gold.brackets)
            for bracket in predicted.brackets.elements()
        ),
        len(gold.words),
        sum(one == other for one, other in zip(gold.tags, predicted.tags, strict=True)),
    )


def read_pairs(
    gold: Iterable[str],
    predicted: Iterable[str],
    names: tuple[str, str],
    warn: Callable[[str], None],
) -> Iterator[TreePair]:
    """The trees of two files, line by line, up to the end of the shorter one.

    Brackets that are not closed end with the line. Raises SennaError, with the line, for what else
    is no tree.
    """
    for number, (one, other) in enumerate(zip_longest(gold, predicted), start=1):
        if one is None or other is None:
            longer = "test" if one is None else "gold"
            warn(f"{number} : Number of lines unmatch (too many lines in {longer} file)")
            return
        (trees, left), (guesses, more) = map(_trees, (one, other), names, (number, number))
        yield trees, guesses, (left, more)


def _trees(text: str, name: str, line: int) -> tuple[list[Tree], int]:
    """The trees of a line, and how many of its brackets are not closed."""
    missing = max(text.count("(") - text.count(")"), 0)
    return list(read_trees(text + ")" * missing, name, line)), missing


_RULE = "=" * 76 + "\n"
_HEADING = f"""\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
{_RULE}"""


def _short(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.length <= SHORT]


def _sum(rows: Sequence[Row]) -> Row:
    valid = [row[2:] for row in rows if row.status == VALID]
    return Row(0, VALID, *map(sum, zip(*valid, strict=True)))


def _rates(row: Row) -> tuple[float, float, float]:
    pairs = ((row.correct, row.gold), (row.correct, row.predicted), (row.right_tags, row.words))
    recall, precision, accuracy = (100 * part / max(whole, 1) for part, whole in pairs)
    return recall, precision, accuracy


def _line(number: int, row: Row) -> str:
    recall, precision, accuracy = _rates(row)
    return (
        f"{number:4}  {row.length:3}    {row.status}  {recall:6.2f} {precision:6.2f}   "
        f"{row.correct:3}    {row.gold:3}  {row.predicted:3}    {row.crossing:3}   "
        f"{row.words:4}  {row.right_tags:4}   {accuracy:6.2f}\n"
    )


def _total(row: Row) -> str:
    recall, precision, accuracy = _rates(row)
    text = _RULE
    if row.gold and row.predicted:  # evalb leaves out half of the line
        text += (
            f"{'':16}{recall:6.2f} {precision:6.2f} {row.correct:6} {row.gold:5} {row.predicted:5}"
        )
        text += f"  {row.crossing:5}"
    return f"{text}  {row.words:5} {row.right_tags:5}   {accuracy:6.2f}\n"


def _figures(rows: Sequence[Row]) -> dict[str, float]:
    total, valid = _sum(rows), [row for row in rows if row.status == VALID]
    status, n = Counter(row.status for row in rows), max(len(valid), 1)
    return {
        "sentences": len(rows),
        "errors": status[ERROR],
        "skipped": status[SKIP],
        "valid": status[VALID],
        **Figures.of(total.gold, total.predicted, total.correct).as_dict(),
        "complete_match": rounded(100 * sum(x.correct == x.gold == x.predicted for x in valid) / n),
        "average_crossing": rounded(total.crossing / n),
        "no_crossing": rounded(100 * sum(row.crossing == 0 for row in valid) / n),
        "up_to_2_crossing": rounded(100 * sum(row.crossing <= 2 for row in valid) / n),
        "accuracy": rounded(_rates(total)[2]),
    }


def _summary(title: str, rows: Sequence[Row]) -> str:
    figures = _figures(rows)
    # Where nothing is right evalb divides by zero, and prints this on most machines.
    f1 = f"{figures['f1']:6.2f}" if figures["f1"] else "  -nan"
    return f"""
-- {title} --
Number of sentence        = {figures["sentences"]:6}
Number of Error sentence  = {figures["errors"]:6}
Number of Skip  sentence  = {figures["skipped"]:6}
Number of Valid sentence  = {figures["valid"]:6}
Bracketing Recall         = {figures["recall"]:6.2f}
Bracketing Precision      = {figures["precision"]:6.2f}
Bracketing FMeasure       = {f1}
Complete match            = {figures["complete_match"]:6.2f}
Average crossing          = {figures["average_crossing"]:6.2f}
No crossing               = {figures["no_crossing"]:6.2f}
2 or less crossing        = {figures["up_to_2_crossing"]:6.2f}
Tagging accuracy          = {figures["accuracy"]:6.2f}
"""
