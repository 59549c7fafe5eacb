"""A stream of text to a stream of tags: read in pieces, tag each, write in order.

A piece holds whole sentences and is tagged by itself, here or in another process, so memory
does not grow with the input and the output is the same for any number of processes.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from senna.errors import SennaError
from senna.infer.pipeline import Annotation, Given, Pipeline
from senna.tasks import TAGGING, TASKS
from senna.text import columns, roles, schemes
from senna.text.columns import read_columns
from senna.text.roles import Listed, Predicate

# The tokenizer's patterns take time to compile: text that is tokenised already does not wait.
if TYPE_CHECKING:
    from senna.text.tokenizer import Token

LINES = 256  # lines, or sentences of columns, a piece


@dataclass(frozen=True)
class Options:
    """How input is read and output written."""

    input: str = "text"
    format: str = "columns"
    scheme: str = "iobes"
    offsets: bool = False
    convention: str = "modern"
    line_breaks: str = "auto"


@dataclass(frozen=True)
class Piece:
    """Some of the input: raw text, lines, or sentences of columns.

    `start` is its offset in the input, `size` its length, roughly, both in characters.
    `predicates` are those of its sentences, where a file lists them.
    """

    start: int
    size: int
    content: Any
    predicates: list[Listed] | None = None


@dataclass(frozen=True)
class Work:
    """What a process needs to tag pieces."""

    tasks: Sequence[str] | None
    model: Path | None
    options: Options
    predicates: str | Path = "auto"  # as `Pipeline.load` takes it


# --------------------------------------------------------------------------- reading


def read_pieces(stream: TextIO, name: str, options: Options) -> Iterator[Piece]:
    """Cut the input into pieces of whole sentences."""
    if options.input == "text":
        yield from (Piece(start, len(text), text) for start, text in _segments(stream, options))
    elif options.input == "columns":
        found = read_columns(stream, name=name)
        while piece := list(islice(found, LINES)):
            yield Piece(0, sum(len(s.rows) * len(s.rows[0]) * 4 for s in piece), piece)
    else:
        start = 0
        while lines := list(islice(stream, LINES)):
            if start == 0 and lines[0].startswith("\ufeff"):  # byte order mark
                lines[0], start = lines[0][1:], 1
            size = sum(map(len, lines))
            yield Piece(start, size, lines)
            start += size


def _segments(stream: TextIO, options: Options) -> Iterator[tuple[int, str]]:
    from senna.text import sentences

    return sentences.segments(
        stream, convention=options.convention, line_breaks=options.line_breaks
    )


def with_predicates(
    pieces: Iterator[Piece], listed: Iterator[Listed], options: Options, name: str
) -> Iterator[Piece]:
    """Pieces with the predicates that the file `name` lists for their sentences, in order."""
    mend = "It needs one entry for each sentence of the input."
    for piece in pieces:
        lines = piece.content
        if options.input != "columns":
            lines = [line for line in lines if line.strip(" \t\r\n\ufeff")]
        own = list(islice(listed, len(lines)))
        if len(own) < len(lines):
            what = "ends before the input does: too few sentences"
            raise SennaError(what, where=name, mend=mend)
        yield replace(piece, predicates=own)
    rest = next(listed, None)
    if rest is not None:
        raise SennaError("the input has no more sentences", where=rest.where, mend=mend)


def tokens_of(piece: Piece, options: Options) -> list[list[Token]]:
    """The sentences of a piece of text, lines or tokens, with offsets into the whole input."""
    from senna.text import sentences
    from senna.text.tokenizer import tokenize

    if options.input == "text":
        found = sentences.split(piece.content, options.convention, options.line_breaks)
        return shifted(found, piece.start)
    start, made = piece.start, []
    for line in piece.content:
        tokens = words_of(line) if options.input == "tokens" else tokenize(line, options.convention)
        if tokens:
            made += shifted([tokens], start)
        start += len(line)
    return made


def words_of(line: str) -> list[Token]:
    """The words of a tokenised line: what stands between spaces and tabs."""
    from senna.text.tokenizer import Token

    tokens, place = [], 0
    for word in line.rstrip("\r\n").replace("\t", " ").split(" "):
        if word:
            tokens.append(Token(word, place, place + len(word)))
        place += len(word) + 1
    return tokens


def shifted(found: list[list[Token]], start: int) -> list[list[Token]]:
    """Tokens with their offsets moved by `start`."""
    from senna.text.tokenizer import Token

    if not start:
        return found
    return [[Token(t.text, t.start + start, t.end + start) for t in tokens] for tokens in found]


# --------------------------------------------------------------------------- tagging, writing


def tag_piece(pipeline: Pipeline, piece: Piece, options: Options) -> str:
    """Tag one piece and write it."""
    if options.input == "columns":
        return tag_rows(pipeline, piece, options)
    if options.input == "tokens" and options.format == "columns" and not options.offsets:
        # The short way for tokenised text: no Token objects.
        words = [line.replace("\t", " ").rstrip("\r\n").split(" ") for line in piece.content]
        forms = [[word for word in line if word] for line in words]
        forms = [line for line in forms if line]
        return write_sentences(
            [[line] for line in forms], annotate(pipeline, forms, piece), options
        )
    tokens = tokens_of(piece, options)
    found = annotate(pipeline, [[t.text for t in line] for line in tokens], piece)
    if options.format == "jsonl":
        return write_json(piece, tokens, found, options)
    kept = [[[t.text for t in line]] for line in tokens]
    if options.offsets:
        for row, own in zip(kept, tokens, strict=True):
            row += [[str(t.start) for t in own], [str(t.end) for t in own]]
    return write_sentences(kept, found, options)


def annotate(
    pipeline: Pipeline, forms: list[list[str]], piece: Piece, given: Given = MappingProxyType({})
) -> Annotation:
    """Tags and roles of a piece's sentences."""
    if piece.predicates is None:
        return pipeline.annotate(forms, given)
    if len(piece.predicates) != len(forms):
        mend = "A line of blanks only is no sentence."
        raise SennaError("lines without tokens", where=piece.predicates[0].where, mend=mend)
    places = [own.of(line) for own, line in zip(piece.predicates, forms, strict=True)]
    return pipeline.annotate(forms, given, places)


