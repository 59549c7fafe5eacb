"""Raw text; one sentence per line; tokenised text, one sentence per line."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from senna.files import Arriving
from senna.kinds.answer import Line
from senna.pipeline.format import Input, Piece, as_lines, batches, wide_in
from senna.pipeline.options import Options
from senna.text.tokens import Tokens


def _cut_text(source: Arriving, name: str, options: Options) -> Iterator[Piece]:
    line, before = 1, 0
    for start, text in segments(source, options):
        wide = wide_in(text, start) if options.offset_unit == "utf16" else []
        yield Piece(start, len(text), text, line, wide=wide, before=before)
        line += text.count("\n")
        before += len(wide)


def _text(piece: Piece, options: Options) -> list[Line]:
    [sentences] = options.split([piece.content], piece.start)
    return as_lines(piece.content, sentences, piece)


def segments(source: io.StringIO | Arriving, options: Options) -> Iterator[tuple[int, str]]:
    from senna.text import sentences

    return sentences.segments(
        source, convention=options.convention, line_breaks=options.line_breaks
    )


def _cut_lines(source: Arriving, name: str, options: Options) -> Iterator[Piece]:
    start, number, before = 0, 1, 0
    for lines in batches(source, source.lines()):
        if start == 0 and lines[0].startswith("\ufeff"):  # byte order mark
            lines[0], start = lines[0][1:], 1
        size = sum(map(len, lines))
        wide = wide_in("".join(lines), start) if options.offset_unit == "utf16" else []
        yield Piece(start, size, lines, number, wide=wide, before=before)
        start += size
        number += len(lines)
        before += len(wide)


def _lines(piece: Piece, options: Options) -> list[Line]:
    from senna.text.tokenizer import tokenize_each

    return _by_line(piece, lambda lines, starts: tokenize_each(lines, options.convention, starts))


def _tokens(piece: Piece, options: Options) -> list[Line]:
    from senna.text.tokens import words_of

    return _by_line(piece, words_of)


def _by_line(
    piece: Piece, split: Callable[[Sequence[str], Iterable[int]], list[Tokens]]
) -> list[Line]:
    lines: list[str] = piece.content
    rows = split(lines, accumulate(map(len, lines), initial=piece.start))
    return as_lines("".join(lines), filter(None, rows), piece)


def _not_blank(lines: list[str]) -> list[str]:
    return [line for line in lines if line.strip(" \t\r\n\ufeff")]


INPUTS = {
    "text": Input(_text, about="raw text", cut=_cut_text),
    "lines": Input(
        _lines, about="one sentence per line", cut=_cut_lines, sentences=_not_blank, documents=False
    ),
    "tokens": Input(
        _tokens,
        about="one sentence per line, words separated by spaces",
        cut=_cut_lines,
        sentences=_not_blank,
        documents=False,
    ),
}
