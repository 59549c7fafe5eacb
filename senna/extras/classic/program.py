"""The stand-in for the original program: its options, lines in, columns out, each as soon as it can
be; the package's models in its place, and its installation.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from senna.atomic import replacing
from senna.errors import SennaError
from senna.files import forget_output, standard_input
from senna.model.folder import shipped
from senna.pipeline.pipeline import Pipeline

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


# --------------------------------------------------------------------------- the program

FAULT = 255


class Tagger(Protocol):
    """The tagger: the original's data, or the package's models."""

    tasks: tuple[str, ...]
    # As the original did: lines without words leave no line, and an empty line is a verb. Else
    # they leave an empty one, for callers that count, and empty lines tell that a list is wrong.
    exact: bool

    def words(self, line: bytes) -> list[Word]: ...

    def tag(
        self, sentences: Sequence[Sequence[Word]], verbs: Sequence[Sequence[int]] | None
    ) -> list[Found]: ...


def main() -> None:
    """Run as a program of its own, which the stand-ins do: it starts sooner than all of senna."""
    # Set before NumPy loads: one thread per process.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader has gone
        forget_output()
        sys.exit(141)


def run(arguments: Sequence[str]) -> int:
    """Tag standard input as the arguments say; returns the exit code, 255 for any fault."""
    try:
        if sys.stdout is None:
            raise FatalError("standard output is closed")
        out = sys.stdout.buffer
        try:
            options = parse(arguments)
        except StrayArgumentError as error:
            out.write(f"{error.what}\n{HELP}".encode("utf-8", "surrogateescape"))
            return FAULT
        if options.help:
            out.write(HELP.encode())
        else:
            _tag_lines(_tagger(options), options, out)
        out.flush()
    except SennaError as error:
        _tell(f"FATAL ERROR: {error.what if isinstance(error, FatalError) else error}")
        return FAULT
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk
        _tell(f"FATAL ERROR: {error.strerror}")
        forget_output()
        return FAULT
    return 0


def _tagger(options: Options) -> Tagger:
    path = options.path
    if path and not path.endswith(("/", os.sep)):
        path += "/"

    def say(text: str) -> None:
        if options.verbose:
            _tell(f"[{text}]")

    if os.path.isdir(path + "hash") or (path and not os.path.isdir(path)):
        from senna.lab.original.tagger import Original

        return Original(path, options, say, lambda text: _tell(f"WARNING: {text}"))
    return PackageModels(options, say)


def _tag_lines(tagger: Tagger, options: Options, out: Any) -> None:
    verbs = None
    if options.verbs_file and "srl" in tagger.tasks:
        verbs = Verbs(options.verbs_file, lax=tagger.exact)
    blank = b"" if tagger.exact else b"\n"
    if sys.stdin is None or sys.stdin.closed:
        raise FatalError("standard input is closed")
    for lines in arriving(standard_input()):
        # A fault in the list of verbs shows after what comes before it.
        for part in [[line] for line in lines] if verbs else [lines]:
            sentences = [tagger.words(line) for line in part]
            kept = [words for words in sentences if words]
            places = [verbs.of(len(words)) for words in kept] if verbs else None
            results = iter(tagger.tag(kept, places))
            for words in sentences:
                out.write(written(words, next(results), options) if words else blank)
        out.flush()


def _tell(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")


NAMES = ("senna", "senna-linux64", "senna-linux32", "senna-osx")
WINDOWS_NAMES = ("senna.bat", "senna-win32.bat")
_MARK = "Stands in for SENNA 3.0: see `senna classic`."

# Wrappers start the stand-in with hardly any environment, so Python and senna are named by their
# places. -P: what lies in the folder at hand is no module.
_PROGRAM = (
    "import sys;{home!r} in sys.path or sys.path.insert(0,{home!r});"
    "from senna.extras.classic.program import main;main()"
)


def install(folder: Path, windows: bool = sys.platform == "win32") -> list[Path]:
    """Write the stand-ins into a folder, which is made if need be; returns their paths.

    Raises SennaError where a file of such a name is another program, and then writes none.
    """
    paths = [folder / name for name in (WINDOWS_NAMES if windows else NAMES)]
    for path in paths:
        ours = path.is_file() and _MARK.encode() in path.read_bytes()[:200]
        if os.path.lexists(path) and not ours:
            remedy = "Name another folder, or move it away."
            raise SennaError("another program, which stays", where=str(path), remedy=remedy)
    text = _script(windows)
    try:
        # Wrappers may ask that nobody else can write there.
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    except OSError as error:
        raise SennaError(f"cannot be made: {error.strerror}", where=str(folder)) from None
    for path in paths:
        with replacing(path) as place:
            place.write_text(text, encoding="utf-8", newline="\r\n" if windows else "\n")
            place.chmod(0o755)
    return paths


def _script(windows: bool) -> str:
    program = _PROGRAM.format(home=str(Path(__file__).resolve().parents[3]))
    if windows:
        code = program.replace("%", "%%").replace('"', '\\"')
        return f'@rem {_MARK}\n@"{sys.executable}" -P -c "{code}" %*\n'
    python, code = shlex.quote(sys.executable), shlex.quote(program)
    return f'#!/bin/sh\n# {_MARK}\nexec {python} -P -c {code} "$@"\n'


_OURS = {"chk": "chunk"}  # our names of tasks, where they are others


class PackageModels:
    """The package's models of the requested tasks; `say` gets a line for each that is loaded."""

    exact = False

    def __init__(self, options: Options, say: Callable[[str], None]) -> None:
        ready = shipped()
        all_ = [task for task in ORIGINAL_TASKS if _OURS.get(task, task) in ready]
        self.tasks = options.tasks or tuple(all_)
        self._options = options
        names = [_OURS.get(task, task) for task in self.tasks]
        given = "srl" in names and bool(options.verbs_file or options.pos_verbs)
        # Verbs by their parts of speech: those with roles are all of them.
        by_pos = given and not options.verbs_file
        wanted = [*names, "pos"] if by_pos else names
        for name in wanted:
            say(f"loading model: {ready.get(name, name)}")
        self._pipeline = Pipeline.load(wanted, predicates="given" if given else "auto")
        self._pos = Pipeline(["pos"], self._pipeline.networks) if by_pos else None
        say("ready")

    def words(self, line: bytes) -> list[Word]:
        """The words of a line, cut in the old convention but spelt as they stand there."""
        if self._options.user_tokens:
            return spaced(line)
        from senna.text.tokenizer import tokenize

        line = line.replace(b"\0", b" ")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("latin-1")  # so that letters are letters
            at: Sequence[int] = range(len(line) + 1)
        else:
            at = byte_places(text)
        words: list[Word] = []
        for _, first, last in tokenize(text, "classic"):
            start, end = at[first], at[last]
            if not words or start >= words[-1].end:  # `U.S.` and the point that it shares
                words.append(Word(text_of(line[start:end]), start, end))
        return words

    def tag(
        self, sentences: Sequence[Sequence[Word]], verbs: Sequence[Sequence[int]] | None
    ) -> list[Found]:
        """The answers of the tasks for sentences; `verbs` are theirs, or None to find them."""
        forms = [[word.text for word in sentence] for sentence in sentences]
        if self._pos is not None:
            tags = self._pos.annotate(forms)["pos"]
            verbs = [
                [i for i, tag in enumerate(sentence_tags) if tag.startswith("V")]
                for sentence_tags in tags
            ]
        annotation = self._pipeline.annotate(forms, predicates=verbs)
        return [
            {task: _as_classic(task, annotation[_OURS.get(task, task)][i]) for task in self.tasks}
            for i in range(len(sentences))
        ]


def _as_classic(task: str, result: Any) -> Any:
    """The answers for one sentence, as the writer of columns takes them."""
    if task == "srl":
        return VerbTags(
            [predicate.position for predicate in result], [predicate.tags for predicate in result]
        )
    if task == "psg":
        from senna.annotation.trees import cells_of_tree

        return cells_of_tree(result)
    return result