def tag_rows(pipeline: Pipeline, piece: Piece, options: Options) -> str:
    """Tag sentences of columns; their columns and document marks are kept, the tags follow."""
    read: list[columns.Sentence] = piece.content
    rows = [sentence.rows for sentence in read]
    forms = [[row[0] for row in sentence] for sentence in rows]
    found = annotate(pipeline, forms, piece, pos_column(pipeline, rows))
    if options.format == "jsonl":
        tokens = [words_of(" ".join(line)) for line in forms]
        return "".join(
            json_line(" ".join(line), 0, own, sentence_of(found, i), options)
            for i, (line, own) in enumerate(zip(forms, tokens, strict=True))
        )
    kept = [[list(column) for column in zip(*sentence, strict=True)] for sentence in rows]
    marks = [document_mark(sentence, sentence_of(found, i)) for i, sentence in enumerate(read)]
    return write_sentences(kept, found, options, marks)


def pos_column(pipeline: Pipeline, rows: list[list[list[str]]]) -> Given:
    """The second column, for a pipeline that wants the input's own parts of speech."""
    if not pipeline.needs_pos_column:
        return {}
    if min(len(sentence[0]) for sentence in rows) < 2:
        what = "the model was trained with a part-of-speech column, the input has none"
        raise SennaError(what, where="input", mend="Give columns word, part of speech.")
    return {"pos": [[row[1] for row in sentence] for sentence in rows]}


class Tagged(NamedTuple):
    """What is found of one sentence: tags of each task, predicates where roles were asked for."""

    tags: dict[str, list[str]]
    predicates: list[Predicate] | None


def sentence_of(found: Annotation, i: int) -> Tagged:
    """The i-th sentence of an annotation."""
    tags = {task: own[i] for task, own in found.items() if task in TAGGING}
    return Tagged(tags, found["srl"][i] if "srl" in found else None)


def document_mark(sentence: columns.Sentence, found: Tagged) -> str:
    """The mark before a sentence, as wide as its rows: scorers count columns there too."""
    if not sentence.mark:
        return ""
    missing = len(sentence.rows[0]) - len(sentence.mark)
    own = ["-X-" if TASKS[task].output == "tags" else "O" for task in found.tags]
    if found.predicates is not None:
        own += [roles.NONE, *["O"] * len(found.predicates)]
    return "\t".join([*sentence.mark, *["O"] * missing, *own]) + "\n\n"


def in_scheme(found: Annotation, scheme: str) -> dict[str, list[list[str]]]:
    """Tags of one a word, those of phrases in the scheme asked for."""
    return {
        task: own
        if TASKS[task].output == "tags" or scheme == "iobes"
        else [schemes.convert(line, "iobes", scheme) for line in own]
        for task, own in found.items()
        if task in TAGGING
    }


