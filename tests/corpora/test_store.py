"""Finding corpora in the user's folders, and bringing those that are in none."""

import lzma
import sys
from pathlib import Path

import pytest

from senna.corpora import store
from senna.corpora.catalogue import Columns, Corpus
from senna.errors import SennaError
from tests.faults import no_space

WNUT = Columns({"PER": "person", "LOC": "location"})
TRAIN = b"Ada\tB-person\nwaits\tO\n\t\nLeeds\tB-location\n"
DEV = b"Nobody\tO\n"


@pytest.fixture(autouse=True)
def catalogue(server, monkeypatch) -> None:
    """A made-up corpus on the test's server, and a research set."""
    files = (server.put("train", TRAIN), server.put("dev", DEV))
    tiny = Corpus("ner/tiny", ("ner",), ("train", "dev"), "CC0", "Made up.", "", False, files, WNUT)
    closed = Corpus("research/closed", ("ner",), ("train",), "research", "Them.", "", False, ())
    corpora = {corpus.name: corpus for corpus in (tiny, closed)}
    monkeypatch.setattr(store, "read_catalogue", lambda: corpora)


def make(folder: Path, *splits: str) -> Path:
    folder.mkdir(parents=True)
    for split in splits:
        (folder / f"{split}.xz").write_bytes(b"")
    return folder


def test_folders_are_searched_in_order(tmp_path, monkeypatch):
    cached = make(store.cache_folder() / "ner/tiny", "train", "dev")
    assert store.find("ner/tiny") == cached
    named = make(tmp_path / "named/ner/tiny", "train", "dev")
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "named"))
    assert store.find("ner/tiny") == named
    given = make(tmp_path / "given/ner/tiny", "train", "dev")
    assert store.find("ner/tiny", tmp_path / "given") == given
    assert store.find("ner/tiny", tmp_path / "empty") == named


def test_a_folder_without_all_splits_does_not_count(tmp_path):
    make(tmp_path / "ner/tiny", "train")
    with pytest.raises(SennaError, match="not in .*`senna data get ner/tiny` downloads it"):
        store.find("ner/tiny", tmp_path)


def test_corpora_of_ones_own_are_found(tmp_path):
    folder = make(tmp_path / "ner/own", "train")
    assert store.get("ner/own", tmp_path) == folder
    with pytest.raises(SennaError, match="no corpus is called 'ner/other'"):
        store.get("ner/other", tmp_path)


@pytest.mark.parametrize("name", ["", "../ner", "ner/", "/etc", "ner/a b", "ner\\tiny"])
def test_names_cannot_lead_out_of_the_folder(name, tmp_path):
    with pytest.raises(SennaError, match="is not the name of a corpus"):
        store.find(name, tmp_path)


def test_get_downloads_once_and_says_licence_and_size_first(server):
    said: list[str] = []
    path = store.get("ner/tiny", say=said.append)
    assert path == store.cache_folder() / "ner/tiny"
    assert said[0] == "ner/tiny: CC0. Made up."
    assert said[1].startswith("ner/tiny: downloading 1 kB to ")
    with lzma.open(path / "train.xz", "rt", encoding="utf-8") as file:
        assert file.read() == "Ada\tB-PER\nwaits\tO\n\nLeeds\tB-LOC\n\n"
    with lzma.open(path / "dev.xz", "rt", encoding="utf-8") as file:
        assert file.read() == "Nobody\tO\n\n"
    assert "CC0\nMade up." in (path / "LICENCE.txt").read_text(encoding="utf-8")
    assert len(list(path.iterdir())) == 3
    assert store.get("ner/tiny", say=said.append) == path
    assert server.asked == ["/train", "/dev"]
    assert len(said) == 3


def test_get_completes_the_named_folder(tmp_path):
    folder = make(tmp_path / "mine/ner/tiny", "train")
    assert store.get("ner/tiny", tmp_path / "mine") == folder
    assert (folder / "dev.xz").is_file()
    assert not store.cache_folder().exists()


def test_a_failed_download_leaves_no_corpus_and_goes_on_next_time(server):
    del server.files["/dev"]
    with pytest.raises(SennaError, match="404"):
        store.get("ner/tiny")
    assert not (store.cache_folder() / "ner").exists()
    server.files["/dev"] = DEV
    store.get("ner/tiny")
    assert server.asked == ["/train", "/dev", "/dev"]


def test_a_full_disk_leaves_no_corpus(monkeypatch):
    monkeypatch.setattr("senna.atomic.open_packed", no_space)
    with pytest.raises(SennaError, match="No space left on device"):
        store.get("ner/tiny")
    assert not list((store.cache_folder() / "ner/tiny").glob("*.xz"))


def test_progress_is_shown_on_stderr_if_asked_for(tmp_path, capsys):
    store.get("ner/tiny", tmp_path)
    assert capsys.readouterr() == ("", "")
    store.get("ner/tiny", progress=True)
    out, err = capsys.readouterr()
    assert out == "" and "ner/tiny" in err and "100%" in err


def test_research_sets_are_never_downloaded(tmp_path):
    for function in (store.get, store.find):
        with pytest.raises(SennaError, match="docs/corpora.md says and put research/closed/train"):
            function("research/closed")
    folder = make(tmp_path / "research/closed", "train")
    assert store.get("research/closed", tmp_path) == folder


def test_cache_folder_of_each_platform(tmp_path, monkeypatch):
    assert store.cache_folder() == tmp_path / "cache/senna/data"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    places = {"linux": "home/.cache", "darwin": "home/Library/Caches", "win32": "local"}
    for platform, folder in places.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert store.cache_folder() == tmp_path / folder / "senna/data"


@pytest.fixture
def no_home(monkeypatch) -> None:
    """As for a user of a container who is in no list of users."""

    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.setattr(pytest.importorskip("pwd"), "getpwuid", unknown)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME")


def test_without_a_home_folder_named_folders_serve(no_home, tmp_path, monkeypatch):
    path = store.get("ner/tiny", tmp_path / "mine")
    assert store.find("ner/tiny", tmp_path / "mine") == path
    assert store.lookup("ner/tiny") is None
    assert store.locate(str(path)) == path
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "mine"))
    assert store.get("ner/tiny") == path


def test_without_any_folder_the_home_folder_is_what_is_lacking(no_home):
    for function in (store.get, store.find):
        with pytest.raises(SennaError, match="no home folder.*data"):
            function("ner/tiny")
    with pytest.raises(SennaError, match="nowhere: no such file or folder"):
        store.locate("nowhere")


def test_folders_that_cannot_be_looked_into_have_nothing(tmp_path):
    unusable = tmp_path / ("x" * 300)
    assert store.lookup("ner/tiny", unusable) is None
    assert store.lookup("ner/own", unusable) is None
    with pytest.raises(SennaError, match="no such file or folder"):
        store.locate("x" * 300, tmp_path)
    with pytest.raises(SennaError, match="cannot write: File name too long"):
        store.get("ner/tiny", unusable)


def test_sizes_in_words():
    sizes = [1, 999, 12_345, 999_999, 5_249_000]
    assert [store.size_in_words(n) for n in sizes] == ["1 kB", "1 kB", "12 kB", "1000 kB", "5.2 MB"]
