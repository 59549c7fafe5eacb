"""Kinds of output, one file a kind: the table `OUTPUTS` has them by the names in `senna.tasks`."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from senna.outputs import conll2012
from senna.outputs.base import Gold, GoldOptions, Output
from senna.outputs.labels import LabelOutput
from senna.outputs.phrases import PhraseOutput, SegmentOutput
from senna.outputs.roles import MarkOutput, RoleOutput
from senna.outputs.tags import TagOutput
from senna.outputs.trees import TreeOutput
from senna.tasks import TASKS

OUTPUTS: dict[str, Output] = {
    "tags": TagOutput(),
    "phrases": PhraseOutput(),
    "segments": SegmentOutput(),
    "marks": MarkOutput(),
    "roles": RoleOutput(),
    "trees": TreeOutput(),
    "labels": LabelOutput(),
}


def output_of(task: str) -> Output:
    """The kind of output of a task."""
    return OUTPUTS[TASKS[task].output]


def read_gold(task: str, lines: Iterable[str], name: str, how: GoldOptions) -> Iterator[Gold]:
    """The gold sentences of a task in a file called `name`, which may be in CoNLL-2012."""
    rest = iter(lines)
    first = list(islice(rest, 1))
    every = chain(first, rest)
    if first and conll2012.is_conll2012(first[0]):
        return conll2012.read_gold(task, every, name, how.columns)
    return output_of(task).read(every, name, how)
