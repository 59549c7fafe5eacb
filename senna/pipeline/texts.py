"""Documents side by side: sentences of several, tagged together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from senna.answers.base import Annotation
from senna.pipeline.pipeline import Pipeline


def annotate(
    pipeline: Pipeline, documents: Sequence[Sequence[Sequence[str]]], remembers: bool
) -> list[Annotation]:
    """What is found in each document, a list of tokenised sentences; all are tagged together."""
    words = [words for sentences in documents for words in sentences]
    opens = [i == 0 for sentences in documents for i in range(len(sentences))]
    annotation = pipeline.annotate(words, opens=opens if remembers else None)
    ends = accumulate(map(len, documents), initial=0)
    return [
        {task: rows[start:end] for task, rows in annotation.items()}
        for start, end in pairwise(ends)
    ]
