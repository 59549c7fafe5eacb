"""The main path: files to pieces, pieces to sentences, models in order, names remembered, output.

Pieces hold whole sentences. `tag_pieces` tags them, and makes of each what is asked for, by
themselves, so that memory does not grow with the input; only names are remembered from piece to
piece.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TextIO, TypeVar

import numpy as np

from senna.annotation.columns import markup_of
from senna.annotation.schemes import tags_of
from senna.errors import SennaError
from senna.files import TO_UTF8, Arriving, open_text
from senna.inference.workspace import Block, Workspace
from senna.kinds import output_of
from senna.kinds.answer import Annotation, Line
from senna.pipeline.format import Piece, as_lines, check_tasks, format_of, input_of, wide_in
from senna.pipeline.memory import Memory
from senna.pipeline.models import NOTHING, Given, Models, Places, Sentences, always
from senna.pipeline.options import TABULAR, Conversion, OptionError, Reading
from senna.pipeline.threads import one_thread
from senna.pipeline.workers import in_order
from senna.registry import INPUTS, RULES
from senna.tasks import PARSER, RULED, in_task_order
from senna.text.capitals import as_read

T = TypeVar("T")
BEGINNING = 4_096  # characters of a file that are looked at before the first is tagged
# Between two sentences of raw text, what ends a document, by the option of this name.
GAPS = {"line": r"\n", "blank": r"\n[ \t\r]*\n"}
BLOCK_WORDS = 4_096  # words tagged together
BLOCK_SENTENCES = 512
LONGEST = 2_048  # words of a sentence that are tagged together

# --------------------------------------------------------------------------- reading


def check_files(files: Sequence[str], reading: Conversion) -> None:
    """SennaError for a file that is missing, cannot be read, or begins with unexpected markup."""
    for file in files:
        if file == "-" or (os.path.exists(file) and not os.path.isfile(file)):
            continue  # a pipe can be read once
        if " " in file.strip() and not os.path.exists(file):
            import shlex  # not needed to tag, and not free to load

            remedy = f"For a text: echo {shlex.quote(file)} | senna tag"
            raise SennaError("no such file", where=file, remedy=remedy)
        with _opened(file, reading) as stream:
            start = "" if input_of(reading.input).load else stream.read(BEGINNING)
        _check_plain(start, file, reading)


def _check_plain(text: str, name: str, reading: Conversion) -> None:
    """SennaError where a file is only taken for raw text and begins with this, which is markup."""
    if reading.guessed and reading.input == "text" and (found := markup_of(text)):
        form, _, kind = found.partition(" ")
        table = ", or csv for a table with a row of names" if form == "columns" else ""
        reads = (
            f"Say --input {form}{table}" if form else "senna match and senna.read take tagged files"
        )
        remedy = f"{reads}; --input text tags it as text."
        raise SennaError(f"this looks like {kind}, not like text", where=name, remedy=remedy)


def read_files(
    files: Sequence[str], reading: Conversion, piped: TextIO | None = None
) -> Iterator[Piece]:
    """The pieces of all files ("-": standard input), which are checked before the first."""
    check_files(files, reading)
    load = input_of(reading.input).load
    for file in files:
        pieces = load(file, reading) if load else _read_text(file, reading, piped)
        opens, named = True, file if file != "-" else ""
        for piece in pieces:
            if opens and not named:
                _check_plain(piece.content, "<stdin>", reading)
            yield piece._replace(file=named, opens=opens)
            opens = False


def _opened(file: str, reading: Conversion) -> TextIO:
    return open_text(file, reading.errors, f"{TO_UTF8} Or use --errors replace.")


def _read_text(file: str, reading: Conversion, piped: TextIO | None) -> Iterator[Piece]:
    with piped or _opened(file, reading) as stream:
        yield from read_pieces(stream, "<stdin>" if file == "-" else file, reading)


def read_pieces(stream: TextIO, name: str, reading: Conversion) -> Iterator[Piece]:
    """Cut the input into pieces of whole sentences; where it pauses none is held back."""
    cut = input_of(reading.input).cut
    assert cut is not None
    yield from cut(Arriving(stream), name, reading)


def check_separated(reading: Conversion) -> Callable[[Any], Sequence[Any]]:
    """The separator of the sentences of the input; SennaError where they are not separated."""
    sentences = input_of(reading.input).sentences
    if sentences is None:
        names = [name for name in INPUTS if input_of(name).sentences]
        what = "a list of predicates needs sentences that are separated already"
        raise OptionError(what, "predicates", remedy=f"Input with them: {', '.join(names)}.")
    return sentences


def lines_of(piece: Piece, reading: Conversion) -> list[Line]:
    """The sentences of a piece, and where they are from."""
    return _placed(input_of(reading.input).lines(piece, reading), piece, reading)


def lines_of_texts(texts: Sequence[str], reading: Conversion) -> Iterator[list[Line]]:
    """The sentences of raw texts, as each alone in the input has them; all are split together."""
    for text, sentences in zip(texts, reading.split(texts), strict=True):
        wide = wide_in(text) if reading.offset_unit == "utf16" else []
        piece = Piece(0, len(text), text, opens=True, wide=wide)
        yield _placed(as_lines(text, sentences, piece), piece, reading)


def _placed(lines: list[Line], piece: Piece, reading: Conversion) -> list[Line]:
    if reading.input == "text" and reading.document in GAPS:
        lines = _opening(lines, piece, re.compile(GAPS[reading.document]))
    elif reading.document == "file" and reading.input not in TABULAR:
        lines = [line._replace(opens=False) if line.opens else line for line in lines]
    if piece.opens and lines:
        lines[0] = lines[0]._replace(opens=True)
    if reading.offset_unit == "utf16":
        lines = _in_utf16(lines, piece, reading)
    file = piece.file
    return [line if line.file == file else line._replace(file=file) for line in lines]


def _opening(lines: list[Line], piece: Piece, gap: re.Pattern[str]) -> list[Line]:
    """Sentences of raw text; a document begins with the first, and after each gap."""
    opening, end = list[Line](), 0
    for line in lines:
        start = line.start - piece.start
        opens = not opening or gap.search(piece.content, end, start) is not None
        opening.append(line._replace(opens=opens))
        end = line.tokens[-1].end - piece.start
    return opening


def _in_utf16(lines: list[Line], piece: Piece, reading: Conversion) -> list[Line]:
    """Sentences whose places, in the input, its row or their text, count UTF-16 code units."""
    if reading.input in TABULAR:
        of_rows = {row: wide_in(text) for row, text, _ in piece.content}
        return [line.in_utf16(of_rows[line.row]) for line in lines]
    if input_of(reading.input).offsets:
        return [line.in_utf16(piece.wide, piece.before) for line in lines]
    return [line.in_utf16(wide_in(line.text)) for line in lines]


# --------------------------------------------------------------------------- tagging


class LongSentences:
    """Sentences, cut after every `LONGEST` words, so that memory stays bounded."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self.lengths = [len(forms) for forms in sentences]
        self.whole = max(self.lengths, default=0) <= LONGEST
        self.sentences = self.cut(sentences)

    def cut(self, rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        """Rows of one entry per word, cut as the sentences are."""
        if self.whole:
            return rows
        return [row[start : start + LONGEST] for row in rows for start in _starts(len(row))]

    def cut_places(self, places: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        """Places of words in sentences as places in their parts."""
        if self.whole:
            return places
        return [
            [place - start for place in row if start <= place < start + LONGEST]
            for row, n in zip(places, self.lengths, strict=True)
            for start in _starts(n)
        ]

    def join(self, task: str, answers: list[Any], given: bool = False) -> list[Any]:
        """The answers of a task for parts as those for sentences; see `Output.join`."""
        if self.whole:
            return answers
        output, parts = output_of(task), iter(answers)
        return [
            output.join([next(parts) for _ in _starts(n)], _starts(n), n, given)
            for n in self.lengths
        ]


def _starts(n: int) -> range:
    return range(0, max(n, 1), LONGEST)


def blocks(sentences: Sequence[Sequence[str]]) -> Iterator[slice]:
    """Slices of some thousand words each; a longer sentence is a block of its own."""
    start = words = 0
    for i, forms in enumerate(sentences):
        full = words + len(forms) > BLOCK_WORDS or i - start >= BLOCK_SENTENCES
        if full and i > start:
            yield slice(start, i)
            start, words = i, 0
        words += len(forms)
    if start < len(sentences):
        yield slice(start, len(sentences))


class Pipeline(Models):
    """Loaded models that tag tokenised sentences. Several threads may call it at once."""

    @classmethod
    def of(cls, reading: Reading) -> Pipeline:
        """Load the models that some options name."""
        lists = dict(reading.gazetteer or {})
        tasks, folder, finder = reading.tasks, reading.folder, reading.predicates
        return cls.load(tasks, folder, finder, reading.asked, lists, reading.force)

    def annotate(
        self,
        sentences: Sentences,
        given: Given = NOTHING,
        predicates: Places | None = None,
    ) -> Annotation:
        """The answers of each task for tokenised sentences, whose predicates are given or found.

        They do not depend on which sentences come together. Very long sentences are tagged part by
        part, and no predicates are looked for in them.
        """
        self.check(sentences, given, predicates)
        cut = LongSentences(sentences)
        columns = {name: cut.cut(tags) for name, tags in given.items()}
        places = None if predicates is None else cut.cut_places(predicates)
        answers: Annotation = {task: [] for task in self.runs}
        space = self.workspace()
        # Weights of a damaged folder may be too large; that is seen in what it finds.
        with one_thread(), np.errstate(over="ignore", invalid="ignore"):
            for block in blocks(cut.sentences):
                here = {name: tags[block] for name, tags in columns.items()}
                places_here = None if places is None else places[block]
                of_models = self._block(cut.sentences[block], here, places_here, space)
                for task, i in self.runs.items():
                    answers[task] += of_models[i][task]
        self.idle.append(space)
        for task in answers:
            answers[task] = cut.join(task, answers[task], predicates is not None)
            self.complete(task, sentences, answers)
        for task in set(self.tasks).intersection(RULED):
            find = RULES[task].find
            answers[task] = [tags_of(find(forms), len(forms), "iobes") for forms in sentences]
        return {task: answers[task] for task in self.tasks}

    def _block(
        self, sentences: Sentences, given: Given, predicates: Places | None, space: Workspace
    ) -> list[Annotation]:
        """The answers of each model, by task."""
        read = list(map(as_read, sentences)) if self.marks else sentences
        flat, places = space.number(read, self.margin)
        lengths = np.array([len(forms) for forms in sentences], np.int64)
        answers: list[Annotation] = []
        # Trees that are given are not looked for.
        spared = set(given) & {PARSER} - set(self.runs)
        for i, network in enumerate(self.networks):
            answers.append({})
            serves = self.serves[i] - spared
            if not serves:
                continue
            of_models = {t: answers[k][t] for t, k in self.reads[i].items() if t not in spared}
            earlier = {**given, **of_models}
            block = Block(flat, places, lengths, {}, None, sentences, earlier)
            block = network.read(block, space)
            x = network.encode(block, space)
            for task in in_task_order(serves):
                request = self.request(task, sentences, answers, predicates)
                block = block._replace(earlier=earlier | self.needed(task, answers, i))
                answers[i][task] = list(network.heads[task](x, block, request))
        return answers

    def annotate_documents(
        self, documents: Sequence[Sentences], remembers: bool
    ) -> list[Annotation]:
        """The answers for each document, a list of tokenised sentences; all are tagged together."""
        words = [words for sentences in documents for words in sentences]
        annotation = self.annotate(words)
        if remembers:  # earlier names of a document change later ones
            opens = [i == 0 for sentences in documents for i in range(len(sentences))]
            Memory(self.fixed).recall(words, opens, annotation)
        ends = pairwise(accumulate(map(len, documents), initial=0))
        return [{task: rows[i:k] for task, rows in annotation.items()} for i, k in ends]


# --------------------------------------------------------------------------- pieces


def new_memory(reading: Conversion) -> Memory:
    """The memory of a document before its first name."""
    if not reading.force:
        return Memory()
    return Memory(always(dict(reading.gazetteer or {})))


class Tagged(NamedTuple):
    """The sentences of a piece and what is found in them, still to be written."""

    lines: list[Line]
    annotation: Annotation

    def remembering(self, memory: Memory) -> Tagged:
        """The same; names are amended by those of the document's earlier sentences."""
        words = [line.words for line in self.lines]
        memory.recall(words, [line.opens for line in self.lines], self.annotation)
        return self

    def write(self, reading: Conversion) -> str:
        """The output for the piece."""
        return format_of(reading.format).write(self.lines, self.annotation, reading.style)


def given_of(
    piece: Piece, forms: list[list[str]], models: Models, reading: Conversion
) -> tuple[Given, Places | None]:
    """The input's own columns for a piece: parts of speech, listed predicates."""
    pos = input_of(reading.input).pos(piece.content) if models.needs_pos_column else None
    given = {"pos": pos} if pos else {}
    if piece.predicates is None:
        return given, None
    if len(piece.predicates) != len(forms):
        remedy = "A line of blanks is not a sentence."
        raise SennaError("lines without tokens", where=piece.predicates[0].where, remedy=remedy)
    return given, [entry.of(words) for entry, words in zip(piece.predicates, forms, strict=True)]


def tag_piece(pipeline: Pipeline, piece: Piece, reading: Conversion) -> Tagged:
    """The sentences of a piece, and what is found in them."""
    lines = lines_of(piece, reading)
    words = [line.words for line in lines]
    return Tagged(lines, pipeline.annotate(words, *given_of(piece, words, pipeline, reading)))


def tag_pieces(
    pieces: Iterator[Piece],
    reading: Conversion,
    make: Callable[[Tagged], T],
    jobs: int,
    load: Callable[[], Pipeline] | None = None,
) -> Generator[tuple[Piece, T], None, None]:
    """Pieces, in order, with what `make` makes of their tagged sentences; in `jobs` processes.

    `load` gives the models, if not those that `reading` names.
    """
    memory = new_memory(reading) if reading.remembers else None
    there = make if memory is None else None  # made where it is tagged
    work = partial(_tagger, load or partial(Pipeline.of, reading), reading, there)
    with closing(in_order(work, pieces, jobs)) as results:
        for piece, tagged in results:
            if memory is not None:
                if piece.opens:
                    memory.forget()
                tagged = make(tagged.remembering(memory))
            yield piece, tagged


def _tagger(
    load: Callable[[], Pipeline], reading: Conversion, make: Callable[[Tagged], Any] | None
) -> Callable[[Piece], Any]:
    """A function that tags pieces in a process, and makes what is asked for of the result."""
    pipeline = load()
    check_tasks(reading.format, pipeline.tasks)
    tag = partial(tag_piece, pipeline, reading=reading)
    return (lambda piece: make(tag(piece))) if make else tag
