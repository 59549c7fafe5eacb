"""Kinds of output, one file a kind: the table `OUTPUTS` has them by the names in `senna.tasks`."""

from senna.outputs.base import Output
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
