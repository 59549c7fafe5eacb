"""Options of the original program; lines in and columns out: words with their bytes, the user's
verbs, the original's columns.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, BinaryIO, NamedTuple

from senna.errors import SennaError

ORIGINAL_TASKS = ("pos", "chk", "ner", "srl", "psg")  # in the order of their columns

HELP = """\

Stands in for SENNA 3.0: POS, CHK, NER, SRL, PSG

Usage: senna classic [options] < text > tags

The input has one sentence per line. Without a task, all tasks are printed.

Display options:
  -verbose         report on stderr what is loaded
  -notokentags     leave out the column of tokens
  -offsettags      add a column with the start and end of each token, in bytes
  -iobtags         IOB2 tags instead of IOBES (chunks, names, roles)
  -brackettags     brackets instead of IOBES (chunks, names, roles)

Data options:
  -path DIR/       a folder with the original's hash/ and data/; default: senna's models

Input options:
  -usrtokens       the tokens are separated by spaces

SRL options:
  -posvbs          verbs are the words whose part of speech starts with V
  -usrvbs FILE     FILE lists the verbs: one token per line, - if it is not a verb,
                   a blank line after each sentence

Tagging options:
  -pos -chk -ner   parts of speech, chunks, names
  -srl -psg        roles of verbs, parse trees

Stand-ins for the original's executables:
  --install DIR    write them into the folder DIR
"""


class FatalError(SennaError):
    """An error in the words of the original."""


class StrayArgumentError(SennaError):
    """An argument that is not an option."""


@dataclass
class Options:
    """Options of the command line; `tasks` are those named, none for all of them."""

    tasks: tuple[str, ...] = ()
    path: str = ""
    scheme: str = "iobes"  # or iob, bracket
    tokens: bool = True
    offsets: bool = False
    user_tokens: bool = False
    pos_verbs: bool = False
    verbs_file: str = ""
    verbose: bool = False
    help: bool = False


def parse(arguments: Sequence[str]) -> Options:
    """The options; a file of verbs is tried as soon as it is named.

    Raises StrayArgumentError, and FatalError for a missing value or file.
    """
    options = Options()
    rest, named, schemes = iter(arguments), set(), set()
    for argument in rest:
        if argument in _SWITCHES:
            setattr(options, *_SWITCHES[argument])
        elif argument in ("-iobtags", "-brackettags"):
            schemes.add(argument)
        elif argument == "-path":
            options.path = _value(rest, "please provide a path for the -path option")
        elif argument == "-usrvbs":
            wanted = "please provide a filename for the -usrvbs option"
            options.verbs_file = _value(rest, wanted)
            opened(options.verbs_file).close()
        elif argument[:1] == "-" and argument[1:] in ORIGINAL_TASKS:
            named.add(argument[1:])
        else:
            raise StrayArgumentError(f"invalid argument: {argument}")
    options.tasks = tuple(task for task in ORIGINAL_TASKS if task in named)
    if schemes:
        options.scheme = "iob" if "-iobtags" in schemes else "bracket"
    return options


_SWITCHES = {
    "-verbose": ("verbose", True),
    "-notokentags": ("tokens", False),
    "-offsettags": ("offsets", True),
    "-usrtokens": ("user_tokens", True),
    "-posvbs": ("pos_verbs", True),
    "-h": ("help", True),
}  # fmt: skip


def _value(rest: Iterator[str], missing: str) -> str:
    value = next(rest, None)
    if value is None:
        raise FatalError(missing)
    return value


def opened(path: str, *, regular: bool = False) -> BinaryIO:
    """A file opened for reading; FatalError where it cannot be, or is not a `regular` file."""
    try:
        if regular and not stat.S_ISREG(os.stat(path).st_mode):  # a device may have no end
            raise OSError
        return open(path, "rb")
    except (OSError, ValueError):
        raise FatalError(f"unable to open file <{path}>") from None


BLOCK = 1 << 16  # bytes read at once
# A NUL ended a line for the original; here it parts words, as C's white space does.
_WORD = re.compile(rb"[^ \t\n\v\f\r\0]+")


class Word(NamedTuple):
    """A token and where it stands, in bytes of its line; bytes that are no UTF-8 are escaped."""

    text: str
    start: int
    end: int


def arriving(stream: Any) -> Iterator[list[bytes]]:
    """The lines of a stream of bytes, those of each block that has arrived, without line feeds."""
    begun: list[bytes] = []
    while block := stream.read(BLOCK):
        head, newline, tail = block.rpartition(b"\n")
        if newline:
            yield b"".join([*begun, head]).split(b"\n")
            begun = []
        if tail:
            begun.append(tail)
    if begun:
        yield [b"".join(begun)]


def spaced(line: bytes) -> list[Word]:
    """The words of a line between white space."""
    matches = _WORD.finditer(line)
    return [Word(text_of(match[0]), match.start(), match.end()) for match in matches]


def text_of(line: bytes) -> str:
    """Bytes as text; those that are no UTF-8 come out again as they were."""
    return line.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """Such text as the bytes that it was."""
    return text.encode("utf-8", "surrogateescape")


def byte_places(text: str) -> Sequence[int]:
    """Where each character of a text starts, in bytes, and where the last ends."""
    if text.isascii():
        return range(len(text) + 1)
    return [0, *accumulate(len(bytes_of(character)) for character in text)]


class Verbs:
    """A file of verbs: one line per token, `-` where it is none, a blank line after each sentence.

    A blank line in place of a token is an error, or (`lax`) a verb, as the original has it.
    """

    def __init__(self, path: str, lax: bool) -> None:
        with opened(path) as file:
            self._lines = iter(file.read().splitlines())
        self._lax = lax

    def of(self, n: int) -> list[int]:
        """The verbs of the next sentence, of `n` words."""
        places = []
        for place in range(n):
            line = next(self._lines, None)
            if line is None:
                raise FatalError("invalid user verbs file\n")
            if not (line or self._lax):
                raise _misfit()
            if line[:1] != b"-" or line[1:2] not in b" \r\t":
                places.append(place)
        if next(self._lines, b"").strip(b"\r"):
            raise _misfit()
        return places


def _misfit() -> FatalError:
    return FatalError("sentence size does not match in user verbs file")


# --------------------------------------------------------------------------- output, to the byte


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
