"""Settings that a network or a task cannot use are refused before anything is read."""

import pytest
import torch

from senna.errors import SennaError
from senna.registry import LEARNERS
from senna.training.build import build, check_names
from senna.training.config import Config, DataConfig, Source, override
from senna.training.examples.corpora import Example, TaskCorpus
from tests import toys

WORD = ["train.criterion=word", "network.kind=gated"]
GREEDY = ["train.criterion=greedy"]
RECURSIVE = ["network.kind=recursive", "features.tree.used=true"]
TENSOR = ["network.recursive.cell=tensor", "network.recursive.units=61"]
NO_DEV = {"ner": DataConfig((Source("a"),))}


@pytest.mark.parametrize(
    ("task", "settings", "message"),
    [
        ("srl", ["network.constrained=false", "network.kind=gated"], "tied by label are those"),
        ("srl", [*WORD, "network.transitions=full"], "train.criterion = 'word' learns no"),
        ("ner", [*WORD, "network.transitions=full"], "train.criterion = 'word' learns no"),
        ("psg", ["train.criterion=word-hinge", "network.kind=gated"], "no task that learns by it"),
        ("label", ["train.criterion=hinge", "network.kind=gated"], "no task that learns by it"),
        ("label", [*RECURSIVE, "train.criterion=word-log"], "no task that learns by it"),
        ("psg", ["network.transitions=full", "network.kind=gated"], "no task with transitions"),
        ("ner", [*WORD, "network.transitions=state"], "train.criterion = 'word' learns no"),
        ("srl", ["network.transitions=state", "network.kind=gated"], "are for tasks that give"),
        ("ner", ["network.transitions=state", "network.window.hidden=[]"], "has no last layer"),
        ("ner", ["network.beam=2"], "network.beam = 2 needs train.criterion = greedy"),
        ("ner", [*WORD, "network.history=2"], "history = 2 needs train.criterion = greedy"),
        ("ner", ["train.own_tags=0.5"], "own_tags = 0.5 needs train.criterion = greedy"),
        ("ner", [*WORD, "train.own_tags=1"], "own_tags = 1.0 needs train.criterion = greedy"),
        ("srl", [*GREEDY, "network.kind=gated"], "it is for tasks that give words tags"),
        ("label", [*GREEDY, "network.kind=gated"], "no task that learns by it"),
        ("ner", [*GREEDY, "network.transitions=state"], "are for criteria of whole paths"),
        ("ner", ["train.soft=a", "train.criterion=hinge"], "= word or sentence or greedy"),
        ("srl", ["train.soft=a", "network.kind=gated"], "needs tasks whose output is tags"),
        ("ner", ["train.criterion=none"], "train.criterion = 'none' is not one of sentence"),
        ("srl", ["network.window.hidden=[8]"], "with hidden layers does not find roles"),
        ("label", ["network.kind=recursive"], "the recursive network needs a parser"),
        ("label", [*RECURSIVE, "network.label.pooling=['max']"], "no place in a recursive network"),
        ("label", [*RECURSIVE, *TENSOR], "at most 60"),
        ("pos", RECURSIVE, "the recursive network does not find tags"),
        ("pos", ["data.pos.labels=0=a"], 'data.pos.labels = "0=a" needs tasks whose output is'),
    ],
)
def test_refused(task, settings, message):
    with pytest.raises(SennaError, match=message):
        check_names(override(Config(tasks=(task,), data=NO_DEV), settings))


def test_accepted():
    for task in ("srl", "ner"):
        roles = override(Config(tasks=(task,)), ["network.kind=gated", "network.constrained=false"])
        check_names(override(roles, ["network.transitions=full"]))
        check_names(override(roles, ["train.criterion=word"]))
    check_names(override(Config(tasks=("ner",)), [*GREEDY, "train.own_tags=1"]))
    check_names(override(Config(tasks=("ner", "pos")), ["network.transitions=state"]))
    labels = override(Config(tasks=("label",)), ["network.kind=gated"])
    check_names(override(labels, ["train.criterion=word-binary"]))


def test_a_column_of_other_things_is_not_learnt_as_tags():
    rows = [Example(["a", "b"], [f"S-T{i}", "O"]) for i in range(5_000)]
    with pytest.raises(SennaError, match=r"data.ner: 20,001 different tags. Is this the right col"):
        build(toys.SMALL, {"ner": TaskCorpus(rows, [])}, torch.device("cpu"))


# --------------------------------------------------------------------------- several tasks

TASKS = ["pos,chunk,ner", "ner,srl", "predicates,srl,psg", "lemma,upos,feats,dep", "pos,label"]
TASKS += ["label"]
SIZES = (
    "network.sentence={width=3, units=8, hidden=8, distance=4, distance_size=2}",
    "network.gated={units=8, dilations=[1], pair=8, pair_dilations=[1]}",
    "network.recurrent={cell='gru', units=4}",
)


@pytest.mark.parametrize("tasks", TASKS)
@pytest.mark.parametrize("kind", LEARNERS)
def test_trains_or_is_refused_before_data_are_read(kind, tasks, tmp_path):
    settings = (f"network.kind={kind}", "train.epochs=1", "train.draw=together", *SIZES)
    tree = toys.UNREAD if kind == "recursive" else ()
    try:
        config = toys.small(tasks, *settings, *tree)
        check_names(config)
    except SennaError:
        refused = {"window": TASKS[1:], "sentence": TASKS[2:]}.get(kind, TASKS)
        assert tasks in refused and kind != "gated", "what can be learnt is not refused"
        return
    # The same sentences for all tasks, as in a file of CoNLL-U: `together` encodes them once.
    sets = {task: toys.corpus(task, 6) for task in config.tasks}
    setup = build(config, sets, torch.device("cpu"))
    state = setup.trainer(tmp_path).run()
    assert state.epoch == 1 and state.best is not None
