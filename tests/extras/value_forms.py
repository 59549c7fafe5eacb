"""A generator of forms of values: sentences of words with each form of a date, sum, range or sign.

The forms are built from numbers, so that their values are computed and not written by hand. Half
of them, by a checksum, is held out: no rule is written with it in view.
"""

import random
import re
import zlib
from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import NamedTuple

MONTHS = (
    "January February March April May June July August September October November December".split()
)


class Form(NamedTuple):
    """A sentence of a kind, and the values that it has: (text, label, value) each."""

    kind: str
    text: str
    values: list[tuple[str, str, str]]

    @property
    def held_out(self) -> bool:
        return zlib.crc32(self.text.encode()) % 2 == 1


# A form, its label, its value; no label where there is no value. Where the span is shorter than
# the form it is in brackets: `[several hundred] people`.
Filler = tuple[str, str, str]
OTHERS = Path(__file__).parents[1] / "quality" / "values" / "forms.txt"
MARKED = re.compile(r"\[(.*)\]")


def days(rng: random.Random) -> Iterator[date]:
    for year, month in product((1987, 1999, 2004, 2019, 2023), range(1, 13)):
        yield date(year, month, rng.randint(1, 28))


def hyphenated(rng: random.Random) -> Iterator[Filler]:
    for day in days(rng):
        name = rng.choice([MONTHS[day.month - 1][:3], MONTHS[day.month - 1]])
        name = rng.choice([str.upper, str.title])(name)
        sign = rng.choice("---/.")
        form = rng.choice(
            [f"{day.day:02}{sign}{name}{sign}{day.year}"] * 3 + [f"{day.day}-{name}-{day.year}"]
        )
        yield form, "DATE", day.isoformat()


def iso(rng: random.Random) -> Iterator[Filler]:
    for day in days(rng):
        forms = [(day.isoformat(), day.isoformat())]
        if day.month <= day.year % 100:
            forms.append((f"{day.year}-{day.month:02}", f"{day.year}-{day.month:02}"))
        yield (lambda form: (form[0], "DATE", form[1]))(rng.choice(forms))


def written(rng: random.Random) -> Iterator[Filler]:
    for day in days(rng):
        month = MONTHS[day.month - 1]
        ends = {1: "st", 2: "nd", 3: "rd"} if not 3 < day.day < 21 else {}
        nth = f"{day.day}{ends.get(day.day % 10, 'th')}"
        full, short = day.isoformat(), f"XXXX{day.isoformat()[4:]}"
        forms = [
            (f"{day.day} {month} {day.year}", full), (f"{month} {day.day}, {day.year}", full),
            (f"{nth} {month} {day.year}", full), (f"{month} {nth}", short),
            (f"the [{nth} of {month}]", short), (f"{month} {day.year}", full[:7]),
            (f"{day.day} {month[:3]} {day.year}", full),
            (f"{month[:3]}. {day.day}, {day.year}", full),
        ]  # fmt: skip
        form, value = rng.choice(forms)
        yield form, "DATE", value


def seasons(rng: random.Random) -> Iterator[Filler]:
    """Two years, one of them short; where that may be a month there is no value."""
    for year in range(1961, 2024, 3):
        if year % 100 != 99:
            after = f"{year}-{(year + 1) % 100:02}"
            yield (
                (after, "DATE", f"{year}/{year + 1}") if (year + 1) % 100 > 12 else (after, "", "")
            )
        last = year + rng.randint(2, 9)
        yield f"{year}-{last}", "DATE", f"{year}/{last}"


def no_days(rng: random.Random) -> Iterator[Filler]:
    for year in (1999, 2001, 2019, 2023):
        for day, month in ((31, 4), (31, 6), (31, 9), (31, 11), (30, 2), (31, 2), (29, 2)):
            name = MONTHS[month - 1]
            forms = [
                f"{year}-{month:02}-{day}", f"{day} {name} {year}", f"{name} {day}, {year}",
                f"{day:02}-{name[:3]}-{year}", f"{day}/{month:02}/{year}",
            ]  # fmt: skip
            if day > 29:
                forms += [f"{day}{'st' if day == 31 else 'th'} {name}", f"{name} {day}"]
            for form in rng.sample(forms, 3):
                yield form, "", ""


def other_lands(rng: random.Random) -> Iterator[Filler]:
    for _ in range(12):
        a, b, c = rng.randint(1, 99), rng.randint(100, 999), rng.randint(10, 99)
        yield f"€{a}.{b},{c}", "MONEY", f"{a}{b}.{c}".rstrip("0") + " EUR"
        yield f"{a}.{b}.{b}", "CARDINAL", f"{a}{b}{b}"
        yield f"[{a} {b}] people", "CARDINAL", f"{a}{b}"
        yield f"{a},{c % 9 + 1} %", "", ""
        yield f"{a},{c % 9 + 1}%", "", ""


