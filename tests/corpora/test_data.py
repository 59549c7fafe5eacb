"""The corpora of a run: of the demonstration, and their licences."""

import pytest

from senna.corpora.store import data_table, demo_data
from senna.errors import SennaError
from senna.training.config import DataConfig, Source


def test_a_task_that_the_demonstration_corpus_lacks(tmp_path):
    with pytest.raises(SennaError, match="has no data for psg"):
        demo_data("psg", tmp_path)


def test_licences_of_the_catalogue_are_in_the_models_data():
    data = {
        "ner": DataConfig((Source("ner/docred"), Source("ner/docred", "dev"), Source("mine.txt"))),
        "chunk": DataConfig((Source("ner/docred"),)),  # its splits stand there once
    }
    table = data_table(data)
    assert table["ner/docred"]["splits"] == ["train", "dev"]
    assert table["ner/docred"]["licence"]
    assert table["ner/docred"]["attribution"]
    assert table["mine.txt"] == {"splits": ["train"]}
