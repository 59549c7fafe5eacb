"""The main path: pieces to sentences, models in order, names remembered, output.

Pieces hold whole sentences. `tag_pieces` tags them, and makes of each what is asked for, by
themselves, so that memory does not grow with the input; only names are remembered from piece to
piece. `senna.pipeline.files` cuts files into pieces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from senna.annotation.schemes import tags_of
from senna.errors import SennaError
from senna.inference.workspace import Block, Workspace
from senna.kinds import output_of
from senna.kinds.answer import Annotation, Line
from senna.pipeline.format import Piece, as_lines, check_tasks, format_of, input_of, wide_in
from senna.pipeline.jobs import in_order
from senna.pipeline.memory import Memory
from senna.pipeline.models import NOTHING, Given, Models, Places, Sentences, always
from senna.pipeline.options import TABULAR, Options
from senna.pipeline.threads import one_thread
from senna.registry import INPUTS, RULES
from senna.tasks import PARSER, RULED, in_task_order
from senna.text.capitals import as_read

T = TypeVar("T")
# Between two sentences of raw text, what ends a document, by the option of this name.
GAPS = {"line": r"\n", "blank": r"\n[ \t\r]*\n"}
BLOCK_WORDS = 4_096  # words tagged together
BLOCK_SENTENCES = 512
LONGEST = 2_048  # words of a sentence that are tagged together

# --------------------------------------------------------------------------- sentences


def check_separated(options: Options) -> Callable[[Any], Sequence[Any]]:
    """The separator of the sentences of the input; SennaError where they are not separated."""
    sentences = input_of(options.input).sentences
    if sentences is None:
        names = [name for name in INPUTS if input_of(name).sentences]
        what = "a list of predicates needs sentences that are separated already"
        raise SennaError(what, where="--predicates", remedy=f"Input with them: {', '.join(names)}.")
    return sentences


def lines_of(piece: Piece, options: Options) -> list[Line]:
    """The sentences of a piece, and where they are from."""
    return _placed(input_of(options.input).lines(piece, options), piece, options)


def lines_of_texts(texts: Sequence[str], options: Options) -> Iterator[list[Line]]:
    """The sentences of raw texts, as each alone in the input has them; all are split together."""
    for text, sentences in zip(texts, options.split(texts), strict=True):
        wide = wide_in(text) if options.offset_unit == "utf16" else []
        piece = Piece(0, len(text), text, opens=True, wide=wide)
        yield _placed(as_lines(text, sentences, piece), piece, options)


def _placed(lines: list[Line], piece: Piece, options: Options) -> list[Line]:
    if options.input == "text" and options.document in GAPS:
        lines = _opening(lines, piece, re.compile(GAPS[options.document]))
    elif options.document == "file" and options.input not in TABULAR:
        lines = [line._replace(opens=False) if line.opens else line for line in lines]
    if piece.opens and lines:
        lines[0] = lines[0]._replace(opens=True)
    if options.offset_unit == "utf16":
        lines = _in_utf16(lines, piece, options)
    file = piece.file
    return [line if line.file == file else line._replace(file=file) for line in lines]


def _opening(lines: list[Line], piece: Piece, gap: re.Pattern[str]) -> list[Line]:
    """Sentences of raw text; a document begins with the first, and after each gap."""
    opening, end = list[Line](), 0
    for line in lines:
        start = line.start - piece.start
        opens = not opening or gap.search(piece.content, end, start) is not None
        opening.append(line if line.opens == opens else line._replace(opens=opens))
        end = line.tokens[-1].end - piece.start
    return opening


def _in_utf16(lines: list[Line], piece: Piece, options: Options) -> list[Line]:
    """Sentences whose places, in the input, its row or their text, count UTF-16 code units."""
    if options.input in TABULAR:
        of_rows = {row: wide_in(text) for row, text, _ in piece.content}
        return [line.in_utf16(of_rows[line.row]) for line in lines]
    if input_of(options.input).offsets:
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
    def of(cls, options: Options) -> Pipeline:
        """Load the models that some options name."""
        lists = dict(options.gazetteer or {})
        tasks, folder, finder = options.tasks, options.folder, options.predicates
        return cls.load(tasks, folder, finder, options.asked, lists, options.force)

    def annotate(
        self, sentences: Sentences, given: Given = NOTHING, predicates: Places | None = None
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


def new_memory(options: Options) -> Memory:
    """The memory of a document before its first name."""
    if not options.force:
        return Memory()
    return Memory(always(dict(options.gazetteer or {})))


class Tagged(NamedTuple):
    """The sentences of a piece and what is found in them, still to be written."""

    lines: list[Line]
    annotation: Annotation

    def remembering(self, memory: Memory) -> Tagged:
        """The same; names are amended by those of the document's earlier sentences."""
        words = [line.words for line in self.lines]
        memory.recall(words, [line.opens for line in self.lines], self.annotation)
        return self

    def write(self, options: Options) -> str:
        """The output for the piece."""
        return format_of(options.format).write(self.lines, self.annotation, options)


def given_of(
    piece: Piece, forms: list[list[str]], models: Models, options: Options
) -> tuple[Given, Places | None]:
    """The input's own columns for a piece: parts of speech, listed predicates."""
    pos = input_of(options.input).pos(piece.content) if models.needs_pos_column else None
    given = {"pos": pos} if pos else {}
    if piece.predicates is None:
        return given, None
    if len(piece.predicates) != len(forms):
        remedy = "A line of blanks is not a sentence."
        raise SennaError("lines without tokens", where=piece.predicates[0].where, remedy=remedy)
    return given, [entry.of(words) for entry, words in zip(piece.predicates, forms, strict=True)]


def tag_piece(pipeline: Pipeline, piece: Piece, options: Options) -> Tagged:
    """The sentences of a piece, and what is found in them."""
    lines = lines_of(piece, options)
    words = [line.words for line in lines]
    return Tagged(lines, pipeline.annotate(words, *given_of(piece, words, pipeline, options)))


def tag_pieces(
    pieces: Iterator[Piece],
    options: Options,
    make: Callable[[Tagged], T],
    jobs: int,
    load: Callable[[], Pipeline] | None = None,
) -> Generator[tuple[Piece, T], None, None]:
    """Pieces, in order, with what `make` makes of their tagged sentences; in `jobs` processes.

    `load` gives the models, if not those that the options name.
    """
    memory = new_memory(options) if options.remembers else None
    there = make if memory is None else None  # made where it is tagged
    work = partial(_tagger, load or partial(Pipeline.of, options), options, there)
    with closing(in_order(work, pieces, jobs)) as results:
        for piece, tagged in results:
            if memory is not None:
                if piece.opens:
                    memory.forget()
                tagged = make(tagged.remembering(memory))
            yield piece, tagged


def _tagger(
    load: Callable[[], Pipeline], options: Options, make: Callable[[Tagged], Any] | None
) -> Callable[[Piece], Any]:
    """A function that tags pieces in a process, and makes what is asked for of the result."""
    pipeline = load()
    check_tasks(options.format, pipeline.tasks)
    tag = partial(tag_piece, pipeline, options=options)
    return (lambda piece: make(tag(piece))) if make else tag
