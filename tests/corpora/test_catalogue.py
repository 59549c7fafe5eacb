"""The catalogue: the package's own is sound, a bad one is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from senna.corpora.catalogue import entry_of, read_catalogue, resource, resource_lines
from senna.corpora.convert import CONVERTERS, excluded_sentences
from senna.corpora.treebanks import TREEBANKS, VIEWS
from senna.errors import SennaError


def test_every_file_is_pinned_to_a_commit_and_a_digest() -> None:
    catalogue = read_catalogue()
    assert "ner/docred" in catalogue
    for corpus in catalogue.values():
        assert corpus.licence and corpus.attribution and corpus.splits
        assert corpus.name.partition("/")[0] in (*corpus.tasks, "research")
        for source in corpus.sources:
            assert re.match(r"https://raw\.githubusercontent\.com/", source.address)
            assert re.search(r"/[0-9a-f]{40}/", source.address)
            assert re.fullmatch(r"sha256:[0-9a-f]{64}|git_blob:[0-9a-f]{40}", source.digest)
            assert source.size > 0
        for archive in corpus.archives:
            assert re.fullmatch(
                r"https://codeload\.github\.com/[\w-]+/[\w-]+/tar\.gz/[0-9a-f]{40}", archive.address
            )


def test_every_converter_is_known_and_used() -> None:
    used = {corpus.converter for corpus in read_catalogue().values()}
    assert used - {""} == set(CONVERTERS) | set(TREEBANKS)


def test_treebanks_are_downloaded_once_for_all_that_is_made_of_them() -> None:
    made = [corpus for corpus in read_catalogue().values() if corpus.converter in TREEBANKS]
    assert {corpus.tasks[0] for corpus in made} == set(VIEWS)
    (first, *others) = (set(corpus.archives) for corpus in made)
    assert len(first) == 1 and all(first <= other for other in others)
    assert {corpus.size for corpus in made if corpus.name.endswith("/masc")} == {24_300_000}


def test_documents_of_masc_have_a_skeleton_and_a_split() -> None:
    sources = {source.name for source in read_catalogue()["srl/masc"].sources}
    lines = [line.split(" ") for line in resource_lines("corpora/masc-documents.txt")]
    assert {split for _, split in lines} == {"train", "dev", "test"}
    assert {f"data/oanc/masc/{document}.gold_skel" for document, _ in lines} <= sources


def test_research_sets_have_nothing_to_download() -> None:
    for corpus in read_catalogue().values():
        assert bool(corpus.sources) != corpus.name.startswith("research/")


def test_excluded_sentences_belong_to_corpora_and_splits_that_exist() -> None:
    catalogue = read_catalogue()
    for line in resource_lines("corpora/excluded.txt"):
        name, split, fingerprint = line.split(" ")
        assert split in catalogue[name].splits
        assert re.fullmatch("[0-9a-f]{16}", fingerprint)
    assert len(excluded_sentences(catalogue["ner/crossner"])["train"]) == 13


def test_a_missing_resource_is_an_error() -> None:
    with pytest.raises(SennaError, match="data/nothing.txt is missing. Reinstall"):
        resource("nothing.txt")


ENTRY = """["ner/tiny"]
tasks = ["ner"]
splits = ["dev"]
licence = "our own"
attribution = "us"
converter = "wnut17"
["ner/tiny".files.dev]
address = "http://127.0.0.1/dev"
sha256 = "00"
size = 1
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("licence =", "license =", "unknown key license; the nearest known one is licence"),
        ('licence = "our own"\n', "", "bad entry: 'licence'"),
        ('splits = ["dev"]', 'splits = "dev"', "splits is not a list of strings"),
        ('sha256 = "00"\n', "", "file dev needs one of sha256 and git_blob"),
        ('sha256 = "00"', 'sha256 = "00"\ngit_blob = "00"', "needs one of"),
        ('converter = "wnut17"\n', "", "a converter needs files"),
        ("size = 1", "size = ", "not a TOML file"),
    ],
)
def test_a_bad_catalogue_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "corpora.toml"
    path.write_text(ENTRY, encoding="utf-8")
    assert read_catalogue(path)["ner/tiny"].size == 1
    path.write_text(ENTRY.replace(old, new), encoding="utf-8")
    with pytest.raises(SennaError, match=re.escape(message)):
        read_catalogue(path)


def test_a_missing_catalogue_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SennaError, match="cannot be read"):
        read_catalogue(tmp_path / "none.toml")


def test_an_unknown_name_brings_the_nearest_one() -> None:
    with pytest.raises(SennaError, match="'ner/docret'. Did you mean ner/docred"):
        entry_of("ner/docret", read_catalogue())
