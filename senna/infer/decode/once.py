"""No core role twice: a predicate has at most one A0, one A1 and so on, as in PropBank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from senna.infer.decode.paths import Dense, Floats, Ints, Paths
from senna.text.iobes import FORBIDDEN

CORE = ("A0", "A1", "A2", "A3", "A4", "A5", "AA")


class Once:
    """Decodes again where a core role comes twice, until none does."""

    def __init__(self, names: Sequence[str]) -> None:
        """names (n_tags,): the tags, IOBES, in the order of the scores."""
        labels = [label for label in CORE if f"B-{label}" in names]
        self.tags = [[i for i, name in enumerate(names) if name[2:] == label] for label in labels]
        self.opened = np.full(len(names), -1)  # by tag: the label that it begins, or -1
        for number, label in enumerate(labels):
            self.opened[[names.index(f"B-{label}"), names.index(f"S-{label}")]] = number
        self.ends = np.array([name[0] in "ES" for name in names])
        self.outside = list(names).index("O")

    def correct(self, paths: Dense, scores: Floats, lengths: Ints, path: Paths) -> None:
        """Correct a path; scores (n_words, n_tags) and path (n_words,) of predicates end to end.

        Of several places of a role the one stays where some word has the best score over O. At the
        others the role is ruled out, and what is best without it takes their place.
        """
        starts = np.cumsum(lengths) - lengths
        for row in self._repeated(lengths, path):
            words = slice(int(starts[row]), int(starts[row] + lengths[row]))
            length = lengths[row : row + 1]
            while len(self._repeated(length, path[words])):
                self._rule_out(scores[words], path[words])
                path[words] = paths.decode(scores[words], length)

    def _repeated(self, lengths: Ints, path: Paths) -> Ints:
        """The predicates that have a core role twice."""
        labels = self.opened[path]
        words = np.flatnonzero(labels >= 0)
        owners = np.repeat(np.arange(len(lengths)), lengths)[words]
        n_labels = max(len(self.tags), 1)
        counts = np.bincount(owners * n_labels + labels[words], minlength=len(lengths) * n_labels)
        return np.flatnonzero((counts.reshape(-1, n_labels) > 1).any(axis=1))

    def _rule_out(self, scores: Floats, path: Paths) -> None:
        """Rule a role out where one predicate has it a second time."""
        labels = self.opened[path]
        for label, tags in enumerate(self.tags):
            spans = []
            for start in np.flatnonzero(labels == label).tolist():
                end = start + 1 + int(np.argmax(self.ends[path[start:]]))
                rows = slice(start, end)
                gained = scores[range(start, end), path[rows]] - scores[rows, self.outside]
                spans.append((float(gained.max()), -start, end))
            for _, start, end in sorted(spans)[:-1]:
                scores[-start:end, tags] += np.float32(FORBIDDEN)
