"""Pieces, tagged and written by themselves."""

from collections.abc import Generator, Iterator
from functools import partial

from senna.pipeline import pipeline as main_path
from senna.pipeline.format import Piece
from senna.pipeline.options import Options
from senna.pipeline.pipeline import Pipeline, Tagged


def tag_piece(pipeline: Pipeline, piece: Piece, reading: Options) -> str:
    """The output for a piece."""
    return main_path.tag_piece(pipeline, piece, reading).write(reading)


def tag_pieces(
    pieces: Iterator[Piece], reading: Options, jobs: int
) -> Generator[tuple[Piece, str], None, None]:
    """Pieces with what is written of them."""
    return main_path.tag_pieces(pieces, reading, partial(Tagged.write, options=reading), jobs)
