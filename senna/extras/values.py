"""Dates, times, sums of money, percentages, quantities and numbers, found in words by rules.

The rules and their words are in data/values.toml. A rule is a pattern over the words in small
letters, sometimes with conditions: patterns that must, or must not, match what is around it. At
each word the longest match counts, of equal ones the first rule. The value of a span depends on its
words alone:

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

from senna.annotation.schemes import Phrase, all_tags
from senna.extras.glossary import explain
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
    first, last = f"T{int(found['first']):02}:{found['first_minute']}", _time(found)
    return f"{first}/{last}" if first < last or first > "T13" else None


def _vague(found: Found) -> str | None:
    """The magnitude of a vague number: X00 for hundreds."""
    size = _SCALES[found["scale"] or found["times"]]
    size *= {"t": 10, "h": 100}.get((found["more"] or "")[:1], 1)
    return str(size).replace("1", "X", 1) if size % 100 == 0 else None  # not dozens


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
        return (size := _vague(found)) and f"{size} {code}"
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


_SLASHED = re.compile(r"\d+/\d+").fullmatch
_VALUES: dict[str, Callable[[Found], str | None]] = {
    "date": _date, "days": _days, "figures": _figures, "years": _years, "period": _period,
    "time": _time, "times": _times, "hours": _hours, "vague": _vague, "money": _money,
    "part_of_day": _part_of_day, "quantity": _quantity,
    "cardinal": lambda m: _range(m) if not _SLASHED(m[0]) or number(m[0]) < 1 else None,  # 24/7
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


def _spelt(words: Sequence[str]) -> bool:
    """Whether a unit that other words look like is written as it must be: K, but not k."""
    unit = words[-1].removesuffix(".")
    return unit in str(_TABLES["spelling"].get(unit.lower(), unit))


def _rises(words: Sequence[str]) -> bool:
    """Whether numbers with *to* between them do: 54 to 46 are two."""
    low = [word.lower() for word in words]
    cut = low.index("to") if "to" in low else 0
    return not cut or number(" ".join(low[:cut])) < number(" ".join(low[cut + 1 :]))


_CHECKS: dict[str, Callable[[Sequence[str]], bool]] = {"spelt": _spelt, "rises": _rises}


class Rule(NamedTuple):
    """The pattern of some spans, their value, and what is needed and forbidden around them."""

    label: str
    pattern: re.Pattern[str]
    value: Callable[[Found], str | None]
    only: Sequence[re.Pattern[str]]
    never: Sequence[re.Pattern[str]]
    checks: Sequence[Callable[[Sequence[str]], bool]]

    def fits(self, words: Sequence[str], first: int, last: int) -> bool:
        """Whether the words [first, last), which the pattern matches, are such a span."""
        own = words[first:last]
        span = f"\u2039{' '.join(own)}\u203a"
        text = " ".join([*words[max(first - 4, 0) : first], span, *words[last : last + 2]])
        return (
            all(pattern.search(text) for pattern in self.only)
            and not any(pattern.search(text) for pattern in self.never)
            and all(check(own) for check in self.checks)
        )


def _any(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(patterns, key=len, reverse=True))})"


def _read(tables: Mapping[str, Any]) -> list[Rule]:
    """The rules of the file, whose patterns name tables and other patterns."""
    plain = tables.keys() - {"rules", "patterns", "words", "around", "only", "never"}
    known = {name: _any(map(re.escape, tables[name])) for name in plain}
    known |= {name: _any(words.split()) for name, words in tables["words"].items()}
    known |= {name: _any(map(re.escape, words.split())) for name, words in tables["around"].items()}
    known |= {
        "units": _any(tables["units"].values()), "digit": _any([*_NUMBERS][1:10]),
        "hours": _any([*_NUMBERS][1:13]), "tieths": _any(_TIETHS),
        "scaleths": _any(_SCALETHS), "months": _any(_MONTHS), "short_days": _any(_SHORT_DAYS),
        "codes": _any(map(str.lower, _CODES)), "decades": _any(_DECADES),
        "currencies": f"{_any({*tables['currencies']} - {'p'})}s?", "pieces": f"{_any(_PIECES)}s?",
    }  # fmt: skip
    for name, pattern in tables["patterns"].items():
        known[name] = _filled(pattern, known)
    needed = {name: [re.compile(_filled(p, known))] for name, p in tables["only"].items()}
    banned = {
        name: [re.compile(_filled("|".join(p), known))] for name, p in tables["never"].items()
    }
    rules = []
    for label, pattern, value, *names in tables["rules"]:
        compiled = re.compile(rf"(?:{_filled(pattern, known)})(?!\S)")
        fixed = value if label else None
        valued = _VALUES.get(value, lambda found, fixed=fixed: fixed)
        only, never = ([one for name in names for one in p.get(name, ())] for p in (needed, banned))
        checks = [_CHECKS[name] for name in names if name in _CHECKS]
        rules.append(Rule(label, compiled, valued, only, never, checks))
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


def labels() -> list[str]:
    """The tags of values."""
    return all_tags(known.tag for known in explain(task="value"))


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
            if found and last > best.end and rule.fits(words, first, last):
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
