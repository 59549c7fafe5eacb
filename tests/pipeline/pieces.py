"""Pieces, tagged and written by themselves."""

from __future__ import annotations

from senna.pipeline import pipeline as main_path
from senna.pipeline.format import Piece
from senna.pipeline.options import Conversion
from senna.pipeline.pipeline import Pipeline


def tag_piece(pipeline: Pipeline, piece: Piece, reading: Conversion) -> str:
    """The output for a piece."""
    return main_path.tag_piece(pipeline, piece, reading).write(reading)
