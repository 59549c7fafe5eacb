"""Output: the original's columns, to the byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from senna.classic.input import Word, bytes_of
from senna.classic.options import ORIGINAL_TASKS, Options


class VerbTags(NamedTuple):
    """The verbs of a sentence, by place, and the tags of all words for each of them."""

    verbs: Sequence[int]
    tags: Sequence[Sequence[str]]


# What is found of a sentence, by task: tags; Roles for srl; cells of brackets for psg.
Found = dict[str, Any]


def written(words: Sequence[Word], results: Found, options: Options) -> bytes:
    """A sentence: one line per word, and a blank line."""
    texts = [bytes_of(word.text) for word in words]
    columns = [[b"%15s" % text for text in texts] if options.tokens else [b""] * len(texts)]
    if options.offsets:
        columns.append([b"%d %d" % (word.start, word.end) for word in words])
    for task in ORIGINAL_TASKS:
        if task not in results:
            continue
        result = results[task]
        if task == "srl":
            marks = [b"-"] * len(texts)
            for place in result.verbs:
                marks[place] = texts[place]
            columns.append([b"%15s" % mark for mark in marks])
            columns += [_padded(in_scheme(tags, options.scheme)) for tags in result.tags]
        elif task == "psg":
            columns.append([bytes_of(cell) for cell in result])
        else:
            columns.append(_padded(result if task == "pos" else in_scheme(result, options.scheme)))
    rows = zip(*columns, strict=True)
    return b"".join(b"\t".join(row) + b"\n" for row in rows) + b"\n"


def _padded(tags: Sequence[str]) -> list[bytes]:
    return [b"%10s" % bytes_of(tag) for tag in tags]


def in_scheme(tags: Sequence[str], scheme: str) -> Sequence[str]:
    """IOBES tags as IOB2 ("iob") or brackets, each rewritten by itself, as the original does."""
    if scheme == "iobes":
        return tags
    rewrite = _iob if scheme == "iob" else _bracket
    return [rewrite(tag) for tag in tags]


def _iob(tag: str) -> str:
    return {"E-": "I-", "S-": "B-"}.get(tag[:2], tag[:2]) + tag[2:] if len(tag) > 2 else tag


def _bracket(tag: str) -> str:
    kinds = {"B-": f"({tag[2:]}*", "I-": "*", "E-": "*)", "S-": f"({tag[2:]}*)"}
    return "*" if tag == "O" else kinds.get(tag[:2], tag)
