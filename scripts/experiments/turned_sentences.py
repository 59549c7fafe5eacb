"""Generate sentences in which a verb is easily missed, to learn from, beside the simple ones.

    python scripts/experiments/turned_sentences.py --out runs/turned [--number 4000]

Clauses are subjects ("That he left annoyed her."), verbs are coordinated ("He sings and dances."),
places and negations stand first ("Behind the door hung two coats."), relative clauses follow a
subject, and orders have none. Words are drawn as in `simple_sentences.py`; verbs of
tests/quality/frames are left out too, so that what is measured there was never seen.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from simple_sentences import HERE, Lexicon, Writer, lexicon_of_data, write  # isort: skip

from demo_corpus.tree import Node, Predicate, leaf, number, phrase, words

FRAMES = HERE.parents[2] / "tests" / "quality" / "frames"
NEGATIONS = ["Rarely", "Seldom", "Never"]


class Turned(Writer):
    """Draws sentences of these kinds."""

    def __init__(self, lexicon: Lexicon, seed: str) -> None:
        super().__init__(lexicon, seed)
        tested = {
            word.lower().strip(":") for p in FRAMES.glob("*.txt") for word in p.read_text().split()
        }
        lexicon.verbs = [
            lemma
            for lemma in lexicon.verbs
            if not any(form in tested for own in lexicon.forms[lemma].values() for form in own)
        ]
        self.gerunds = [v for v in lexicon.verbs if lexicon.forms[v]["VB"] and v[-1] not in "eyn"]
        self.bases = [v for v in lexicon.verbs if lexicon.forms[v]["VB"]]

    def sentence(self) -> Node:
        """A tree of one sentence, numbered."""
        draw = self.dice.pick(
            [
                self.clause_first,
                self.coordinated,
                self.fronted,
                self.negated,
                self.relative,
                self.order,
            ]
        )
        return number(phrase("TOP", draw()))

    def clause_first(self) -> Node:
        """A clause is the subject."""
        kind = self.dice.pick(["that", "what", "who", "gerund"])
        subject, third = self.subject()
        clause = phrase("S", subject, phrase("VP", self.verb(third), self.maybe(self.object())))
        if kind == "that":
            opening = leaf("IN", self.dice.pick(["That", "Whether"]))
            clause = phrase("SBAR", opening, clause)
        elif kind == "what":
            clause = phrase("S", subject, phrase("VP", self.verb(third)))
            clause = phrase("SBAR", phrase("WHNP", leaf("WP", "What")), clause)
        elif kind == "who":
            clause = phrase("S", phrase("VP", self.verb(True), self.object()))
            clause = phrase(
                "SBAR", phrase("WHNP", leaf("WP", self.dice.pick(["Who", "Whoever"]))), clause
            )
        else:
            verb = self.predicate("VBG", self.dice.pick(self.gerunds), "ing")
            verb.word = verb.word.capitalize()
            clause = phrase("S", phrase("VP", verb, self.object()))
        if kind != "gerund":
            lower(clause, keep=1)
        return phrase("S", clause, phrase("VP", self.verb(True), self.whom()), leaf(".", "."))

    def coordinated(self) -> Node:
        """One subject has two verbs."""
        subject, third = self.subject()
        join = leaf("CC", self.dice.pick(["and", "and", "or", "but"]))
        if self.dice.chance(0.4):
            group = phrase(
                "VP", self.verb(third), join, self.verb(third), self.maybe(self.object())
            )
            return phrase("S", subject, group, leaf(".", "."))
        parts = [phrase("VP", self.verb(third), self.maybe(self.object())) for _ in "ab"]
        return phrase("S", subject, phrase("VP", parts[0], join, parts[1]), leaf(".", "."))

    def fronted(self) -> Node:
        """The place stands first, the subject last."""
        place = self.place()
        first = next(place.leaves())
        first.word = first.word.capitalize()
        subject, third = self.subject()
        lower(subject)
        return phrase("SINV", place, phrase("VP", self.verb(third)), subject, leaf(".", "."))

    def negated(self) -> Node:
        """An adverb stands first, and "do" before the subject."""
        subject, third = self.subject()
        lower(subject)
        verb = phrase("VP", self.base(), self.maybe(self.object()))
        opening = phrase("ADVP", leaf("RB", self.dice.pick(NEGATIONS)))
        return phrase("SINV", opening, help_of(third), subject, verb, leaf(".", "."))

    def relative(self) -> Node:
        """A clause between the subject and its verb."""
        subject, third = self.subject()
        if next(subject.leaves()).label == "PRP":
            subject, third = phrase("NP", *words("The/DT man/NN")), True
        who = phrase("WHNP", leaf("WP", "who") if self.dice.chance(0.5) else leaf("WDT", "that"))
        inner = phrase("S", phrase("VP", self.verb(third), self.maybe(self.object())))
        whole = phrase("NP", subject, phrase("SBAR", who, inner))
        group = phrase("VP", self.verb(third), self.maybe(self.object()), self.maybe(self.place()))
        return phrase("S", whole, group, leaf(".", "."))

    def order(self) -> Node:
        """A verb without a subject."""
        verb = self.base()
        verb.word = verb.word.capitalize()
        group = phrase("VP", verb, self.object(), self.maybe(self.place()))
        return phrase("S", group, leaf(".", self.dice.pick(".!")))

    def base(self) -> Node:
        """A verb without an ending."""
        return self.predicate("VB", self.dice.pick(self.bases))

    def predicate(self, tag: str, lemma: str, ending: str = "") -> Node:
        node = leaf(tag, self.dice.pick(self.words.forms[lemma]["VB"]) + ending)
        node.predicate = Predicate(f"{lemma}.01", "v")
        return node

    def whom(self) -> Node:
        """An object, often a pronoun."""
        if self.dice.chance(0.5):
            return phrase(
                "NP", leaf("PRP", self.dice.pick(["me", "her", "him", "us", "them", "it"]))
            )
        return self.object()

    def maybe(self, node: Node) -> Node | None:
        return node if self.dice.chance(0.5) else None


def lower(node: Node, keep: int = 0) -> None:
    """Begin the words of a phrase in lower case, but names, "I" and the first `keep` words."""
    for word in list(node.leaves())[keep:]:
        if word.label != "NNP" and word.word != "I":
            word.word = word.word.lower()


def help_of(third: bool) -> Node:
    """The form of "do" before a subject."""
    return leaf("VBZ", "does") if third else leaf("VBP", "do")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--number", type=int, default=4000)
    parser.add_argument("--seed", default="turned 1")
    chosen = parser.parse_args()
    writer = Turned(lexicon_of_data(), chosen.seed)
    write([writer.sentence() for _ in range(chosen.number)], chosen.out)


if __name__ == "__main__":
    main()
