"""Phrase lists of persons, places, organisations and other names, from open lists."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from open_sources.prose import files_of
from senna.corpora.tagged import hashed
from senna.settings import read_table

LONGEST = 7  # words
OURS = read_table(Path(__file__).with_suffix(".toml"))  # more names, of common knowledge
TEAMS = ("mlb_teams", "nfl_teams", "nba_teams", "nhl_teams")


class Lists:
    """The files of the sources, by the sources' names."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self.folders = folders

    def text(self, source: str, path: str) -> str:
        return (self.folders[source] / path).read_bytes().decode("utf-8-sig", "replace")

    def lines(self, source: str, suffix: str) -> Iterator[str]:
        """The lines of all files whose names end so."""
        for path in files_of(self.folders[source], suffix):
            yield from path.read_bytes().decode("utf-8-sig", "replace").split("\n")

    def rows(self, source: str, path: str) -> list[dict[str, str]]:
        """The rows of a table with commas."""
        return list(csv.DictReader(io.StringIO(self.text(source, path))))

    def json(self, path: str) -> Any:
        """A list of the collection `corpora`."""
        return json.loads(self.text("corpora", f"data/{path}.json"))

    def teams(self) -> Iterator[dict[str, str]]:
        """US teams of four sports."""
        for sport in TEAMS:
            yield from self.json(f"sports/{sport}")[sport]


def persons(lists: Lists) -> set[str]:
    """First names, surnames, whole names."""
    people = set[str]()
    for kind in ("first names", "surnames"):
        text = lists.text("names", f"NamesDatabases/{kind}/us.txt")
        people.update(name.strip() for name in text.split("\n"))
    for kind in "scientists celebrities britishActors authors firstNames lastNames".split():
        people.update(lists.json(f"humans/{kind}")[kind])
    people.update(person["name"] for person in lists.json("humans/richpeople")["richPeople"])
    for path in ("legislators-current.yaml", "executive.yaml"):
        for block in re.split(r"(?m)^- ", lists.text("congress", path)):
            people.update(_legislator(block))
    for line in lists.lines("players", ".players.txt"):
        if player := re.match(r"([^,#=|]+?)\s*,\s+[A-Z](?:/[A-Z])?\s*,", line):
            people.add(player[1])
    return people


def _legislator(block: str) -> Iterator[str]:
    first, last, full = (
        match[1].strip("'\"") if (match := re.search(rf"(?m)^\s+{key}: (.+)$", block)) else ""
        for key in ("first", "last", "official_full")
    )
    if first and last:
        yield from (f"{first} {last}", last)
    if full:
        yield re.sub(r", (Jr|Sr|I+V?)\.?$", "", full)


def places(lists: Lists) -> set[str]:
    """Countries, regions, towns, rivers, seas, stadiums."""
    names = set(OURS["places"])
    for row in lists.rows("cities", "data/world-cities.csv"):
        names.update((row["name"], row["country"], row["subcountry"] or ""))
    fields = "CLDR display name;Capital;Region Name;Sub-region Name;UNTERM English Short"
    for row in lists.rows("countries", "data/country-codes.csv"):
        for field in (*fields.split(";"), "UNTERM English Formal"):
            names.add(re.sub("^the ", "", re.sub(r" \(.*", "", row[field] or "")))
    rivers = [river["name"] for river in lists.json("geography/rivers")["rivers"]]
    names.update(rivers + [f"{name} River" for name in rivers])
    oceans = lists.json("geography/oceans")
    names.update(f"{ocean['name']} Ocean" for ocean in oceans["oceans"])
    for sea in (sea["name"] for sea in oceans["seas"]):
        names.add(sea if re.search("Sea|Gulf|Bay|Strait|Channel", sea) else f"{sea} Sea")
    for state, counties in lists.json("geography/us_counties")["counties"].items():
        names.update((state, *(f"{county} County" for county in counties)))
    for city in lists.json("geography/us_cities")["cities"]:
        names.update((city["city"], city["state"]))
    towns = lists.json("geography/english_towns_cities")
    canada = lists.json("geography/canada_provinces_and_territories")
    names.update(towns["towns"] + towns["cities"] + canada["provinces"] + canada["territories"])
    canadian = lists.json("geography/canadian_municipalities")["municipalities"]
    names.update(town["name"] for town in canadian)
    names.update(team.get("stadium") or "" for team in lists.teams())
    return {re.sub(r"\s*\(.*\)", "", name) for name in names}


_LEGAL_FORM = re.compile(
    r"[ ,]+(inc|incorporated|corp|corporation|co|company|ltd|limited|plc|llc|l\.?p|s\.?a|n\.?v|"
    r"a\.?g|group|holdings?|holding)\.?$",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r" - | \(|, each|, one| Common | Class [A-Z]\b| American Deposit| Ordinary | Depositary|"
    r" Units?\b| Warrants?\b| Rights?\b| ADR| New Common| Preferred| %|\d\.\d+|\bdue \d"
)
_NO_COMPANY = re.compile(
    "ETF|Fund|Trust|Acquisition|Notes?\\b|Bond|Index|Portfolio|Preferred|Debenture|Warrant|"
    "Income|Municipal|Yield|Treasury"
)


