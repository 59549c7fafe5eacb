"""Made-up names: composed of syllables, some of them kept for one part of the corpus."""

from __future__ import annotations

from typing import NamedTuple

from demo_corpus.dice import Dice

# Given names that are also other words (Will, Mark, Rose, May, Hope) are here on purpose.
WOMEN = """Mara Anna Rose May Hope Ilse Grace Nadia Lena Oda Tilda Joan Vera Dawn Petra Sunniva
    Faye Iris""".split()
MEN = """Will Mark Tom Frank Bill Drew Otto Emil Jonas Piet Ravi Sol Gus Henrik Miles Ansel
    Rolf Leo""".split()

TOWN = "Har Tol Bren Wex Cal Dor Fen Gal Keld Lun Mar Nor Ost Pel Rav Sten Thorn Ul".split()
TOWN_ENDINGS = "wick mere ford sted holm burgh haven by stow dale".split()
SURNAME = "Lind Ved Hal Quor Bast Ebb Tarn Mor Sund Gris Kal Ond Pry Strand Vik Wend".split()
SURNAME_ENDINGS = "quist sen ley etti ova ard man sky berg ano".split()
COUNTRY = "Veldr Ostan Mirav Kest Lovar Tamber Nurm Sard Pelor Quend Zand Arv".split()

TRADES = "Steel Motors Airlines Foods Rail Energy Bank Insurance Media Textiles Shipping".split()
FORMS = ["Inc.", "Corp.", "Group", "Ltd.", "& Sons"]
CLUBS = "United Rovers City Wanderers Athletic".split()
OFFICES = "Trade Health Transport Justice Culture".split()
EVENTS = "Cup Festival Marathon Prize Open Conference".split()
TITLE_FIRST = "Silver Last Quiet Long Winter Golden Broken Second Paper Blue Hidden".split()
TITLE_LAST = "Orchard Train River Summer Letter Garden Harbor Stranger Song Bridge".split()
WATERS = "River Lake Mount Cape".split()
WATER = "Orrin Tane Isk Sedge Kestrel Arrow Wenlow Silver Umber Rook Alder Hollin".split()


class Person(NamedTuple):
    given: str
    surname: str
    female: bool


class Cast(NamedTuple):
    """Who and what one document is about."""

    people: list[Person]
    towns: list[str]
    countries: list[str]  # stems: Veldr for Veldria, Veldrian
    companies: list[str]
    institutions: list[str]
    clubs: list[str]
    works: list[str]
    events: list[str]
    waters: list[str]


class NamePool:
    """The names that one part of the corpus may use.

    Half of the made-up names are open to every part, the others to one part only: so dev and
    test hold names that train has not seen.
    """

    def __init__(self, part: str) -> None:
        dice = Dice("names")
        self.towns = _share(dice, [a + b for a in TOWN for b in TOWN_ENDINGS], part)
        self.surnames = _share(dice, [a + b for a in SURNAME for b in SURNAME_ENDINGS], part)
        self.countries = _share(dice, COUNTRY, part)
        self.waters = _share(dice, WATER, part)
        self.given = _share(dice, WOMEN + MEN, part)
        titles = [f"The {a} {b}" for a in TITLE_FIRST for b in TITLE_LAST]
        self.works = _share(dice, titles, part)

    def cast(self, dice: Dice) -> Cast:
        """Draw the names of one document."""
        towns = _distinct(dice, self.towns, 4)
        people = [self._person(dice) for _ in range(3)]
        return Cast(
            people=people,
            towns=towns,
            countries=_distinct(dice, self.countries, 2),
            companies=[self._company(dice, towns[0]) for _ in range(2)],
            institutions=[_institution(dice, towns[0]), _initials(dice)],
            clubs=[_club(dice, town) for town in towns[1:]],
            works=_distinct(dice, self.works, 1),
            events=[f"{dice.pick(towns)} {dice.pick(EVENTS)}"],
            waters=[f"{dice.pick(WATERS)} {dice.pick(self.waters)}"],
        )

    def _person(self, dice: Dice) -> Person:
        given = dice.pick(self.given)
        # some people bear the name of a town
        surname = dice.pick(self.towns if dice.chance(0.15) else self.surnames)
        return Person(given, surname, given in WOMEN)

    def _company(self, dice: Dice, town: str) -> str:
        if dice.chance(0.35):
            return f"{town} {dice.pick(TRADES)}"
        name = dice.pick(self.surnames)
        if dice.chance(0.25):
            return f"{name} & {dice.pick(self.surnames)}"
        return f"{name} {dice.pick(FORMS + TRADES)}"


def _share(dice: Dice, names: list[str], part: str) -> list[str]:
    """Every second name, and the part's own: of four others train has two, dev and test one."""
    owner = ["train", "dev", "train", "test"]
    shuffled = dice.shuffled(names)
    open_to_all = shuffled[: len(shuffled) // 2]
    rest = shuffled[len(shuffled) // 2 :]
    return open_to_all + [name for i, name in enumerate(rest) if owner[i % 4] == part]


def _distinct(dice: Dice, names: list[str], count: int) -> list[str]:
    return dice.shuffled(names)[:count]


def _institution(dice: Dice, town: str) -> str:
    kinds = [f"Bank of {town}", f"University of {town}", f"Ministry of {dice.pick(OFFICES)}"]
    return dice.pick(kinds)


def _initials(dice: Dice) -> str:
    return "".join(dice.pick("ABDFGKLMNPRSTV") for _ in range(3))


def _club(dice: Dice, town: str) -> str:
    """A club often goes by its town's name alone, so that only the sentence tells them apart."""
    return town if dice.chance(0.6) else f"{town} {dice.pick(CLUBS)}"