def day_ranges(rng: random.Random) -> Iterator[Filler]:
    for day in days(rng):
        month, last = MONTHS[day.month - 1], min(day.day + rng.randint(1, 9), 28)
        if last <= day.day:
            continue
        a, b = f"{day.month:02}-{day.day:02}", f"{day.month:02}-{last:02}"
        sign = rng.choice(["-", "–", "-", " to "])
        forms = [
            (f"{month} {day.day}{sign}{last}", f"XXXX-{a}/XXXX-{b}"),
            (f"{day.day}{sign}{last} {month}", f"XXXX-{a}/XXXX-{b}"),
            (f"{day.day}{sign}{last} {month} {day.year}", f"{day.year}-{a}/{day.year}-{b}"),
            (f"{month} {day.day}{sign}{last}, {day.year}", f"{day.year}-{a}/{day.year}-{b}"),
        ]
        form, value = rng.choice(forms)
        yield form, "DATE", value


def hour_ranges(rng: random.Random) -> Iterator[Filler]:
    for hour in range(6, 16):
        for length in (1, 3, 6):
            m, n = rng.choice(["00", "15", "30"]), rng.choice(["00", "45"])
            end = hour + length
            yield f"{hour}:{m}{rng.choice('-–')}{end}:{n}", "TIME", f"T{hour:02}:{m}/T{end:02}:{n}"
            if end < 12:
                half = rng.choice(["am", " am", " a.m.", "pm", " p.m."])
                add = 12 * ("p" in half)
                yield f"{hour}-{end}{half}", "TIME", f"T{hour + add:02}:00/T{end + add:02}:00"


def clock(rng: random.Random) -> Iterator[Filler]:
    for hour in range(24):
        minute = rng.choice(["00", "00", "15", "45"])
        unit = rng.choice(["hours", "hrs", "hours"])
        yield f"{hour:02}{minute} {unit}", "TIME", f"T{hour:02}:{minute}"


def multipliers(rng: random.Random) -> Iterator[Filler]:
    scales = {"hundred": "00", "thousand": "000", "million": "000000"}
    for (scale, zeros), unit in product(scales.items(), (("dollars", "USD"), ("euros", "EUR"))):
        yield f"{scale} {unit[0]}", "MONEY", f"1{zeros} {unit[1]}"
    for (scale, zeros), things in product(scales.items(), ("people", "users", "men")):
        yield f"[{scale}] {things}", "CARDINAL", f"1{zeros}"
        yield f"[{rng.choice(['several', 'a few'])} {scale}] {things}", "CARDINAL", f"X{zeros}"
        yield f"[{scale}s] of {things}", "CARDINAL", f"X{zeros}"


def letters(rng: random.Random) -> Iterator[Filler]:
    for number, (letter, zeros) in product(
        ("1.5", "2", "10", "3.25", "40"), (("K", 3), ("M", 6), ("B", 9), ("k", 3), ("bn", 9))
    ):
        thing = rng.choice(["views", "devices", "runners", "people", "users", "downloads"])
        whole = str(int(float(number) * 10**zeros))
        yield f"[{number}{letter}] {thing}", "CARDINAL", whole
        yield f"${number}{letter}", "MONEY", f"{whole} USD"


def signs(rng: random.Random) -> Iterator[Filler]:
    for n in (2, 5, 12, 30, 100):
        word = {2: "two", 5: "five", 12: "twelve", 30: "thirty", 100: "one hundred"}[n]
        yield f"minus {word}", "CARDINAL", f"-{n}"
        yield f"minus {n}", "CARDINAL", f"-{n}"
        yield f"-{n}", "CARDINAL", f"-{n}"
        yield f"−{n}", "CARDINAL", f"-{n}"
        yield f"-${n}", "MONEY", f"-{n} USD"
        yield f"-€{n}.50", "MONEY", f"-{n}.5 EUR"
        yield f"-{n} %", "PERCENT", f"-{n} %"
        yield f"-{n}%", "PERCENT", f"-{n} %"
        yield f"-{n} °C", "QUANTITY", f"-{n} °C"
        yield f"-{n} km", "QUANTITY", f"-{n} km"


def sums(rng: random.Random) -> Iterator[Filler]:
    for n in (3, 7, 15, 40, 250, 1200):
        for form, value in {
            f"${n:,}": f"{n} USD", f"£{n:,}.50": f"{n}.5 GBP", f"{n:,} dollars": f"{n} USD",
            f"{n:,} €": f"{n} EUR", f"USD {n:,}": f"{n} USD", f"{n:,} EUR": f"{n} EUR",
            f"${n} million": f"{n}000000 USD", f"€{n}m": f"{n}000000 EUR",
            f"${n}-{n + 5}": f"{n}-{n + 5} USD", f"£{n} to £{n + 5}": f"{n}-{n + 5} GBP",
            f"{n}-{n + 2} dollars": f"{n}-{n + 2} USD", f"{n:,} Swiss francs": f"{n} CHF",
        }.items():  # fmt: skip
            yield form, "MONEY", value


