"""`senna data list | get | path`, with the corpora of a made-up data folder."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from senna.corpora.catalogue import read_catalogue
from senna.corpora.cli import data_app
from senna.errors import SennaError

run = CliRunner().invoke


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    monkeypatch.delenv("SENNA_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "data/ner/wikigold"
    folder.mkdir(parents=True)
    (folder / "dev.xz").write_bytes(b"")
    return tmp_path / "data"


def test_list_has_a_line_for_every_corpus(data):
    result = run(data_app, ["list", "--data", str(data)])
    assert result.exit_code == 0
    heading, *lines = [line.split("\t") for line in result.stdout.splitlines()]
    assert heading == ["name", "splits", "size", "licence", "folder"]
    assert [line[0] for line in lines] == list(read_catalogue())
    places = {line[0]: line[-1] for line in lines}
    assert places["ner/wikigold"] == str(data / "ner/wikigold")
    assert places["ner/docred"] == "not downloaded"
    assert "docs/corpora.md" in places["research/conll2003"]


def test_path_prints_the_folder(data):
    result = run(data_app, ["path", "ner/wikigold", "--data", str(data)])
    assert result.stdout == f"{data / 'ner/wikigold'}\n"


def test_get_prints_folders_and_downloads_nothing_that_is_there(data):
    result = run(data_app, ["get", "ner/wikigold", "--data", str(data)])
    assert (result.exit_code, result.stdout) == (0, f"{data / 'ner/wikigold'}\n")


def test_a_corpus_that_is_not_here_is_an_error(data):
    result = run(data_app, ["path", "ner/docred", "--data", str(data)])
    assert isinstance(result.exception, SennaError)
    assert result.exception.remedy == "`senna data get ner/docred` downloads it."
