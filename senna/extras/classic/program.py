"""The program: lines in, columns out, each as soon as it can be; its models and installation."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from senna.atomic import replacing
from senna.errors import SennaError
from senna.extras.classic.lines import (
    HELP,
    ORIGINAL_TASKS,
    FatalError,
    Found,
    Options,
    StrayArgumentError,
    Verbs,
    VerbTags,
    Word,
    arriving,
    byte_places,
    parse,
    spaced,
    text_of,
    written,
)
from senna.files import forget_output, standard_input
from senna.model.folder import shipped
from senna.pipeline.pipeline import Pipeline

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
