"""Noun phrases and verb phrases with roles, for role_sentences.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import role_words as lists
from role_senses import Sense, Senses

from simple_sentences import Lexicon, Writer  # isort: skip

from demo_corpus.tree import Node, Predicate, leaf, phrase, words


class Who(NamedTuple):
    """A subject, whether its verb has -s, and the pronoun of its relative clause.

    As an object: `here` behind its verb, or in front of its clause.
    """

    node: Node | None
    third: bool = True
    pronoun: Node | None = None
    here: bool = False


NOBODY = Who(None)
SHAPES = {"": 7.0, "modal": 2, "have": 1, "not": 1}


def adjunct(text: str) -> Node:
    """A phrase of a time or place: `on/IN Monday/NNP`."""
    items = words(text)
    for at, item in enumerate(items):
        if item.label == "IN":
            return phrase("PP", *items[: at + 1], phrase("NP", *items[at + 1 :]))
    return phrase("ADVP" if items[-1].label == "RB" else "NP", *items)


def comma() -> Node:
    return leaf(",", ",")


def main_predicate(node: Node) -> Predicate:
    """The predicate of a verb phrase without its auxiliaries."""
    return next(item.predicate for item in node.leaves() if item.predicate)


def plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith("ss")


def pronoun(word: str) -> Node:
    return phrase("NP", leaf("NN" if word == "everyone" else "PRP", word))


def is_i(who: Who) -> bool:
    return bool(who.node) and next(who.node.leaves()).word == "I"


class Phrases(Writer):
    """Draws phrases; the roles go to the predicates on the way."""

    def __init__(self, lexicon: Lexicon, senses: Senses, seed: str) -> None:
        super().__init__(lexicon, seed)
        self.senses = senses
        self.doing = [sense for sense in senses.alone if sense.nouns == ("PEOPLE",)]
        bare = [sense for sense in self.doing if senses.shapes[sense.roleset]["A0 _"]]
        self.acting = [sense for sense in bare if sense.roles == ("A0",)]
        self.happening = [sense for sense in senses.alone if sense not in self.doing]

    # ------------------------------------------------------------------ noun phrases

    def who(self, names: bool = True) -> Who:
        """A person, or more."""
        kind = self.dice.pick(
            ["name", "pronoun", "one", "one", "many"] if names else ["one", "many"]
        )
        if kind == "name":
            return Who(phrase("NP", leaf("NNP", self.dice.pick(self.words.first))))
        if kind == "pronoun":
            word = self.dice.pick("I you he she we they".split())
            return Who(phrase("NP", leaf("PRP", word)), word in ("he", "she"))
        if kind == "many":
            opening = self.dice.pick(
                ["the/DT", "some/DT", "two/CD", "three/CD", "many/JJ", "our/PRP$"]
            )
            noun = self.dice.pick(lists.CROWDS)
            parts = [*words(opening), *self.adjective(0.2, noun), leaf("NNS", noun)]
            return Who(self.longer(phrase("NP", *parts)), False)
        if self.dice.chance(0.3):
            own = self.dice.pick(["my/PRP$", "her/PRP$", "his/PRP$"])
            return Who(phrase("NP", *words(own), leaf("NN", self.dice.pick(lists.RELATIVES))))
        return Who(self.longer(self.thing(lists.PEOPLE, 0.3)))

    def longer(self, node: Node) -> Node:
        """The phrase, at times with another behind it."""
        if not self.dice.chance(0.15):
            return node
        noun = self.thing(["hat", "suitcase", "guitar", "beard", "dog", "bag"], 0.3, ["a"])
        place = phrase("NP", leaf("NNP", self.dice.pick(self.words.places)))
        behind = self.dice.pick(
            [phrase("PP", leaf("IN", "with"), noun), phrase("PP", leaf("IN", "from"), place)]
        )
        return phrase("NP", node, behind)

    def whom(self, who: Who = NOBODY) -> Node:
        """An object that is a person, and not the subject."""
        if self.dice.chance(0.4):
            own = next(who.node.leaves()).word in ("I", "we", "you") if who.node else True
            choice = "him them everyone" if own else "me us you him them"
            return pronoun(self.dice.pick(choice.split()))
        node = self.who().node
        return node if node and next(node.leaves()).label != "PRP" else pronoun("everyone")

    def thing(
        self, nouns: Sequence[str], described: float = 0.15, openings: Iterable[str] = ()
    ) -> Node:
        """A noun phrase."""
        noun = self.dice.pick(nouns)
        many = plural(noun)
        opening = self.dice.pick(
            [*openings] or ["the", "the", "the", "a", "a", "this", "his", "our"]
        )
        if noun in lists.MASS or (many and opening in ("a", "this")):
            opening = opening if opening in ("his", "our") else "the"
        adjectives = self.adjective(described, noun)
        after = adjectives[0].word if adjectives else noun
        tag = "PRP$" if opening in ("his", "our") else "DT"
        opening = "an" if opening == "a" and after[0] in "aeiou" else opening
        return phrase("NP", leaf(tag, opening), *adjectives, leaf("NNS" if many else "NN", noun))

    def adjective(self, probability: float, noun: str) -> list[Node]:
        if not self.dice.chance(probability):
            return []
        human = noun in (*lists.PEOPLE, *lists.CROWDS, *lists.RELATIVES)
        return [leaf("JJ", self.dice.pick(lists.HUMAN if human else lists.INANIMATE))]

    def place(self) -> Node:
        """Where it happens."""
        if self.dice.chance(0.25):
            return adjunct(f"in/IN {self.dice.pick(self.words.places)}/NNP")
        noun = f"the/DT {self.dice.pick(lists.PLACES)}/NN"
        if self.dice.chance(0.3):
            first, *side = words(self.dice.pick(lists.SIDES))
            of = phrase("NP", phrase("NP", *side), adjunct(f"of/IN {noun}"))
            return phrase("PP", first, of)
        return adjunct(f"{self.dice.pick(lists.WHERE)}/IN {noun}")

    def way(self) -> Node:
        """Where it goes to."""
        return adjunct(f"{self.dice.pick(lists.WHITHER)}/IN the/DT {self.dice.pick(lists.WAYS)}/NN")

    def time(self, tag: str) -> Node:
        """When it happens."""
        own = {"VBD": lists.PAST, "VBZ": lists.PRESENT, "VBP": lists.PRESENT}.get(tag, "")
        return adjunct(self.dice.pick([one for one in (lists.TIMES + own).split(";") if one]))

    # ------------------------------------------------------------------- verb phrases

    def act(self) -> Sense:
        """A sense whose subject is a person."""
        kind = self.dice.weighted({"objects": 6.0, "gifts": 1.0, "doing": 2.0})
        return self.dice.pick(self.acting if kind == "doing" else getattr(self.senses, kind))

    def verb(self, sense: Sense, tag: str, who: Who) -> tuple[Node, Predicate, list[Node]]:
        """A verb with its subject's role, and its particle."""
        predicate = Predicate(sense.roleset, "v")
        node = leaf(tag, self.senses.form(sense.verb, tag))
        node.predicate = predicate
        predicate.add(sense.roles[0], who.node)
        predicate.add(f"R-{sense.roles[0]}", who.pronoun)
        particle = [phrase("PRT", leaf("RP", sense.particle))] if sense.particle else []
        for one in particle:
            predicate.add("C-V", one)
        return node, predicate, particle

    def core(
        self, who: Who, sense: Sense, tag: str, gap: Who | None = None, more: float = 0.4
    ) -> Node:
        """The verb with its objects and what may follow; a gap is its object elsewhere."""
        verb, predicate, particle = self.verb(sense, tag, who)
        behind: list[Node] = []
        for role in sense.roles[1:]:
            last = role == sense.roles[-1]
            if last and gap:
                predicate.add(role, gap.node)
                predicate.add(f"R-{role}", gap.pronoun)
                behind += [gap.node] if gap.here and gap.node else []
                continue
            behind.append(self.thing(sense.nouns) if last and sense.nouns else self.whom(who))
            predicate.add(role, behind[-1])
        if particle and behind and self.dice.chance(0.3):
            behind += particle
        else:
            behind = particle + behind
        while self.dice.chance(more):
            more /= 3
            behind.append(self.extra(sense, predicate, tag))
        return phrase("VP", verb, *behind)

    def extra(self, sense: Sense, predicate: Predicate, tag: str) -> Node:
        """A time, place, way, manner or clause."""
        taken = {role for role, _ in predicate.arguments}
        if "AM-TMP" not in taken and self.dice.chance(0.6):
            role, node = "AM-TMP", self.time(tag)
        elif sense.whither and self.dice.chance(0.7):
            role, node = "AM-DIR", self.way()
        elif (
            "AM-LOC" not in taken
            and (sense.where or len(sense.roles) == 2)
            and self.dice.chance(0.5)
        ):
            role, node = "AM-LOC", self.place()
        elif "AM-MNR" not in taken and sense not in self.happening and self.dice.chance(0.5):
            role, node = "AM-MNR", phrase("ADVP", leaf("RB", self.dice.pick(lists.MANNERS)))
        else:
            word = self.dice.pick([w for w, role in lists.OPENERS.items() if role not in taken])
            role, node = lists.OPENERS[word], self.opened(word)
        predicate.add(role, node)
        return node

    def opened(self, word: str) -> Node:
        """A clause with a conjunction; "when" is a time of its verb too."""
        clause, predicate = self.clause(more=0)
        if word != "when":
            return phrase("SBAR", leaf("IN", word), clause)
        when = phrase("WHADVP", leaf("WRB", word))
        predicate.add("AM-TMP", when)
        return phrase("SBAR", when, clause)

    def tense(self, who: Who, present: float) -> str:
        """The tag of a finite verb."""
        return ("VBZ" if who.third else "VBP") if self.dice.chance(present) else "VBD"

    def group(
        self,
        who: Who,
        sense: Sense,
        shape: str | None = None,
        gap: Who | None = None,
        more: float = 0.4,
    ) -> tuple[list[Node], Node]:
        """The auxiliaries of a finite verb, and the phrase behind them."""
        shape = self.dice.weighted(SHAPES) if shape is None else shape
        tag = self.tense(who, 0.35)
        if not shape:
            return [], self.core(who, sense, tag, gap, more)
        if shape == "modal":
            modal = leaf("MD", self.dice.pick(lists.MODALS))
            core = self.core(who, sense, "VB", gap, more)
            main_predicate(core).add("AM-MOD", modal)
            return [modal], core
        base, inner = ("have", "VBN") if shape == "have" else ("do", "VB")
        word = {"VBD": {"have": "had", "do": "did"}, "VBZ": {"have": "has", "do": "does"}}
        helper = leaf(tag, word.get(tag, {}).get(base, base))
        helper.predicate = Predicate(f"{base}.01", "aux")
        core = self.core(who, sense, inner, gap, more)
        if shape != "not":
            return [helper], core
        negation = leaf("RB", self.dice.pick(["not", "n't"]))
        main_predicate(core).add("AM-NEG", negation)
        return [helper, negation], core

    def clause(
        self, who: Who | None = None, sense: Sense | None = None, shape: str | None = None,
        gap: Who | None = None, more: float = 0.4,
    ) -> tuple[Node, Predicate]:  # fmt: skip
        """A subject and what it does, and the predicate."""
        who = who or self.who()
        helpers, core = self.group(who, sense or self.act(), shape, gap, more)
        group = phrase("VP", *helpers, core) if helpers else core
        return phrase("S", who.node, group), main_predicate(core)

    def turned(
        self, who: Who, sense: Sense, gap: Who | None = None, more: float = 0.3
    ) -> tuple[list[Node | None], Predicate]:
        """An auxiliary, the subject and the rest."""
        shape = self.dice.weighted({"modal": 1.0, "have": 0.8, "not": 2.5})
        helpers, core = self.group(who, sense, shape, gap, more)
        predicate = main_predicate(core)
        predicate.arguments = [pair for pair in predicate.arguments if pair[0] != "AM-NEG"]
        return [helpers[0], who.node, core], predicate

    def scene(self) -> tuple[Who, Sense]:
        """A subject and a verb without an object."""
        if self.dice.chance(0.5):
            return self.who(), self.dice.pick(self.doing)
        sense = self.dice.pick(self.happening)
        node = self.thing(sense.nouns, 0.3, ["the", "a", "a", "this"])
        return Who(node, next(reversed([*node.leaves()])).label == "NN"), sense
