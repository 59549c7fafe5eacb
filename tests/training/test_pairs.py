"""Every pair of a network and a configuration of several tasks trains, or is refused at once."""

import pytest
import torch

from senna.errors import SennaError
from senna.registry import LEARNERS
from senna.training.build import build, check_names
from tests import toys

TASKS = [
    ("pos", "chunk", "ner"),
    ("ner", "srl"),
    ("predicates", "srl", "psg"),
    ("lemma", "upos", "feats", "dep"),
    ("pos", "label"),
    ("label",),
]
SIZES = (
    "network.sentence={width=3, units=8, hidden=8, distance=4, distance_size=2}",
    "network.gated={units=8, dilations=[1], pair=8, pair_dilations=[1]}",
    "network.recurrent={cell='gru', units=4}",
)


@pytest.mark.parametrize("tasks", TASKS, ids=",".join)
@pytest.mark.parametrize("kind", LEARNERS)
def test_trains_or_is_refused_before_data_are_read(kind, tasks, tmp_path):
    settings = (f"network.kind={kind}", "train.epochs=1", "train.draw=together", *SIZES)
    tree = toys.UNREAD if kind == "recursive" else ()
    try:
        config = toys.small(",".join(tasks), *settings, *tree)
        check_names(config)
    except SennaError:
        refused = {"window": TASKS[1:], "sentence": TASKS[2:]}.get(kind, TASKS)
        assert tasks in refused and kind != "gated", "what can be learnt is not refused"
        return
    # The same sentences for all tasks, as in a file of CoNLL-U: `together` encodes them once.
    setup = build(config, {task: toys.corpus(task, 6) for task in tasks}, torch.device("cpu"))
    state = setup.trainer(tmp_path).run()
    assert state.epoch == 1 and state.best is not None
