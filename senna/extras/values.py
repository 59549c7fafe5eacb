"""Dates, times, sums of money, percentages, quantities and numbers, found in words by rules.

The rules and their words are in data/values.toml. A rule is a pattern over the words in small
letters, sometimes with a condition on the words around. At each word the longest match counts, of
equal ones the first rule. The value of a span depends on its words alone:

* Dates and times are as in ISO 8601, with X for what is not named: `2021-05-03`, `XXXX-05`, `199X`,
  `XXXX-WXX-5` (a Friday), `2020-Q3`, `2010-SU` (a summer), `T10:30`, `TMO` (a morning). Durations
  are `P3D` and `PT2H30M`; with a sign they are counted from now: `-P1D` is yesterday.
* Numbers are in digits, with a unit behind them: `5000000 USD`, `4.5 %`, `3.5 kg`, `2/3`.
* Of a range both ends are given: `5-10 %`, `P2D-P3D`, `1939/1945`, `T07:00/T10:00`.

A value that is wrong is worse than none: days that do not exist, forms that are ambiguous and
numbers in names and of telephones are no values, nor is anything in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from senna.annotation.schemes import Phrase
from senna.files import resource
from senna.settings import read_table

Found = re.Match[str]

_TABLES = read_table(resource("data/values.toml"))


def _numbered(name: str, first: int, step: int = 1) -> dict[str, int]:
    words = enumerate(_TABLES["words"][name].split())
    return {word: first + step * i for i, word in words}


_NUMBERS, _TENS = _numbered("numbers", 0), _numbered("tens", 20, 10)
_FIRSTS = _numbered("ordinals", 1)
_SCALES: dict[str, int] = _TABLES["scales"]
_TIETHS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}
_SCALETHS = {f"{word}th": value for word, value in _SCALES.items()}
_PARTS = {"half": (1, 2), "½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3)}
_PIECES = {"half": 2, "halve": 2, "quarter": 4}
_PIECES |= {word: n for word, n in _FIRSTS.items() if 3 <= n <= 10}
_DECADES = {f"{word[:-1]}ies": value for word, value in _TENS.items()}
_WORTH = {
    word: Fraction(value) for word, value in (_NUMBERS | _TENS | _FIRSTS | _TIETHS).items()
} | {word: Fraction(*parts) for word, parts in _PARTS.items()}
_MONTHS, _DAYS = _numbered("months", 1), _numbered("days", 1)
_MONTHS |= {word[:3]: n for word, n in _MONTHS.items()} | {"sept": 9}
_SHORT_DAYS = {word[:3]: n for word, n in _DAYS.items()} | {"tues": 2, "thur": 4, "thurs": 4}
_AROUND = {name: words.split() for name, words in _TABLES["around"].items()}
_CODES = {code for name in ("currencies", "lands", "signs") for code in _TABLES[name].values()}


def number(text: str) -> Fraction:
    """The number that digits and words make, such as `1.3 million` or `two hundred and fifty`."""
    total = current = Fraction(0)
    text = re.sub(r"(?<=\d)[ '’](?=\d{3}(?!\d))", "", text)  # 10 000
    if text.count(".") > 1 or " , " in text:  # 1.234.567, 1.234,50
        text = text.replace(".", "").replace(" , ", ".")
    for word in re.findall(r"\d+/\d+|[\d,]*\.?\d+|[½¼¾⅓⅔]|[a-z]+", text):
        scale = _SCALES.get(word) or _SCALETHS.get(word)
        if word[-1].isdecimal():
            current += Fraction(word.replace(",", ""))
        elif word.startswith("quarter"):
            current = (current or 1) / Fraction(4)
        elif scale == 100:
            current = (current or 1) * Fraction(scale)
        elif scale:
            total, current = total + (current or 1) * scale, Fraction(0)
        else:
            current += _WORTH.get(word, 0)
    return total + current


def shown(value: Fraction) -> str:
    """A number as a decimal where that is exact to twelve digits, else as a fraction."""
    scaled = value * 10**12
    if scaled.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    whole, rest = divmod(abs(scaled.numerator), 10**12)
    return f"{'-' * (value < 0)}{whole}" + f".{rest:012}".rstrip("0").rstrip(".")


def _ends(found: Found) -> list[Fraction]:
    """The number of a match, or the ends of its range, whose scale may be named once."""
    group = found.groupdict()
    texts = [text for text in map(group.get, ("low", "high")) if text]
    ends = [number(text) for text in texts]
    last = texts[-1].split()[-1]
    if len(ends) > 1 and last in _SCALES and ends[0] < 1000 and texts[0].split()[-1] not in _SCALES:
        ends[0] *= _SCALES[last]
    return [-ends[0], *ends[1:]] if group.get("minus") else ends


def _range(found: Found, unit: str = "", factor: Fraction | int = 1) -> str:
    return f"{'-'.join(shown(end * factor) for end in _ends(found))} {unit}".rstrip()


def _day(year: str, month: int, day: int) -> str | None:
    """A day, if it exists; in no year one of a leap year may."""
    try:
        date(int(year) if year.isdecimal() else 2000, month, day)
    except ValueError:
        return None
    return f"{year}-{month:02}-{day:02}"


def _full_year(year: str) -> str:
    """A year of two digits with its century; "" where that is not clear."""
    if len(year) > 2:
        return year
    return f"20{year}" if year < "40" else f"19{year}" if year > "59" else ""


def _date(found: Found) -> str | None:
    group = found.groupdict()
    year, month, day = group.get("year") or "", group.get("month"), group.get("day")
    value = _full_year(year) if year else "XXXX"
    if era := group.get("era"):  # there is no year 0
        value = f"-{int(year) - 1:04}" if era[0] == "b" else f"{int(year):04}"
    if not month or not value:
        return value or None
    of_year = _MONTHS.get(month) or int(month)
    return _day(value, of_year, int(number(day))) if day else f"{value}-{of_year:02}"


def _days(found: Found) -> str | None:
    """From one day of a month to another."""
    first = _date(found) or ""
    last = first and _day(first[:-6], _MONTHS[found["month"]], int(number(found["end"])))
    return f"{first}/{last}" if last and first < last else None


def _figures(found: Found) -> str | None:
    """A date in figures: the month stands first, unless it cannot, or full stops separate it."""
    a, b, year = int(found["a"]), int(found["b"]), _full_year(found["year"])
    day, month = (a, b) if a > 12 or (found["by"] == "." and b <= 12) else (b, a)
    return _day(year, month, day) if year else None


def _years(found: Found) -> str | None:
    """Two years, or a year and a month: *2003-04* may be both."""
    year, last = found["year"], found["last"]
    short = year[4 - len(last) :]
    if found["by"] != "–" and len(last) == 2 and 1 <= int(last) <= 12:
        if last <= short:
            return f"{year}-{last}"
        if found["by"] == "-" or int(last) > int(short) + 1:
            return None
    if last > short:
        return f"{year}/{year[: 4 - len(last)]}{last}"
    return f"{year}/{int(year) + 1}" if (short, last) == ("99", "00") else None


def _period(found: Found) -> str:
    """A duration; with `ago`, `last`, `next` and such the same from now."""
    group, clock = found.groupdict(), _TABLES["clock"]
    mark, size = ("PT", clock[found["unit"]]) if found["unit"] in clock else ("P", "")
    size = size or _TABLES["periods"][found["unit"]]
    ends, unit = _ends(found) if group.get("low") else [Fraction(1)], size[-1]
    if group.get("more"):
        ends = [end + Fraction(1, 2) for end in ends]
    if ends[0].denominator > 1 and mark == "PT" and unit in "HM":
        ends, unit = [end * 60 for end in ends], {"H": "M", "M": "S"}[unit]
    sign = group.get("ago") or group.get("when") or ""
    before = "-" * (sign in ("ago", "last", "past", "previous"))
    before += "+" * (sign in ("from now", "next", "coming", "following"))
    counts = ["X"] if group.get("few") else [shown(end * int(size[:-1])) for end in ends]
    text = "-".join(f"{mark}{0 if sign == 'this' else count}{unit}" for count in counts)
    if group.get("n2"):
        text += shown(number(found["n2"])) + clock[found["unit2"]][1:]
    return before + text


def _time(found: Found) -> str:
    group = found.groupdict()
    hour, minute = int(number(found["hour"])), int(group.get("minute") or 0)
    if past := group.get("past"):
        minute = {"quarter": 15, "half": 30}.get(found["by"]) or int(number(found["by"]))
        hour, minute = (hour, minute) if past == "past" else ((hour - 1) or 12, 60 - minute)
    half = group.get("half") or {None: "", "morning": "a"}.get(group.get("part"), "p")
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return f"T{hour:02}:{minute:02}" + (f":{group['second']}" if group.get("second") else "")


def _times(found: Found) -> str:
    """From one time to another, of which only the second has a.m. or p.m."""
    first, half = int(found["first"]), found["half"]
    if first % 12 > int(found["hour"]) % 12:  # 11-2pm
        half = "a" if half == "p" else "p"
    hour = first % 12 + 12 * (half == "p")
    return f"T{hour:02}:{int(found['first_minute'] or 0):02}/{_time(found)}"


def _hours(found: Found) -> str | None:
    """From one time to another, on a clock of 24 hours."""
    first, last = f"T{int(found['first']):02}:{found['first_minute']}", _time(found)
    return f"{first}/{last}" if first < last or first > "T13" else None


def _vague(found: Found) -> str:
    """How large a number is of which only that is said: X00 for hundreds."""
    size = _SCALES[found["scale"] or found["times"]]
    size *= {"t": 10, "h": 100}.get((found["more"] or "")[:1], 1)
    return str(size).replace("1", "X", 1)


def _part_of_day(found: Found) -> str:
    day = found.groupdict().get("of") or ""
    named = {"last": "-P1D", **_TABLES["relative"]}.get(day, "")
    before = f"XXXX-WXX-{_DAYS[day]}" if day in _DAYS else named
    return f"{before}T{_TABLES['parts_of_day'][found['part']]}"


def _money(found: Found) -> str | None:
    group = found.groupdict()
    name = (group.get("name") or "").removesuffix("s")
    code = _TABLES["lands"].get(group.get("land")) or _TABLES["signs"].get(group.get("sign"))
    code = code or _TABLES["currencies"].get(name) or group["code"].upper()
    hundredth = name in ("cent", "penny", "pence", "p")
    factor = Fraction(_TABLES["short_scales"].get(group.get("short"), 1), 100 if hundredth else 1)
    if group.get("scale") or group.get("times"):
        return f"{_vague(found)} {code}"
    if not group.get("low"):
        return f"{shown(factor)} {code}"
    if re.fullmatch(r"\d{1,3}\.\d{3}", group["low"]) and not group.get("short"):
        return None  # of thousands, or in other lands of ones
    if group.get("more"):
        return f"{shown(number(group['low']) + number(group['more']) / 100)} {code}"
    return _range(found, code, factor)


def _quantity(found: Found) -> str:
    group = found.groupdict()
    spelt = "ft" if found["unit"] in "'\u2019" else found["unit"]  # 5'10"
    unit = next(sign for sign, p in _TABLES["units"].items() if re.fullmatch(p, spelt))
    unit += {"sq": "²", "cu": "³", "": ""}[(group.get("power") or "")[:2]]
    unit += f"/{_TABLES['per'][group['per']]}" if group.get("per") else ""
    more = f" {shown(number(group['n2']))} in" if group.get("n2") else ""
    return _range(found, {"mi/h": "mph"}.get(unit, unit)) + more


_VALUES: dict[str, Callable[[Found], str | None]] = {
    "date": _date, "days": _days, "figures": _figures, "years": _years, "period": _period,
    "time": _time, "times": _times, "hours": _hours, "vague": _vague, "money": _money,
    "part_of_day": _part_of_day, "quantity": _quantity, "cardinal": _range,
    "upper": lambda m: m[0].upper(), "percent": lambda m: _range(m, "%"),
    "shortened": lambda m: _range(m, "", _TABLES["short_scales"][m["short"]]),
    "half": lambda m: f"{m['year']}-H{_FIRSTS[m['which']]}",
    "ordinal": lambda m: shown(number(m[0])),
    "fraction": lambda m: f"{number(m['n'] or '') or 1}/{_PIECES[m['piece'].removesuffix('s')]}",
    "decade": lambda m: (m["digits"] or "19" + (m["two"] or str(_DECADES[m["word"]])[0])) + "X",
    "century": lambda m: f"{int(number(m['nth'])) - 1:02}XX",
    "quarter": lambda m: f"{m['year'] or 'XXXX'}-Q{number(m['q'] or m['nth'])}",
    "weekday": lambda m: f"XXXX-WXX-{_DAYS.get(m['weekday']) or _SHORT_DAYS[m['short_day']]}",
    "season": lambda m: f"{m['year'] or 'XXXX'}-{_TABLES['seasons'][m['season']]}",
    "feast": lambda m: f"XXXX-{_TABLES['feasts'][m[0]]}",
    "relative": lambda m: str(_TABLES["relative"][m[0]]),
}  # fmt: skip


class Place(NamedTuple):
    """The words [first, last) of a sentence that a rule matches, `low` in small letters."""

    words: Sequence[str]
    low: Sequence[str]
    first: int
    last: int

    def before(self, *known: str) -> bool:
        """Whether one of these words stands before, in small letters."""
        return self.first > 0 and self.low[self.first - 1] in known

    @property
    def after(self) -> str:
        """The word behind in small letters; at the end a full stop."""
        return self.low[self.last] if self.last < len(self.low) else "."

    @property
    def phrase(self) -> Sequence[str]:
        return self.low[self.first : self.last]

    @property
    def counts(self) -> bool:
        """Whether what is counted seems to follow, as in *300 people*."""
        return bool(re.fullmatch(r"[^\W\d]+(?<![siua])s|people|men|women|children", self.after))

    @property
    def name(self) -> str:
        """The word before, if it has a capital and is more than the first of a sentence."""
        before = self.words[max(self.first - 2, 0) : self.first]
        word = before[0 if before[1:] == ["'s"] else -1] if before else ""
        known = word.lower() in _AROUND["unnamed"] or not word.isalpha()
        return "" if known or word == word.lower() else word

    @property
    def is_joined(self) -> bool:
        """Whether a hyphen joins it to a word: COVID-19, 7-Eleven."""
        if not self.before("-") or self.first < 2:
            return False
        word = self.low[self.first - 2]
        if word[0].isdecimal():
            return self.words[self.first].istitle()
        return self.low[self.first][0].isdecimal() and word[0].isalpha() and word not in _JOINED

    @property
    def alone(self) -> str:
        """Its word, if it has one only."""
        return self.low[self.first] if self.last == self.first + 1 else ""


def _capital(at: Place) -> bool:
    """Whether words that are more than months and days have a capital, where a time may stand."""
    words = at.words[at.first : at.last]
    if at.alone in _AROUND["first_names"] and not at.before(*_AROUND["years"]):
        following = at.words[at.last] if at.last < len(at.words) else ""
        person = following.istitle() or at.after in (*_AROUND["saying"], "'s", "de", "van")
        if person or (at.name.istitle() and at.name.lower() not in _DAYS):
            return False
    unsure = [w for w in words if w.lower().rstrip(".") in ("may", "march", "mar", "sun", "sat")]
    if not unsure or any(word[0].isdecimal() for word in words):
        return True
    sure = not at.alone or unsure[0][-1] == "." or at.before(*_AROUND["times"])
    return sure and unsure[0][0].isupper()


def _is_year(at: Place) -> bool:
    year = int(at.phrase[-1][-4:])
    if at.is_joined or (year >= 2030 and at.name):
        return False  # Agenda 2030
    if at.before("in", "since", "by", "until", "during") or (at.before("the") and year >= 1900):
        return True
    return 1500 <= year < 2100 and not at.counts and not at.before("than", "#", "no.", "page")


def _is_weight(at: Place) -> bool:
    follows = at.after in ("of", "heavier", "lighter", "overweight", "per")
    return follows or any(w in _AROUND["weighing"] for w in at.low[max(at.first - 4, 0) : at.first])


def _is_unit(at: Place) -> bool:
    unit = at.words[at.last - 1].removesuffix(".")
    if unit.lower().startswith("pound") and not _is_weight(at):
        return False
    if unit == "K" and (at.counts or "-" in at.phrase or not at.before(*_AROUND["kelvin"])):
        return False
    if unit == "m" and at.after in _PERSONS:
        return False
    return unit in str(_TABLES["spelling"].get(unit.lower(), unit))


def _is_nth(at: Place) -> bool:
    following = at.low[at.last : at.last + 2]
    if following[:1] == ["-"] and following[-1] in _AROUND["ranked"]:
        return False  # second-hand
    if at.alone == "second":
        unit = at.before("a", "every", "one") and not at.after.isalpha()
        return not unit and not at.before("i", "we", "they", "split", "per")
    idiom = at.before("at") or at.after == "aid" or following == ["of", "all"]
    return at.alone != "first" or not idiom


def _is_range(at: Place) -> bool:
    """Whether numbers with *to* between them rise, and figures are no years."""
    words = at.phrase
    if "-" not in words and len(words) == 3 and len(words[0]) == len(words[2]) == 4:
        return at.counts  # or they are years
    cut = words.index("to") if "to" in words else 0
    rises = not cut or number(" ".join(words[:cut])) < number(" ".join(words[cut + 1 :]))
    eleven = words[0][0].isdecimal() and at.words[at.last - 1].istitle()  # 7-Eleven
    model = at.name and number(words[0]) >= 100 and not at.counts  # Boeing 737-800
    return rises and not eleven and not model and _is_number(at)


def _is_number(at: Place) -> bool:
    word = at.alone
    following = at.words[at.last + 1] if at.after == "-" and at.last + 1 < len(at.words) else ""
    if at.is_joined or (following.istitle() and at.phrase[0][0].isdecimal()):
        return False  # COVID-19, 3-D
    if " " in " ".join(at.phrase) and at.phrase[-1].isdecimal() and at.phrase[-2].isdecimal():
        return at.counts  # 10 000 people
    if word == "one":
        pronoun = at.before(*_AROUND["one"]) or (at.before("the") and not at.after.isalpha())
        return not pronoun and at.after not in _AROUND["after_one"]
    if not word or not word[0].isdecimal():
        six = at.words[at.first].istitle() and at.name and not at.counts  # Rainbow Six
        return at.phrase[-1] not in ("a", "an") and not six
    before = at.low[at.first - 1] if at.first else ""
    digits = before[-1:].isdecimal() or at.after[:1].isdecimal() or (word[0] == "0" and word != "0")
    if (digits and "." not in word) or at.after in _LETTERS:
        return False  # of a telephone number, or with a letter that may mean many things
    if "/" in word and number(word) >= 1:
        return False  # 24/7
    if re.fullmatch(r"\d{1,3}\.\d{3}", word) and (at.counts or word.endswith("000")):
        return False  # thousands, in other lands
    # A number behind a name belongs to it: Route 66, Boeing 747.
    return at.counts or not at.name


def _is_short(at: Place) -> bool:
    """Whether a letter behind a number counts: 10K runners, but not 10K."""
    letter = re.sub(r"[\d.,]", "", at.words[at.last - 1])
    if len(letter) > 1 or at.counts:
        return letter != "m" or at.after in _PERSONS
    if letter == "k":
        return at.after not in _AROUND["races"]
    return letter == "M" and (not at.after.isalpha() or at.after in _AROUND["unnamed"])


_PERSONS = ("people", "men", "women", "children")
_LETTERS = ("k", "m", "b", "t")
_CALENDAR = {*_DAYS, *_SHORT_DAYS, *_MONTHS, *_TABLES["seasons"], *_TABLES["feasts"]}
_JOINED = {*_AROUND["joined"], *_AROUND["negative"], *_CALENDAR, *_NUMBERS, *_TENS}
_JOINED |= {*_TABLES["signs"], *map(str.lower, _CODES)}


_CONDITIONS: dict[str, Callable[[Place], bool]] = {
    "": lambda at: True, "capital": _capital, "is_year": _is_year, "is_unit": _is_unit,
    "is_nth": _is_nth, "is_range": _is_range, "is_number": _is_number,
    "is_decade": lambda at: at.phrase[-1].endswith("0s") or at.before("the"),
    "is_season": lambda at: at.before("in", "during", "since", "by")
    or (at.before(*_AROUND["times"]) and not at.after.isalpha()),
    "of_day": lambda at: at.before("all", "at")
    or at.low[max(at.first - 2, 0) : at.first] in (["in", "the"], ["during", "the"]),
    "lasting": lambda at: at.before(*_AROUND["lasting"]),
    "is_period": lambda at: (at.phrase[0] not in _TENS or at.phrase[1:] != ["-", "second"])
    and at.words[at.last - 1] not in "HMS"
    and not re.fullmatch(r"(?:[01]\d|2[0-3])[0-5]\d", at.phrase[0]),  # 4-H, 0600 hours
    "of_clock": lambda at: at.phrase[0][0] == "0"
    or (at.before(*_AROUND["clock_hours"]) and at.after != "of"),
    "with_colons": lambda at: not (at.name and at.first > 1) and not at.before("from"),
    "not_counted": lambda at: _capital(at) and not at.counts,
    "is_negative": lambda at: at.phrase[0] != "-"
    or (not at.phrase[1].isalpha() and (not at.first or at.before(*_AROUND["negative"]))),
    "is_short": _is_short,
    "is_counted": lambda at: at.counts and not at.before(*_AROUND["scaled"]),
    "is_address": lambda at: all(word.istitle() for word in at.words[at.first + 1 : at.last]),
    "one_month": lambda at: min(map(int, re.split("[/.]", at.phrase[0])[:2])) <= 12,
    "with_colon": lambda at: ":" in at.phrase[0] and (not at.name or at.name.lower() in _CALENDAR),
    "at": lambda at: at.before(*_AROUND["clock"]) or "past" in at.phrase,
    "on_date": lambda at: at.before("on", "until", "till", "since", "due"),
    "in_capitals": lambda at: any(word.isupper() for word in at.words[at.first : at.last]),
    "is_sum": lambda at: not at.phrase[-1].startswith("pound") or not _is_weight(at),
    "is_height": lambda at: at.phrase[-1][:2] == "in" or not at.counts,  # 12 ft. 5 people fit in
    "is_part": lambda at: at.phrase[0] not in ("a", "half") or at.after in ("of", "the"),
}  # fmt: skip


class Rule(NamedTuple):
    """The pattern of some spans, their value, and a condition on the place of each."""

    label: str
    pattern: re.Pattern[str]
    value: Callable[[Found], str | None]
    fits: Callable[[Place], bool]


def _any(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(patterns, key=len, reverse=True))})"


def _read(tables: Mapping[str, Any]) -> list[Rule]:
    """The rules of the file, whose patterns name tables and other patterns."""
    plain = tables.keys() - {"rules", "patterns", "words", "around"}
    known = {name: _any(map(re.escape, tables[name])) for name in plain}
    known |= {name: _any(words.split()) for name, words in tables["words"].items()}
    known |= {
        "units": _any(tables["units"].values()), "digit": _any([*_NUMBERS][1:10]),
        "hours": _any([*_NUMBERS][1:13]), "tieths": _any(_TIETHS),
        "scaleths": _any(_SCALETHS), "months": _any(_MONTHS), "short_days": _any(_SHORT_DAYS),
        "codes": _any(map(str.lower, _CODES)), "decades": _any(_DECADES),
        "currencies": f"{_any({*tables['currencies']} - {'p'})}s?", "pieces": f"{_any(_PIECES)}s?",
    }  # fmt: skip
    for name, pattern in tables["patterns"].items():
        known[name] = _filled(pattern, known)
    rules = []
    for label, pattern, value, *condition in tables["rules"]:
        compiled = re.compile(rf"(?:{_filled(pattern, known)})(?!\S)")
        fixed = value if label else None
        valued = _VALUES.get(value, lambda found, fixed=fixed: fixed)
        rules.append(Rule(label, compiled, valued, _CONDITIONS["".join(condition)]))
    return rules


def _filled(pattern: str, known: Mapping[str, str]) -> str:
    return re.sub(r"@([a-z]\w*)", lambda found: known[found[1]], pattern)


RULES = _read(_TABLES)
# How a span can begin.
_BEGINS = re.compile(
    r"[+.'’(]?\d|\($|[½¼¾⅓⅔−-]|(?:early|late|mid)\b|(?:an?|half|last|next|this|past|previous|coming|following"
    r"|minus|few|several|couple|tonight|noon|midday|midnight|quarter|every|each|ad|day|q[1-4])$|"
    + _any(
        re.escape(word.split()[0])
        for table in (
            _NUMBERS, _TENS, _SCALES, _FIRSTS, _TIETHS, _SCALETHS, _MONTHS, _DAYS, _SHORT_DAYS,
            _DECADES, map(str.lower, _CODES),
            *(_TABLES["words"]["callers"].split(), ["isbn", "issn"]),
            *(_TABLES[name] for name in ("relative", "parts_of_day", "seasons", "feasts", "signs")),
        )
        for word in table
    )
    + r"s?\.?$"
).match  # fmt: skip


def find(words: Sequence[str]) -> list[Phrase]:
    """The spans of values among the words of a sentence, from left to right."""
    low = [word.lower() for word in words]
    places = [i for i, word in enumerate(low) if _BEGINS(word)]
    if not places:
        return []
    text, starts = " ".join(low), [0, *accumulate(len(word) + 1 for word in low)]
    ends = {start - 1: i for i, start in enumerate(starts)}
    spans, free = list[Phrase](), 0
    for first in places:
        if first < free:
            continue
        best, value = Phrase(first, first, ""), None
        for rule in RULES:
            found = rule.pattern.match(text, starts[first])
            last = ends.get(found.end(), 0) if found else 0
            if found and last > best.end and rule.fits(Place(words, low, first, last)):
                best, value = Phrase(first, last, rule.label), rule.value(found)
        if best.label and value is not None:
            spans.append(best)
        free = best.end
    return spans


def value_of(words: Sequence[str], label: str) -> str:
    """The value of a span that `find` found; "" where it has none."""
    for before in ("", "between "):  # behind which 5 and 10 are a range
        text = before + " ".join(words).lower()
        for rule in RULES:
            if rule.label == label and (found := rule.pattern.fullmatch(text, len(before))):
                return rule.value(found) or ""
    return ""
