"""What a notebook draws of a document, and the page that is written of it."""

import pytest

import senna
from senna.document.document import Document
from senna.errors import SennaError
from tests.document.documents import made


def test_a_notebook_draws_a_document():
    doc = made()
    drawn = doc._repr_html_()
    assert drawn == senna.show(doc)._repr_html_()
    assert not drawn.startswith("<!DOCTYPE")
    assert drawn.count("<article>") == 2
    assert "<mark" in drawn and "Ada Lovelace" in drawn


def test_a_sentence_or_that_of_a_span_is_drawn_alone():
    doc = made()
    alone = senna.show(doc[1])._repr_html_()
    assert "sea" in alone and "Lovelace" not in alone
    assert senna.show(doc[1][2:4]) == senna.show(doc[1])


def test_a_page_is_written_whole(tmp_path):
    senna.show(made()).save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>")
    assert text == made().html() == senna.show(made()).html()
    assert list(tmp_path.iterdir()) == [tmp_path / "page.html"]
    with pytest.raises(SennaError):
        senna.show(made()).save(tmp_path / "missing" / "page.html")


def test_nothing_to_show():
    assert "<article>" not in Document("", [], {})._repr_html_()
    with pytest.raises(SennaError, match="nothing to show in a str. Give a document"):
        senna.show("text")
