"""Some of the numbers of word vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from senna.errors import SennaError
from senna.vectors.read import Vectors

EXPERIMENTS = Path(__file__).parents[2] / "scripts" / "experiments"


def test_numbers_are_those_from_the_first_up_to_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    from take_numbers import taken

    vectors = Vectors(["a", "b"], np.arange(10, dtype=np.float32).reshape(2, 5))
    assert taken(vectors, "3-5").words == ["a", "b"]
    assert taken(vectors, "3-5").table.tolist() == [[3, 4], [8, 9]]
    for wrong in ("3-6", "3-3", "-2", "x"):
        with pytest.raises(SennaError, match="no numbers of vectors of 5"):
            taken(vectors, wrong)
