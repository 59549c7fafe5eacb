"""`senna tag`: text in, tags out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

from senna.cli.terminal import Terminal, progress, report_waiting
from senna.errors import SennaError
from senna.lazy import LazyModule
from senna.reading.formats import INPUTS
from senna.tasks import TASKS
from senna.text import CONVENTIONS, LINE_BREAKS, SPLITS
from senna.text.schemes import SCHEMES
from senna.writing import FORMATS

if TYPE_CHECKING:
    import typer

    from senna.cli import options
else:  # `senna.cli.plain` calls the command without them
    typer, options = LazyModule("typer"), LazyModule("senna.cli.options")

DEFAULT = ",".join(task.name for task in TASKS.values() if not task.aside)
PACKED = (".gz", ".xz", ".bz2", ".parquet")  # whose size does not tell how much text there is
EXAMPLE = "Example: senna tag < data/sample.txt > tagged.txt"


def tag_command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Input; - is stdin.")
    ] = None,
    task: Annotated[
        str,
        typer.Option(metavar="LIST", help=f"Tasks, as pos,ner; all. Default: {DEFAULT}."),
    ] = "",
    input_: Annotated[
        str,
        options.choice(
            INPUTS,
            "--input",
            help="; ".join(f"{name}: {known.about}" for name, known in INPUTS.items()) + ".",
        ),
    ] = "text",
    format_: Annotated[
        str,
        options.choice(
            FORMATS,
            "--format",
            help=f"{'; '.join(map(': '.join, FORMATS.items()))}.",
        ),
    ] = "columns",
    scheme: Annotated[
        str | None,
        options.choice(SCHEMES, help="How phrases are written. Default: iobes; for conll iob2."),
    ] = None,
    predicates: Annotated[
        str,
        typer.Option(
            metavar="auto|pos|FILE|DIR",
            help="For srl: found by our model; all verbs; as FILE lists; found by DIR's model.",
        ),
    ] = "auto",
    offsets: Annotated[
        bool, typer.Option("--offsets", help="Add each token's start and end, in characters.")
    ] = False,
    scores: Annotated[
        bool, typer.Option("--scores", help="Add the probability of each tag and each phrase.")
    ] = False,
    n_best: Annotated[
        int,
        typer.Option("--nbest", min=1, max=100, metavar="N", help="So many taggings, best first."),
    ] = 1,
    min_confidence: Annotated[
        float,
        typer.Option(metavar="P", help="Leave out phrases and roles less probable than P."),
    ] = 0.0,
    gazetteer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE=FILE",
            help="Phrases of TYPE, one a line, that the model knows beside its own. Repeatable.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="These phrases are always names.")] = False,
    memory: Annotated[
        bool | None,
        typer.Option(
            "--memory/--no-memory",
            help="A document's names help to see them again. Not for lines, tokens, --nbest.",
        ),
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="NAME|DIR", help="One of ours, as ner, or your own.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", show_default=False)
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Processes.")] = 1,
    column: Annotated[
        str, typer.Option(metavar="NAME", help="Of csv and parquet: the column with the text.")
    ] = "text",
    line_breaks: Annotated[
        str,
        options.choice(
            LINE_BREAKS,
            help="What a single line break in raw text is: a sentence's end, or a space.",
        ),
    ] = "auto",
    unit: Annotated[
        str,
        options.choice(SPLITS, help="What gets one label; a line of raw text is a document."),
    ] = "sentence",
    convention: Annotated[
        str,
        options.choice(
            CONVENTIONS,
            help="modern cuts hyphenated words, as our models expect; classic does not.",
        ),
    ] = "modern",
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress, and not that it waits.")
    ] = False,
    errors: Annotated[
        str,
        options.choice(
            ("strict", "replace"), help="Invalid UTF-8: stop and say where, or write U+FFFD."
        ),
    ] = "strict",
) -> None:
    """Tag text: by default parts of speech, chunks, names and semantic roles.

    One token a line with a column a task, a blank line after each sentence. For srl: the word
    where it is a predicate, then a column of roles a predicate. With --scores a column of
    probabilities follows each of tags.

    A list of predicates has a line a sentence: their numbers, from 1. Or it is a column: a line a
    token, - where it is none, and a blank line after each sentence.
    """
    inputs = files or ["-"]
    if not quiet:
        report_waiting(inputs, "tag", "text")
    from senna.outputs import output_of
    from senna.pipeline.pipeline import finder_of
    from senna.reading.formats import n_words
    from senna.reading.stream import read_files, tag_pieces, with_predicates
    from senna.reading.texts import Reading
    from senna.writing.output import Style, check_target, format_of, tasks_for

    form = format_of(format_)
    if output is not None:
        check_target(output, format_, inputs)
    if offsets and not (form.offsets and INPUTS[input_].offsets):
        what = f"{input_} have" if form.offsets else f"{format_} has"
        raise SennaError(f"{what} no offsets", where="--offsets")
    named = [name.strip() for name in task.split(",") if name.strip()]
    tasks = tasks_for(format_, named, bool(model))
    finder, listed = finder_of(predicates)
    reading = Reading(
        tasks,
        model or None,
        input="lines" if (input_, unit) == ("text", "document") else input_,
        column=column,
        convention=convention,
        line_breaks=line_breaks,
        unit=unit,
        predicates=finder,
        scores=scores,
        n_best=n_best,
        min_confidence=min_confidence,
        gazetteer=_lists(gazetteer or []),
        force=force,
        memory=memory,
    )
    pieces = read_files(inputs, errors, reading)
    if listed:
        pieces = with_predicates(pieces, listed, reading)
    if (scores or n_best > 1) and format_ not in ("columns", "jsonl"):
        what = "only columns and jsonl have place for scores and for several taggings"
        raise SennaError(what, where=f"--format {format_}")
    for kind in (output_of(name) for name in tasks or () if name in TASKS):
        if reading.asked and not kind.has_scores:
            sys.stderr.write(f"senna: {kind.gives} have no scores, and there is one of each\n")
        elif n_best > 1 and kind.of_sentences:
            what = f"of {kind.gives} there is one a sentence: --nbest leaves them as they are"
            sys.stderr.write(f"senna: {what}\n")
    style = Style(scheme or form.scheme, offsets)
    tagged = tag_pieces(pieces, reading, format_, style, jobs)
    with (
        closing(tagged),
        _writing(output, format_ == "ansi") as out,
        _progress(inputs, out, quiet) as bar,
    ):
        started = False
        before = form.head  # once the first piece has been tagged: much can go wrong until then
        for piece, text in tagged:
            text, started = text.removeprefix("" if started else form.end), started or bool(text)
            # A surrogate can only have come from the input's own escapes: let it out.
            out.write((before + text).encode("utf-8", "surrogatepass"))
            out.flush()
            before = ""
            if bar is not None:
                left = (bar.total or 0) - bar.n  # sizes of pieces are rough
                bar.update(min(piece.size, left) if bar.total else n_words(piece.content))
        if bar is not None and bar.total:
            bar.update(bar.total - bar.n)
        out.write((before + form.end * started + form.foot).encode())


def _lists(named: list[str]) -> dict[str, list[str]]:
    """The phrases of files that are given as TYPE=FILE."""
    from senna.files import open_text

    lists: dict[str, list[str]] = {}
    for text in named:
        kind, _, file = text.partition("=")
        if not kind or not file:
            raise SennaError(
                f"{text!r} is no TYPE=FILE", where="--gazetteer", mend="As PER=people.txt."
            )
        with open_text(file) as lines:
            lists.setdefault(kind, []).extend(line.strip() for line in lines)
    return lists


@contextmanager
def _writing(output: Path | None, colours: bool) -> Iterator[IO[bytes]]:
    """Where the output goes; a file appears whole or not at all, compressed as its name says."""
    from senna.files import replacing_packed, unwritable

    if output is None:
        if sys.stdout is None:
            raise SennaError("standard output is closed", mend="Name a file with --output.")
        if isinstance(sys.stdout.buffer, Terminal):
            sys.stdout.buffer.colours = colours
        yield sys.stdout.buffer
    elif output.exists() and not output.is_file():
        try:
            with output.open("wb") as out:  # a device or a pipe: it must stay what it is
                yield out
        except OSError as error:
            raise unwritable(output, error) from None
    else:
        with replacing_packed(output) as out:
            yield out


def _progress(inputs: list[str], out: IO[bytes], quiet: bool) -> Any:
    """A bar on stderr, if that is a terminal and the output goes elsewhere; of slow work alone.

    Where the size of the input is not known, it counts words.
    """
    typed = "-" in inputs and sys.stdin is not None and sys.stdin.isatty()
    known = all(os.path.isfile(f) and not f.endswith(PACKED) for f in inputs)
    size = sum(map(os.path.getsize, inputs)) if known else None
    return progress(not (quiet or typed or out.isatty()), size)
