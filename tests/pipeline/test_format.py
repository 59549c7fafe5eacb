"""Input formats: a new one needs a module with its record, and a line in the table."""

import sys
from collections.abc import Iterator
from types import ModuleType

from senna.files import Arriving
from senna.kinds.answer import Line
from senna.pipeline.files import read_files
from senna.pipeline.format import Input, Piece, as_lines
from senna.pipeline.options import Options
from senna.registry import INPUTS
from senna.text.tokens import spaced
from tests import toys
from tests.pipeline.pieces import tag_pieces


def cut_slashes(source: Arriving, name: str, reading: Options) -> Iterator[Piece]:
    text = "".join(iter(source.read, ""))
    yield Piece(0, len(text), text.strip().split("/"))


def slashes(piece: Piece, reading: Options) -> list[Line]:
    return [line for words in piece.content for line in as_lines(words, [spaced(words.split())])]


def test_a_new_format_is_one_record(tmp_path, monkeypatch):
    module = ModuleType("senna.formats.slashes")
    form = Input(slashes, "with slashes", cut=cut_slashes, sentences=list)
    module.INPUTS = {"slashes": form}
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(INPUTS.places, "slashes", module.__name__)
    model = toys.model(tmp_path / "model", seed=4)
    (tmp_path / "in").write_text("Ann runs/She ran away\n", encoding="utf-8")
    written = []
    for name, text in (("slashes", None), ("tokens", "Ann runs\nShe ran away\n")):
        if text:
            (tmp_path / "in").write_text(text, encoding="utf-8")
        reading = Options(None, model, input=name)
        pieces = read_files([str(tmp_path / "in")], reading)
        written.append("".join(out for _, out in tag_pieces(pieces, reading, 1)))
    assert written[0] == written[1]
    assert written[0].count("\n") == 7
