"""A small model with random weights, and the pipeline that it makes."""

from pathlib import Path

import pytest

import senna
from senna.document.nlp import Nlp


@pytest.fixture(scope="session")
def model(tmp_path_factory) -> Path:
    from tests import toys

    return toys.model(tmp_path_factory.mktemp("toy") / "all", "pos", "chunk", "ner", seed=7)


@pytest.fixture(scope="session")
def nlp(model) -> Nlp:
    return senna.load(model=model)
