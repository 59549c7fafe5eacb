"""The capitals of a form (section 3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from senna.features.forms import FormTable, Lines, Saved, Spellings
from senna.text.features import N_CAPS, N_CAPS_READ, Ids
from senna.toml import FAR, SIZE, number


@dataclass(frozen=True)
class CapsFeature:
    """The paper's four values of capitals (section 3.5).

    With a share above 0 the model learns to recognise sentences whose capitals carry no
    information, from copies of its sentences: so many of them for each sentence.
    """

    size: int = number(5, 0, SIZE)
    caseless: float = number(0.0, 0, FAR)  # copies that are read without capitals
    titled: float = number(0.0, 0, FAR)  # copies with a capital for every word

    @property
    def marks(self) -> bool:
        """Whether sentences are read as `senna.text.capitals` marks them."""
        return self.caseless > 0 or self.titled > 0


class Caps(FormTable):
    """The value of `caps`, or of a marked form."""

    KEY: ClassVar = "caps"

    def rows(self, spelt: Spellings) -> Ids:
        return np.array([s.caps for s in spelt], np.int32)

    @classmethod
    def learn(cls, settings: CapsFeature, forms: Counter[str]) -> Sequence[FormTable]:
        n_rows = N_CAPS_READ if settings.marks else N_CAPS
        return [cls("caps", n_rows, settings.size)] if settings.size else []

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        return cls(name, N_CAPS_READ if saved.get("marks") else N_CAPS)


TABLES = {"caps": Caps}
