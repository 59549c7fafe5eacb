"""Noun phrases, and the phrases of time and place, of one document of the demonstration corpus."""

from __future__ import annotations

from typing import NamedTuple

from demo_corpus import lexicon
from demo_corpus.dice import Dice
from demo_corpus.names import Cast, Person
from demo_corpus.tree import Node, leaf, named, phrase, words


class Filler(NamedTuple):
    """A noun phrase that fills a role, and the relative pronoun that stands for it, if any."""

    node: Node
    kind: str
    pronoun: Node | None = None


def proper(kind: str, name: str) -> list[Node]:
    """The words of a name, marked as an entity."""
    tags = {"&": "CC", "of": "IN", "The": "NNP"}
    return named(kind, [leaf(tags.get(word, "NNP"), word) for word in name.split()])


def name_phrase(kind: str, name: str) -> Node:
    """A noun phrase that is a name; ``Bank of Harwick`` has a prepositional phrase inside."""
    leaves = proper(kind, name)
    if " of " not in name:
        return phrase("NP", *leaves)
    at = name.split().index("of")
    rest = phrase("PP", leaves[at], phrase("NP", *leaves[at + 1 :]))
    return phrase("NP", phrase("NP", *leaves[:at]), rest)


class Nouns:
    """Makes noun phrases about the names of one document."""

    def __init__(self, dice: Dice, cast: Cast, *, personal: bool = False) -> None:
        self.dice = dice
        self.cast = cast
        self.personal = personal  # a letter: I, you, we
        self._introduced: set[Person] = set()

    def of_kind(self, kind: str, depth: int) -> Filler:
        """A phrase of one of the kinds that the verbs ask for."""
        special = {"person": self.person, "group": self.group, "place": self.place}
        if kind in special:
            return special[kind](depth)
        if kind == "club":
            return Filler(phrase("NP", *proper("ORG", self.dice.pick(self.cast.clubs))), kind)
        if kind == "work" and self.dice.chance(0.6):
            return Filler(self._title(), kind)
        if kind == "event" and self.dice.chance(0.4):
            name = proper("MISC", self.dice.pick(self.cast.events))
            return Filler(phrase("NP", leaf("DT", "the"), *name), kind)
        return Filler(self.common(kind, depth), kind)

    # ---------------------------------------------------------------- people

    def person(self, depth: int) -> Filler:
        """A person or people: a name, a pronoun, an office, a number of them."""
        weights = {"name": 6.0, "common": 2.5, "pronoun": 2.5, "count": 0.7, "pair": 0.7}
        choice = self.dice.weighted(weights)
        if choice == "name":
            return Filler(self._named_person(depth), "person")
        if choice == "pronoun":
            return Filler(self._pronoun(), "person")
        if choice == "count":
            return Filler(self._counted_people(), "person")
        if choice == "pair" and depth < 2:
            return Filler(self._pair(), "person")
        return Filler(self.common("person", depth), "person")

    def _named_person(self, depth: int) -> Node:
        person = self.dice.pick(self.cast.people)
        new = person not in self._introduced
        self._introduced.add(person)
        full = f"{person.given} {person.surname}"
        if not new and self.dice.chance(0.25):
            title = leaf("NNP", self.dice.pick(lexicon.TITLES[person.female]))
            return phrase("NP", title, *proper("PER", person.surname))
        if not new:
            return phrase("NP", *proper("PER", self.dice.pick([person.surname, person.given])))
        if self.dice.chance(0.25):
            office = leaf("NNP", self.dice.pick(lexicon.OFFICES))
            return phrase("NP", office, *proper("PER", full))
        node = phrase("NP", *proper("PER", full))
        if depth == 0 and self.dice.chance(0.4):
            return self._with_apposition(node)
        return node

    def _with_apposition(self, node: Node) -> Node:
        if self.dice.chance(0.3):
            age = phrase("NP", leaf("CD", str(self.dice.between(19, 80))))
        else:
            office = leaf("NN", self.dice.pick(lexicon.NOUNS["person"]))
            base = phrase("NP", leaf("DT", self.dice.pick(["a", "the"])), office)
            age = phrase("NP", base, self._of_name())
        return phrase("NP", node, leaf(",", ","), age, leaf(",", ","))

    def _of_name(self) -> Node:
        preposition = self.dice.pick(["of", "from", "at"])
        if preposition == "at":
            return phrase("PP", leaf("IN", "at"), self.group(2).node)
        return phrase("PP", leaf("IN", preposition), self._place_name())

    def _pronoun(self) -> Node:
        if self.personal:
            word = self.dice.pick(["I", "you", "we"])
            agreement = "I" if word == "I" else "plural"
        else:
            word = self.dice.pick(["he", "she", "they"])
            agreement = "plural" if word == "they" else "singular"
        return phrase("NP", leaf("PRP", word), agreement=agreement)

    def _counted_people(self) -> Node:
        noun = leaf("NNS", lexicon.plural(self.dice.pick(lexicon.NOUNS["person"])))
        count = self._quantity(30, 900)
        return phrase("NP", *count, self._nationality(0.3), noun, agreement="plural")

    def _pair(self) -> Node:
        both = leaf("CC", "and")
        if self.dice.chance(0.4):
            kinds = self.dice.shuffled(lexicon.NOUNS["person"])[:2]
            first, second = (leaf("NNS", lexicon.plural(kind)) for kind in kinds)
            return phrase("NP", first, both, second, agreement="plural")
        first, second = self._named_person(2), self.common("person", 2)
        return phrase("NP", first, both, second, agreement="plural")

    # ------------------------------------------------------- groups and places

    def group(self, depth: int) -> Filler:
        """A company, an institution, or what stands for one."""
        if self.dice.chance(0.4):
            return Filler(self.common("group", depth), "group")
        if self.dice.chance(0.6):
            return Filler(name_phrase("ORG", self.dice.pick(self.cast.companies)), "group")
        name = self.dice.pick(self.cast.institutions)
        node = name_phrase("ORG", name)
        if " of " in name or self.dice.chance(0.3):  # the Bank of Harwick
            _with_article(node)
        return Filler(node, "group")

    def place(self, depth: int) -> Filler:
        """A named place, or a common one."""
        if self.dice.chance(0.75):
            return Filler(self._place_name(), "place")
        return Filler(self.common("place", depth), "place")

    def _place_name(self) -> Node:
        choice = self.dice.weighted({"town": 5, "country": 2, "both": 1, "water": 1})
        town = phrase("NP", *proper("LOC", self.dice.pick(self.cast.towns)))
        country = phrase("NP", *proper("LOC", self.dice.pick(self.cast.countries) + "ia"))
        if choice == "both":
            return phrase("NP", town, leaf(",", ","), country)
        if choice == "water":
            name = self.dice.pick(self.cast.waters)
            article = leaf("DT", "the") if name.startswith("River") else None
            return phrase("NP", article, *proper("LOC", name))
        return town if choice == "town" else country

    def _nationality(self, probability: float) -> Node | None:
        if not self.dice.chance(probability):
            return None
        stem = self.dice.pick(self.cast.countries)
        return named("MISC", [leaf("JJ", stem + "ian")])[0]

    # ------------------------------------------------------------- common nouns

    def common(self, kind: str, depth: int, *, known: bool = True) -> Node:
        """The old stone bridge in Harwick; Mara's plan; two reports. Not known: no *the*."""
        many = self.dice.chance(0.3)
        noun = self.dice.pick(lexicon.NOUNS[kind])
        head = leaf("NNS", lexicon.plural(noun)) if many else leaf("NN", noun)
        agreement = "plural" if many else "singular"
        modifiers = [*self._modifiers(kind), head]
        if known and depth < 2 and self.dice.chance(0.15):
            return phrase("NP", self._owner(), *modifiers, agreement=agreement)
        node = phrase("NP", *self._determiner(many, known), *modifiers, agreement=agreement)
        if depth < 3 and self.dice.chance(0.35):
            after = self._postmodifier(kind, depth)
            return phrase("NP", node, after, agreement=agreement)
        return node

    def _determiner(self, many: bool, known: bool) -> list[Node | None]:
        if many and self.dice.chance(0.3):
            return [*self._quantity(3, 99)]
        if many:
            some = "some/DT many/JJ several/JJ"
            some += " the/DT the/DT the/DT these/DT their/PRP$ our/PRP$" if known else " no/DT"
            return [None] if self.dice.chance(0.2) else [*words(self.dice.pick(some.split()))]
        one = "a/DT a/DT another/DT"
        one += " the/DT the/DT the/DT this/DT that/DT her/PRP$ our/PRP$" if known else " no/DT"
        return [*words(self.dice.pick(one.split()))]

    def _quantity(self, low: int, high: int) -> list[Node]:
        if self.dice.chance(0.4):
            return [leaf("CD", self.dice.pick(lexicon.NUMBERS))]
        number = leaf("CD", str(self.dice.between(low, high)))
        if self.dice.chance(0.35):
            about = self.dice.pick("about/RB nearly/RB more/JJR_than/IN".split())
            return [phrase("QP", *words(about.replace("_", " ")), number)]
        return [number]

    def _modifiers(self, kind: str) -> list[Node | None]:
        modifiers: list[Node | None] = [self._nationality(0.2 if kind != "plan" else 0.05)]
        if self.dice.chance(0.3):
            adjective = leaf("JJ", self.dice.pick(lexicon.MODIFIERS))
            very = self.dice.chance(0.15)
            modifiers.insert(
                0, phrase("ADJP", leaf("RB", "very"), adjective) if very else adjective
            )
        if kind in ("building", "plan", "document", "group") and self.dice.chance(0.2):
            modifiers.append(leaf("NN", self.dice.pick(lexicon.NOUN_MODIFIERS)))
        elif kind in ("plan", "document") and self.dice.chance(0.1):
            number, unit = str(self.dice.between(2, 30)), self.dice.pick(lexicon.UNITS)
            modifiers.append(phrase("NML", *words(f"{number}/CD -/HYPH {unit}/NN")))
        return modifiers

    def _owner(self) -> Node:
        if self.dice.chance(0.5):
            owner = phrase("NP", *proper("PER", self.dice.pick(self.cast.people).surname))
        elif self.dice.chance(0.5):
            owner = phrase("NP", *proper("ORG", self.dice.pick(self.cast.companies)))
        else:
            owner = phrase("NP", *proper("LOC", self.dice.pick(self.cast.towns)))
        owner.children.append(leaf("POS", "'s"))
        return owner

    def _postmodifier(self, kind: str, depth: int) -> Node:
        if kind in ("plan", "document", "work", "amount", "event"):
            about = {"amount": "of", "event": "in", "document": "on", "work": "about"}
            inner = {"amount": "building", "event": "place", "work": "place"}.get(kind, "event")
            node = self.of_kind(inner, depth + 1).node
            return phrase("PP", leaf("IN", about.get(kind, "for")), node)
        if kind == "person":
            return self._of_name()
        preposition = self.dice.pick(["in", "near", "of"])
        return phrase("PP", leaf("IN", preposition), self.place(depth + 1).node)

    def _title(self) -> Node:
        name = proper("MISC", self.dice.pick(self.cast.works))
        return phrase("NP", leaf("``", '"'), *name, leaf("''", '"'))

    def money(self) -> Node:
        """$ 40 million"""
        unit = self.dice.pick(["million", "billion"])
        amount = words(f"{self.dice.between(2, 90)}/CD {unit}/CD")
        return phrase("NP", leaf("$", "$"), phrase("QP", *amount))

    def percent(self) -> Node:
        """3.5 % or 12 percent"""
        number = str(self.dice.between(2, 60))
        if self.dice.chance(0.4):
            number += f".{self.dice.between(1, 9)}"
        sign = self.dice.pick(["%", "percent"])
        return phrase("NP", leaf("CD", number), leaf("NN", sign))

    # ------------------------------------------------------------ time and place

    def time(self, tense: str) -> Node:
        """When something was, is or will be."""
        dice = self.dice
        if tense == "past" and dice.chance(0.4):
            ago = words(f"{dice.pick(lexicon.NUMBERS)}/CD {dice.pick(lexicon.UNITS)}s/NNS")
            choices = [
                phrase("NP", leaf("NN", "yesterday")),
                phrase("NP", *words(f"last/JJ {dice.pick(lexicon.UNITS[2:])}/NN")),
                phrase("ADVP", phrase("NP", *ago), leaf("RB", "ago")),
                phrase(
                    "PP", leaf("IN", "in"), phrase("NP", leaf("CD", f"{dice.between(1950, 2019)}"))
                ),
            ]
            return dice.pick(choices)
        if tense == "modal" and dice.chance(0.4):
            after = words(f"next/JJ {dice.pick(lexicon.UNITS[2:])}/NN")
            return phrase("NP", *(after if dice.chance(0.6) else words("tomorrow/NN")))
        return self._date()

    def _date(self) -> Node:
        month, day = self.dice.pick(lexicon.MONTHS), self.dice.between(1, 28)
        hour = f"{self.dice.between(1, 12)}:{self.dice.pick(['00', '15', '30', '45'])}"
        choices = {
            f"on/IN {self.dice.pick(lexicon.DAYS)}/NNP": 5.0,
            f"in/IN {month}/NNP": 2,
            f"on/IN {month}/NNP {day}/CD": 2,
            f"on/IN {month}/NNP {day}/CD ,/, {self.dice.between(1950, 2019)}/CD": 1,
            f"at/IN {hour}/CD": 1,
        }
        preposition, *rest = words(self.dice.weighted(choices))
        return phrase("PP", preposition, phrase("NP", *rest))

    def location(self, depth: int) -> Node:
        """Where something happens."""
        if self.dice.chance(0.35):
            preposition = self.dice.pick(["at", "near", "behind"])
            return phrase("PP", leaf("IN", preposition), self.common("building", depth + 1))
        return phrase("PP", leaf("IN", "in"), self._place_name())


def _with_article(node: Node) -> None:
    """Put an article before the first word of a noun phrase."""
    while not node.children[0].word:
        node = node.children[0]
    node.children.insert(0, leaf("DT", "the"))
