"""Every pair of a network and a configuration of several tasks trains, or is refused at once."""

import dataclasses

import pytest
import torch

from senna.errors import SennaError
from senna.inference.features.settings import TreeFeature
from senna.inference.networks.settings import GatedConfig, SentenceConfig, WindowConfig
from senna.lab.networks.settings import RecurrentConfig
from senna.registry import LEARNERS
from senna.training.build import build, check_names
from senna.training.config import Config, NetworkConfig, Training
from tests import toys

TASKS = [
    ("pos", "chunk", "ner"),
    ("ner", "srl"),
    ("predicates", "srl", "psg"),
    ("lemma", "upos", "feats", "dep"),
    ("pos", "label"),
    ("label",),
]
NETWORK = NetworkConfig(
    window=WindowConfig((3,), (8,)),
    sentence=SentenceConfig(3, 8, 8, 4, 2),
    gated=GatedConfig(8, dilations=(1,), pair=8, pair_dilations=(1,)),
    recurrent=RecurrentConfig("gru", 4),
)


def config_of(kind: str, tasks: tuple[str, ...], draw: str) -> Config:
    features = toys.SMALL.features
    if kind == "recursive":
        features = dataclasses.replace(features, tree=TreeFeature(True, model="unread"))
    return dataclasses.replace(
        toys.SMALL,
        tasks=tasks,
        features=features,
        network=dataclasses.replace(NETWORK, kind=kind),
        train=Training(epochs=1, batch=4, draw=draw),
    )


@pytest.mark.parametrize("tasks", TASKS, ids=",".join)
@pytest.mark.parametrize("kind", LEARNERS)
def test_trains_or_is_refused_before_data_are_read(kind, tasks, tmp_path):
    config = config_of(kind, tasks, "together")
    try:
        check_names(config)
    except SennaError:
        refused = {"window": TASKS[1:], "sentence": TASKS[2:]}.get(kind, TASKS)
        assert tasks in refused and kind != "gated", "what can be learnt is not refused"
        return
    # The same sentences for all tasks, as in a file of CoNLL-U: `together` encodes them once.
    setup = build(config, {task: toys.corpus(task, 6) for task in tasks}, torch.device("cpu"))
    state = setup.trainer(tmp_path).run()
    assert state.epoch == 1 and state.best is not None