def write_sentences(
    kept: Sequence[Sequence[Sequence[str]]],
    found: Annotation,
    options: Options,
    marks: Sequence[str] = (),
) -> str:
    """Columns of each sentence, then one column a task; a blank line after each sentence.

    Roles come last: the word where it is a predicate, then one column a predicate. The word is
    the first of the columns kept.
    """
    made = []
    tags = in_scheme(found, options.scheme)
    for i, own in enumerate(kept):
        last = []
        if "srl" in found:
            last.append(roles.predicate_column(own[0], found["srl"][i]))
            last += [roles.column_of(p, options.scheme) for p in found["srl"][i]]
        rows = zip(*own, *(tags[task][i] for task in tags), *last, strict=True)
        text = "\n".join(map("\t".join, rows))
        made.append(marks[i] + text if marks else text)
    made.append("")
    return "\n\n".join(made)


def write_json(piece: Piece, tokens: list[list[Token]], found: Annotation, options: Options) -> str:
    """One JSON object a sentence and line."""
    source = piece.content if options.input == "text" else "".join(piece.content)
    made = []
    for i, line in enumerate(tokens):
        start = line[0].start
        text = source[start - piece.start : line[-1].end - piece.start]
        made.append(json_line(text, start, line, sentence_of(found, i), options))
    return "".join(made)


def json_line(text: str, start: int, tokens: list[Token], found: Tagged, options: Options) -> str:
    """A sentence as JSON: text, tokens with offsets, tags in the scheme asked for, spans."""

    def span(phrase: schemes.Phrase, name: str) -> dict[str, object]:
        first, last, label = phrase
        begin, end = tokens[first].start, tokens[last - 1].end
        own = text[begin - start : end - start]
        return {
            name: label, "first": first, "last": last, "start": begin, "end": end, "text": own
        }  # fmt: skip

    spans = {
        task: [span(phrase, "label") for phrase in schemes.phrases_of(own, "iobes")]
        for task, own in found.tags.items()
        if TASKS[task].output == "phrases"
    }
    shown = in_scheme({task: [own] for task, own in found.tags.items()}, options.scheme)
    made = {
        "text": text,
        "start": start,
        "tokens": [{"text": t.text, "start": t.start, "end": t.end} for t in tokens],
        "tags": {task: own[0] for task, own in shown.items()},
        "spans": spans,
    }
    if found.predicates is not None:
        made["predicates"] = [
            {
                "index": predicate.position,
                "text": tokens[predicate.position].text,
                "start": tokens[predicate.position].start,
                "end": tokens[predicate.position].end,
                "arguments": [span(phrase, "role") for phrase in predicate.arguments],
            }
            for predicate in found.predicates
        ]
    import json

    return json.dumps(made, ensure_ascii=False) + "\n"


# --------------------------------------------------------------------------- processes


def tag_pieces(work: Work, pieces: Iterator[Piece], jobs: int) -> Iterator[tuple[Piece, str]]:
    """Tag pieces here, or in `jobs` processes; results come in the order of the input."""
    if jobs <= 1:
        pipeline = Pipeline.load(work.tasks, work.model, work.predicates)
        for piece in pieces:
            yield piece, tag_piece(pipeline, piece, work.options)
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    waiting: deque[tuple[Piece, Future[str]]] = deque()
    pool = ProcessPoolExecutor(jobs, initializer=_start, initargs=(work,))
    try:
        for piece in pieces:
            waiting.append((piece, pool.submit(_run, piece)))
            # Memory stays flat: no reading far ahead.
            while waiting and (len(waiting) > 4 * jobs or waiting[0][1].done()):
                first, result = waiting.popleft()
                yield first, result.result()
        while waiting:
            first, result = waiting.popleft()
            yield first, result.result()
    except BrokenProcessPool:
        raise SennaError("a tagging process was ended", mend="Try a smaller --jobs.") from None
    finally:
        pool.shutdown(cancel_futures=True)


_tag: Callable[[Piece], str] | None = None  # of a worker process, set as it starts


def _start(work: Work) -> None:
    """Load the models in a worker process; an error is told by its first piece."""
    global _tag
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    try:
        pipeline = Pipeline.load(work.tasks, work.model, work.predicates)
        _tag = lambda piece: tag_piece(pipeline, piece, work.options)  # noqa: E731
    except SennaError as error:
        failure = error

        def fail(piece: Piece) -> str:
            raise failure

        _tag = fail


def _run(piece: Piece) -> str:
    assert _tag is not None
    return _tag(piece)