def ranges(rng: random.Random) -> Iterator[Filler]:
    for n in (2, 5, 12, 30):
        m = n + rng.randint(1, 8)
        yield f"{n}-{m} %", "PERCENT", f"{n}-{m} %"
        yield f"{n} to {m} percent", "PERCENT", f"{n}-{m} %"
        yield f"{n}–{m} kg", "QUANTITY", f"{n}-{m} kg"
        yield f"{n} to {m} miles", "QUANTITY", f"{n}-{m} mi"
        yield f"{n}-{m} days", "DATE", f"P{n}D-P{m}D"
        yield f"{n} or {m} hours", "TIME", f"PT{n}H-PT{m}H"
        yield f"between [{n} and {m} years]", "DATE", f"P{n}Y-P{m}Y"
        yield f"[{n} to {m}] boats", "CARDINAL", f"{n}-{m}"


def telephones(rng: random.Random) -> Iterator[Filler]:
    for _ in range(14):
        a, b, c = rng.randint(201, 989), rng.randint(200, 999), rng.randint(1000, 9999)
        yield rng.choice(
            [
                f"({a}) {b}-{c}", f"{a}-{b}-{c}", f"+1 {a} {b} {c}", f"({a}) {b} {c}",
                f"+44 20 {c} {c - 7}", f"0{a} {b}{c}", f"{b}-{c}", f"1-800-{b}-{c}",
                f"(0{a}) {c} {b}", f"+1-{a}-{b}-{c}", f"{a}.{b}.{c}",
            ]
        ), "", ""  # fmt: skip
    for _ in range(6):
        n = rng.randint(10000, 99999)
        yield f"ISBN 978-3-{n % 100}-{n}{n % 10}-{n % 7}", "", ""
        yield f"ISBN 0-{n // 100}-{n % 10000}-1", "", ""


# Frames of the forms that are written by hand.
FRAMES = [
    "They have {} now.",
    "It was {}, they said.",
    "We think of {} here.",
    "She wrote {} in the letter.",
]


def others() -> Iterator[tuple[str, Filler]]:
    """The forms of tests/quality/values/forms.txt, by label."""
    for line in OTHERS.read_text(encoding="utf-8").splitlines():
        label, _, forms = line.partition(": ")
        for form in forms.split("; ") if line[0] != "#" else ():
            text, _, value = form.partition("=")
            yield f"by hand: {label}", (text, "" if label == "NONE" else label, value)


# By kind the frames.
PLACES = """
hyphenated dates: She joined on {}. | The form of {} is lost. | The letter is dated {}, I think.
ISO 8601: The form of {} is lost. | See the report ({}) for more. | It was sent before {}.
written dates: She left on {}. | The news came on {} at last. | We met before {}.
two years: The war of {} was long. | They grew fast in {}. | The {} budget was cut.
days that do not exist: She joined on {}. | The form of {} is lost. | It was sent before {}.
numbers of other lands: They counted {} there. | It came to {} in the end. | We saw {}.
ranges of days: We are closed {}. | The fair is on {} in Leeds. | See you on {}!
ranges of hours: We are open {}. | The shop is open {} on weekdays. | Come {}, please.
hours of the clock: They attacked at {}. | Be here by {}, please. | He slept until {}.
bare multipliers: They found {} there. | It brought {}. | We saw {} in town.
K, M and B: It had {} in the end. | They have {} now. | We saw {}.
signs: It was {} outside. | The balance is {}. | It fell to {} once more.
sums: They paid {} for it. | It costs {}. | The price of {} is high.
ranges: It takes {}. | They found {} in all. | We need {} more.
telephones: Call {} now. | My number is {}. | Tel. {} | Write to us or ring {}.
""".strip().split("\n")
MADE = {  # by kind the fillers
    "hyphenated dates": hyphenated,
    "ISO 8601": iso,
    "written dates": written,
    "two years": seasons,
    "days that do not exist": no_days,
    "numbers of other lands": other_lands,
    "ranges of days": day_ranges,
    "ranges of hours": hour_ranges,
    "hours of the clock": clock,
    "bare multipliers": multipliers,
    "K, M and B": letters,
    "signs": signs,
    "sums": sums,
    "ranges": ranges,
    "telephones": telephones,
}


def forms() -> Iterator[Form]:
    """All forms, each in all frames of its kind."""
    places = [line.partition(": ")[::2] for line in PLACES]
    fillers = [
        (kind, tuple(listed.split(" | ")), filler)
        for kind, listed in places
        for filler in dict.fromkeys(MADE[kind](random.Random(kind)))
    ]
    fillers += [(kind, FRAMES, filler) for kind, filler in others()]
    for kind, frames, (form, label, value) in fillers:
        span, text = MARKED.search(form), MARKED.sub(r"\1", form)
        values = [(span[1] if span else form, label, value)] if label else []
        for frame in frames:
            yield Form(kind, frame.format(text), values)