def organisations(lists: Lists) -> set[str]:
    """Companies also without their legal form, universities, clubs, teams, bodies of states."""
    companies = set(OURS["organisations"])
    for name in _companies(lists):
        companies.add(name)
        while _LEGAL_FORM.search(name):
            name = _LEGAL_FORM.sub("", name)
            if len(name.split()) > 1 or len(name) > 4:
                companies.add(name)
    for entry in json.loads(lists.text("universities", "world_universities_and_domains.json")):
        companies.add(re.sub(r"\s*\(.*", "", entry["name"]))
    for line in (line.split("#")[0].strip() for line in lists.lines("clubs", ".clubs.txt")):
        if line and line[0] not in "=[(":
            names = line[1:].split("|") if line[0] == "|" else [line.split(",")[0]]
            companies.update(re.sub(r"\s*[(\[].*", "", name).strip() for name in names)
    for team in lists.teams():
        words = team["name"].split()
        companies.update((team["name"], " ".join(words[-2:]) if words[-1] == "Sox" else words[-1]))
    for state in ("united_states", "united_kingdom"):
        groups = lists.json(f"societies_and_groups/designated_terrorist_groups/{state}")
        companies.update(re.sub(r"\s*\(.*", "", name) for name in groups if isinstance(name, str))
    return companies


def _companies(lists: Lists) -> set[str]:
    """Companies, charities, newspapers and makers of cars as they stand."""
    names = {row["Security"] for row in lists.rows("sp500", "data/constituents.csv")}
    raw = [row["Company Name"] for row in lists.rows("nyse", "data/nyse-listed.csv")]
    raw += [row["Security Name"] for row in lists.rows("nasdaq", "data/nasdaq-listed.csv")]
    names.update(
        _SHARE.split(company)[0].strip(" ,-") for company in raw if not _NO_COMPANY.search(company)
    )
    names.update(lists.json("corporations/fortune500")["companies"])
    for kind in ("charities", "newspapers", "cars"):
        names.update(lists.json(f"corporations/{kind}")[kind])
    return names


def others(lists: Lists) -> set[str]:
    """Peoples, languages, religions, books, songs, cups and wars."""
    names = set(OURS["others"])
    for year in range(1896, 2025, 4):
        names.update((f"{year} Olympics", f"{year} Summer Olympics"))
    for nation in lists.json("geography/nationalities")["nationalities"] + OURS["peoples"]:
        nation = " ".join(nation.split())
        if nation[:1].isupper():
            names.add(nation)
            if re.search("(an|i|er|ian|ard|ot|b|d|t|u|y|l|o|w)$", nation):
                names.add("Tories" if nation == "Tory" else f"{nation}s")
    for row in lists.rows("languages", "data/language-codes-full.csv"):
        for name in (re.sub(r"\s*\(.*?\)", "", part).strip() for part in row["English"].split(";")):
            other = r"languages?|Reserved|,|content|\d"
            if name and len(name.split()) <= 3 and not re.search(other, name):
                names.add(name)
    names.update(x for x in _strings(lists.json("religion/religions")) if 1 <= len(x.split()) <= 4)
    books = (book["title"] for book in lists.json("books/bestsellers")["books"])
    names.update(title for title in books if len(title.split()) > 1)
    songs = (video["song"] for video in lists.json("music/mtv_day_one")["videos"])
    return names | {song for song in songs if len(song.split()) > 2}


def _strings(node: Any) -> Iterator[str]:
    """Every string and key in JSON."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for child in node:
            yield from _strings(child)
    elif isinstance(node, dict):
        for key, child in node.items():
            yield from (key, *_strings(child))


TYPES: dict[str, Callable[[Lists], set[str]]] = {
    "per": persons,
    "loc": places,
    "org": organisations,
    "misc": others,
}


def without_accents(name: str) -> str:
    """A name in plain Latin letters, or "" where it has others."""
    base = (c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    table = str.maketrans("øØłŁđĐıßʻ’‘`", "oOlLdDis''''")
    plain = "".join(base).translate(table).replace("æ", "ae").replace("Æ", "Ae")
    return plain if plain.isascii() else ""


def usable(candidates: Collection[str], kind: str, ordinary: Collection[str]) -> list[str]:
    """The phrases of a list that can be names, sorted, with and without accents.

    `ordinary`: hashes of words, in lower case, that open text mostly has so: no names alone.
    """
    kept = set()
    for raw in candidates:
        phrase = " ".join(raw.split()).strip(" ,;")
        for form in (phrase, without_accents(phrase)):
            if len(form) < 2 or len(form.split()) > LONGEST or not re.match(r"[\d\w]", form):
                continue
            if form[0].isalpha() and not form[0].isupper():
                continue
            if not re.search(r"[^\W\d_]", form) or re.search("[\u0370-\uffff]", form):
                continue
            if " " not in form:
                if hashed(form.lower()) in ordinary:
                    continue
                if kind != "misc" and len(form) == 2 and form.istitle():
                    continue
            kept.add(form)
    return sorted(kept)
