"""Gold sentences of a task: read from a file of any format that its task knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from senna.annotation.columns import CONLL2012, without_text
from senna.annotation.scheme_detection import is_tag
from senna.errors import SennaError
from senna.kinds import output_of
from senna.kinds.answer import Gold, GoldOptions
from senna.tasks import TASKS

HEADING = 50  # lines that may be comments before the first word


def is_conll2012(lines: Sequence[str]) -> bool:
    """Whether a file that begins with these lines is in CoNLL-2012."""
    return bool(lines) and lines[0].removeprefix("\ufeff").startswith(CONLL2012)


def is_conllu(lines: Sequence[str]) -> bool:
    """Whether a file that begins with these lines is in CoNLL-U (Plus), comments before words."""
    if lines and lines[0].removeprefix("\ufeff").startswith("# global.columns ="):
        return True
    for line in lines:
        row = line.removeprefix("\ufeff").rstrip("\r\n").split("\t")
        if not row[0].startswith("#") and row != [""]:
            return len(row) == 10 and re.fullmatch(r"0\.1|1|1-[0-9]+", row[0]) is not None
    return False


def read_gold(task: str, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """The gold sentences of a task in a file called `name`, in CoNLL-2012, CoNLL-U or its own."""
    rest = iter(lines)
    first = list(islice(rest, HEADING))
    every: Iterator[str] = chain(first, rest)
    if is_conll2012(first):
        from senna.formats import conll

        return conll.read_gold(task, every, name, how.columns)
    if is_conllu(first):
        from senna.formats import conllu

        return conllu.read_gold(task, every, name, how.columns)
    if output_of(task).is_iobes:
        from senna.extras import standoff

        if standoff.is_standoff(first, name):
            return standoff.read_gold(every, name, how.tell)
    if TASKS[task].is_tagging and next(map(_row, filter(str.strip, first)), None):
        return _read_rows(task, every, name)
    if TASKS[task].is_tagging:
        every = without_text(every, name)
    return output_of(task).read(every, name, how)


def _row(line: str) -> dict[str, Any]:
    """The object of a line of JSON if it has a list of tokens, else nothing."""
    try:
        row = json.loads(line.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) and isinstance(row.get("tokens"), list) else {}


def _read_rows(task: str, lines: Iterable[str], name: str) -> Iterator[Gold]:
    """Rows of JSON with tokens and their tags, as data sets of Hugging Face are saved."""
    key = f"{task}_tags"
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row, where = _row(line), f"{name}:{number}"
        words = row.get("tokens", [])
        tags = row.get(key, row.get("tags"))
        if isinstance(tags, list) and tags and all(type(tag) is int for tag in tags):
            remedy = (
                f'Write names[tag] for each, with names = data.features["{key}"].feature.names.'
            )
            raise SennaError("the tags are numbers, not names", where=where, remedy=remedy)
        if (
            not isinstance(tags, list)
            or {*map(type, [*words, *tags])} - {str}
            or len(words) != len(tags)
        ):
            remedy = f'Rows look like {{"tokens": ["Ann", "ran"], "{key}": ["B-PER", "O"]}}.'
            raise SennaError("no row of tokens with their tags", where=where, remedy=remedy)
        for tag in tags if output_of(task).is_iobes else ():
            if not is_tag(tag):
                raise SennaError(f'tag "{tag}" belongs to no known scheme', where=where)
        if words:
            yield Gold(words, tags, {}, name, number)


def with_levels(gold: Iterable[Gold], lines: Iterable[str], name: str) -> Iterator[Gold]:
    """Gold sentences with the levels of their trees among their tags.

    `lines` are those of a `*.levels` file called `name`, which has the same sentences.
    """
    from senna.annotation.trimmed_levels import read_levels

    levels = read_levels(lines, name)
    for sentence in gold:
        words, tags, line = next(levels, ([], {}, 0))
        if words != sentence.forms:
            what = f"other words than {sentence.name}:{sentence.line}" if line else "too short"
            remedy = "It needs the same sentences, in the same order."
            raise SennaError(what, where=f"{name}:{line}" if line else name, remedy=remedy)
        yield sentence._replace(tags=sentence.tags | tags)
    rest = next(levels, None)
    if rest is not None:
        raise SennaError("sentences that the gold file lacks", where=f"{name}:{rest[2]}")
