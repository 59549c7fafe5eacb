"""The package's catalogue is sound."""

import re

import pytest

from senna.corpora.catalogue import entry_of, read_catalogue, resource_lines
from senna.corpora.convert import CONVERTERS, TEXTS, TREEBANKS, VIEWS
from senna.corpora.tagged import excluded_sentences
from senna.errors import SennaError
from senna.tasks import TASKS


def test_every_file_is_pinned_to_a_commit_and_a_digest():
    catalogue = read_catalogue()
    assert "ner/docred" in catalogue
    for corpus in catalogue.values():
        assert corpus.licence and corpus.attribution and corpus.splits
        assert all(isinstance(name, str) for name in (*corpus.tasks, *corpus.splits))
        assert isinstance(corpus.marks, bool)
        of_tasks = {TASKS[task].corpora_of for task in corpus.tasks if task in TASKS}
        assert corpus.name.partition("/")[0] in {*corpus.tasks, *of_tasks, "research"}
        for source in corpus.sources:
            if source.is_folder:
                assert source.archive and source.address == source.archive.address
                assert re.fullmatch(r"git_tree:[0-9a-f]{40}", source.digest)
            else:
                assert re.match(r"https://raw\.githubusercontent\.com/", source.address)
                assert re.search(r"/[0-9a-f]{40}/", source.address)
                assert re.fullmatch(r"sha256:[0-9a-f]{64}|git_blob:[0-9a-f]{40}", source.digest)
            assert isinstance(source.size, int) and source.size > 0
        for archive in corpus.archives:
            assert re.fullmatch(
                r"https://codeload\.github\.com/[\w-]+/[\w-]+/tar\.gz/[0-9a-f]{40}", archive.address
            )


def test_every_converter_is_known_and_used():
    used = {corpus.converter for corpus in read_catalogue().values()}
    assert used - {""} == set(CONVERTERS) | set(TREEBANKS) | set(TEXTS)


def test_treebanks_are_downloaded_once_for_all_that_is_made_of_them():
    catalogue = read_catalogue()
    views = [corpus for corpus in catalogue.values() if corpus.converter in TREEBANKS]
    assert {corpus.tasks[0] for corpus in views} == set(VIEWS)
    for corpus in views:
        trees = catalogue["trees/" + corpus.name.partition("/")[2]]
        assert (corpus.converter, set(corpus.sources)) == (trees.converter, set(trees.sources))
    assert {corpus.size for corpus in views if corpus.name.endswith("/masc")} == {24_300_000}


@pytest.mark.parametrize(
    ("corpus", "document", "splits"),
    [
        ("trees/gum", "const/{}.ptb", {"train", "dev"}),
        ("srl/masc", "data/oanc/masc/{}.gold_skel", {"train", "dev", "test"}),
    ],
)
def test_documents_are_downloaded_and_have_a_split(corpus, document, splits):
    sources = {source.name for source in read_catalogue()[corpus].sources}
    name = corpus.partition("/")[2]
    lines = [line.split(" ") for line in resource_lines(f"corpora/{name}-documents.txt")]
    named = {document.format(name) for name, _ in lines}
    assert {split for _, split in lines} == splits
    assert named == sources if corpus == "trees/gum" else named <= sources


def test_research_sets_have_nothing_to_download():
    for corpus in read_catalogue().values():
        assert bool(corpus.sources) != corpus.name.startswith("research/")
        assert bool(corpus.sources) == bool(corpus.converter) + (corpus.columns is not None)


def test_excluded_sentences_belong_to_corpora_and_splits_that_exist():
    catalogue = read_catalogue()
    for line in resource_lines("corpora/excluded.txt"):
        name, split, fingerprint = line.split(" ")
        kind = name.partition("/")[0]
        suffix = {"trees": ".mrg", "ud": ".conllu"}.get(kind, "")
        assert split + suffix in catalogue[name].splits
        assert kind == "ud" or re.fullmatch("[0-9a-f]{16}", fingerprint)
    assert len(excluded_sentences("ner/crossner")["train"]) == 13


def test_an_unknown_name_brings_the_nearest_one():
    with pytest.raises(SennaError, match="'ner/docret'. Did you mean ner/docred"):
        entry_of("ner/docret", read_catalogue())
