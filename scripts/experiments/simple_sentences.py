"""Generate simple sentences with parts of speech, chunks, PT0, predicates and trees, to learn from.

    python scripts/experiments/simple_sentences.py --out runs/simple [--number 4000]

Web text has few sentences such as "Bob yawns." Here subjects, verbs and objects are drawn from word
lists: verbs of PropBank's frame files in the forms that the corpora have or, with -s, that the base
table knows; nouns and adjectives of EWT; first names and places of the phrase lists. A fifth are
their opposites, where the same place has a plural noun ("Apple sales rose"). Verbs and names of
tests/quality/spans are left out, so that what is measured there was never seen.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

from demo_corpus import columns  # noqa: E402
from demo_corpus.dice import Dice  # noqa: E402
from demo_corpus.tree import Node, Predicate, bracketed, leaf, number, phrase, words  # noqa: E402

from senna.files import open_text  # noqa: E402

SPANS = HERE.parents[2] / "tests" / "quality" / "spans"
LEFT_OUT = set("be have do go use take make give get let like".split())
PRONOUNS = {"he": "s", "she": "s", "it": "s", "they": "", "we": "", "you": "", "I": ""}
TAILS = [
    "(ADVP now/RB)", "(ADVP often/RB)", "(ADVP again/RB)", "(ADVP slowly/RB)", "(ADVP here/RB)",
    "(NP every/DT week/NN)", "(NP this/DT year/NN)", "(NP last/JJ month/NN)", "(NP today/NN)",
]  # fmt: skip
Forms = dict[str, dict[str, list[str]]]  # lemma -> tag -> forms


def rows(path: Path) -> Iterator[list[list[str]]]:
    """The sentences of a file of columns."""
    block: list[list[str]] = []
    with open_text(path) as lines:
        for line in lines:
            if line.strip():
                block.append(line.rstrip("\n").split("\t"))
            elif block:
                yield block
                block = []


class Lexicon:
    """The words that sentences are drawn from."""

    def __init__(self, data: Path, known: set[str]) -> None:
        tested = {w.strip("[]").lower() for p in SPANS.glob("*.txt") for w in p.read_text().split()}
        self.forms: Forms = defaultdict(lambda: defaultdict(list))
        for corpus in ("ewt", "masc"):
            for sentence in rows(data / f"srl/{corpus}/train.xz"):
                for row in sentence:
                    if row[5] == "v" and row[1].islower() and row[1].isalpha():
                        lemma, tag = row[4].rpartition(".")[0], row[2]
                        if (
                            tag in ("VBZ", "VBD", "VBP", "VB")
                            and row[1] not in self.forms[lemma][tag]
                        ):
                            self.forms[lemma][tag].append(row[1])
        with open_text(data / "srl/frames/inventory.tsv.xz") as lines:
            for line in lines:
                for name in line.split("\t")[1].split():
                    lemma, _, kind = name.rpartition(":")
                    third = singular(lemma)
                    if kind == "v" and lemma.isalpha() and lemma in known and third in known:
                        self.forms[lemma]["VBZ"] = self.forms[lemma]["VBZ"] or [third]
                        self.forms[lemma]["VBP"] = self.forms[lemma]["VBP"] or [lemma]
        wrong = {
            lemma
            for lemma, forms in self.forms.items()
            if lemma in LEFT_OUT or any(form in tested for own in forms.values() for form in own)
        }
        self.verbs = sorted(
            lemma for lemma, own in self.forms.items() if lemma not in wrong and own["VBZ"]
        )
        counts: Counter[tuple[str, str]] = Counter()
        for sentence in rows(data / "pos/ewt/train.xz"):
            counts.update(
                (word, tag) for word, tag, *_ in sentence if word.islower() and word.isalpha()
            )
        often = {pair for pair, n in counts.items() if n >= 3}
        self.nouns, self.plurals, self.adjectives = (
            sorted(word for word, tag in often if tag == wanted and word not in tested)
            for wanted in ("NN", "NNS", "JJ")
        )
        people = phrases(data / "gazetteers/per.txt.xz")
        first = Counter(name[0] for name in people if len(name) == 2)
        self.first = sorted(
            name for name, n in first.items() if n >= 8 and name.lower() not in tested
        )
        self.last = sorted(n for [n] in (p for p in people if len(p) == 1) if n.lower() in known)
        places = phrases(data / "gazetteers/loc.txt.xz")
        self.places = sorted(n for [n] in (p for p in places if len(p) == 1) if n.lower() in known)
        firms = phrases(data / "gazetteers/org.txt.xz")
        self.firms = sorted(n for [n] in (p for p in firms if len(p) == 1) if n.lower() in known)


def singular(lemma: str) -> str:
    """A verb with -s."""
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return lemma + "es"
    return lemma[:-1] + "ies" if lemma[-1] == "y" and lemma[-2] not in "aeiou" else lemma + "s"


def phrases(path: Path) -> list[list[str]]:
    """The phrases of a list, without those that have more than letters."""
    with open_text(path) as lines:
        names = [line.split() for line in lines]
    return [name for name in names if all(word.isascii() and word.isalpha() for word in name)]


class Writer:
    """Draws sentences."""

    def __init__(self, lexicon: Lexicon, seed: str) -> None:
        self.words, self.dice = lexicon, Dice(seed)

    def sentence(self) -> Node:
        """A tree of one sentence, numbered."""
        if self.dice.chance(0.2):
            return number(phrase("TOP", *self.plural_noun()))
        subject, third = self.subject()
        verb = self.verb(third)
        rest: list[Node | None] = []
        shape = self.dice.weighted(
            {"object": 5.0, "place": 2.0, "alone": 2.0, "object, place": 1.0}
        )
        if "object" in shape:
            rest.append(self.object())
        if "place" in shape:
            rest.append(self.place())
        elif self.dice.chance(0.25):
            rest.append(self.tail())
        group = phrase("VP", verb, *rest)
        return number(phrase("TOP", phrase("S", subject, group, leaf(".", "."))))

    def subject(self) -> tuple[Node, bool]:
        """A subject, and whether its verb has -s."""
        kind = self.dice.weighted(
            {"first": 4.0, "full": 1.0, "pronoun": 1.0, "noun": 2.0, "plural": 2.0}
        )
        if kind in ("first", "full"):
            last = [leaf("NNP", self.dice.pick(self.words.last))] if kind == "full" else []
            return phrase("NP", leaf("NNP", self.dice.pick(self.words.first)), *last), True
        if kind == "pronoun":
            word = self.dice.pick(list(PRONOUNS))
            return phrase("NP", leaf("PRP", word.capitalize())), bool(PRONOUNS[word])
        if kind == "noun":
            opening = self.dice.pick(
                ["The/DT", "A/DT", "My/PRP$", "Our/PRP$", "His/PRP$", "Every/DT"]
            )
            return phrase("NP", *words(opening), leaf("NN", self.dice.pick(self.words.nouns))), True
        noun = self.dice.pick(self.words.plurals)
        opening = self.dice.pick(["", "The/DT", "Many/JJ", "Some/DT", "Two/CD", "Our/PRP$"])
        if not opening:
            return phrase("NP", leaf("NNS", noun.capitalize())), False
        return phrase("NP", *words(opening), leaf("NNS", noun)), False

    def verb(self, third: bool) -> Node:
        """A finite verb, as a predicate."""
        lemma = self.dice.pick(self.words.verbs)
        own = self.words.forms[lemma]
        tags = ["VBZ" if third else "VBP"] * 3 + ["VBD"]
        tag = self.dice.pick([tag for tag in tags if own[tag]] or ["VBZ"])
        node = leaf(tag, self.dice.pick(own[tag]))
        node.predicate = Predicate(f"{lemma}.01", "v")
        return node

    def object(self) -> Node:
        """A noun phrase."""
        noun, plural = self.dice.pick(self.words.nouns), self.dice.pick(self.words.plurals)
        adjective = self.dice.pick(self.words.adjectives)
        text = self.dice.pick(
            [f"the/DT {noun}/NN", f"{plural}/NNS", f"{adjective}/JJ {plural}/NNS", f"{noun}/NN",
             f"a/DT {noun}/NN", f"the/DT {plural}/NNS", f"his/PRP$ {noun}/NN"]
        )  # fmt: skip
        return phrase("NP", *words(text))

    def place(self) -> Node:
        """Where it happens."""
        if self.dice.chance(0.6):
            name = phrase("NP", leaf("NNP", self.dice.pick(self.words.places)))
            return phrase("PP", leaf("IN", "in"), name)
        noun = phrase("NP", leaf("DT", "the"), leaf("NN", self.dice.pick(self.words.nouns)))
        return phrase("PP", leaf("IN", self.dice.pick(["in", "near", "at", "on"])), noun)

    def tail(self) -> Node:
        """When or how."""
        label, _, text = self.dice.pick(TAILS).strip("()").partition(" ")
        return phrase(label, *words(text))

    def plural_noun(self) -> Iterable[Node]:
        """A plural noun behind a name: "Apple sales rose.", or without a verb."""
        name = leaf("NNP", self.dice.pick([*self.words.firms, *self.words.places]))
        noun = leaf("NNS", self.dice.pick(self.words.plurals))
        subject = phrase("NP", name, noun)
        if self.dice.chance(0.3):
            return [subject]
        verb = self.verb(False)
        rest = self.object() if self.dice.chance(0.5) else None
        return [phrase("S", subject, phrase("VP", verb, rest), leaf(".", "."))]


def write(trees: list[Node], out: Path) -> None:
    """Write one file per task."""
    out.mkdir(parents=True, exist_ok=True)
    makers = {
        "pos": columns.pos_rows, "chunk": columns.chunk_rows, "pt0": columns.pt0_rows,
        "srl": columns.srl_rows,
    }  # fmt: skip
    for name, make in makers.items():
        text = "".join(
            "".join("\t".join(row) + "\n" for row in make(tree)) + "\n" for tree in trees
        )
        (out / f"{name}.txt").write_text(text, encoding="utf-8", newline="\n")
    (out / "trees.mrg").write_text("".join(f"{bracketed(t)}\n" for t in trees), "utf-8")


def lexicon_of_data() -> Lexicon:
    """The words of the corpora in $SENNA_DATA that the package's base table knows."""
    known = set((HERE.parents[2] / "senna/models/base/words.txt").read_text("utf-8").split("\n"))
    return Lexicon(Path(os.environ["SENNA_DATA"]), known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--number", type=int, default=4000)
    parser.add_argument("--seed", default="simple 1")
    chosen = parser.parse_args()
    lexicon = lexicon_of_data()
    print(len(lexicon.verbs), "verbs,", len(lexicon.first), "first names")
    writer = Writer(lexicon, chosen.seed)
    trees = [writer.sentence() for _ in range(chosen.number)]
    write(trees, chosen.out)


if __name__ == "__main__":
    main()
