"""Every setting changes what a run leaves, or a line says that it does nothing there."""

import dataclasses
import shutil
import tomllib
import typing
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.corpora.convert import files_of
from senna.corpora.sources.treebanks import TreebankSentence
from senna.corpora.store import demo_data
from senna.files import resource
from senna.formats.brackets import read_trees
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.tasks import TREE_LEVELS
from senna.training.config import Config, DataConfig, Source, from_table, with_settings
from senna.training.examples.corpora import read_source
from senna.training.run import Run, train
from tests import toys

Settings = dict[str, Any]
BASE, POS, PSG = "{folder}/base", "{folder}/pos", "{folder}/psg"  # vectors, and models


def part(task: str, of: str = "train", **settings: Any) -> Settings:
    """Some sentences of the demonstration corpus."""
    return {"corpus": f"{{folder}}/{task}-{of}.txt", "sentences": "1-14", **settings}


def learning(task: str, **settings: Any) -> Settings:
    """A run on few sentences, and chosen on fewer."""
    dev = part(task, "dev", sentences="1-4")
    return {"tasks": [task], f"data.{task}.train": [part(task)], f"data.{task}.dev": [dev]} | {
        key.replace("__", "."): value for key, value in settings.items()
    }


WINDOW = {
    "features.word.size": 6,
    "features.word.min_count": 0,
    "features.caps.size": 3,
    "network.window.widths": [3],
    "network.window.hidden": [8],
    "network.gated.units": 8,
    "network.gated.dilations": [1],
    "network.gated.pair": 6,
    "network.gated.pair_dilations": [1],
    "network.sentence": {"units": 8, "hidden": 6, "distance": 3},
    "train.epochs": 1,
    "train.batch": 3,
    "train.learning_rate": 0.02,
}
GATED = {"network.kind": "gated"}
TREES = GATED | {"network.tree.units": 6, "network.tree.labels": 6, "network.tree.node": 6}
LISTS = ["{folder}/lists/per.txt"]
OF_FEATURES = {
    **{
        f"features.{name}.size": 2 for name in ("prefix", "suffix", "stem", "tags.pos", "gazetteer")
    },
    "features.characters": {"filters": 4, "size": 3},
    "features.tags.pos.model": POS,
    "features.gazetteer.files": LISTS,
    "features.clusters": {"file": "{folder}/paths", "size": 2},
}
VECTORS = {"features.word.size": 0, "features.word.embeddings": BASE, "features.word.scale": 0.0}
OF_BASE = VECTORS | {"export.base": BASE, "train.learning_rate": 1e-4}
OF_TREE = GATED | {"features.tree.used": True, "features.tree.model": PSG}
NO_COSTS = {"features.tree.inside": 0.0, "features.tree.across": 0.0}
SEVERAL = learning("pos") | {"data.pos.train": [part("pos", sentences="1-3")]}
SEVERAL |= learning("ner") | {"tasks": ["pos", "ner"]}
LEARNT = {"train.epochs": 30, "train.learning_rate": 0.05}  # until it finds some roles

RECURRENT = learning("srl") | {"network.kind": "recurrent", "network.recurrent.units": 6}
LABEL = learning("label", data__label__dev=[part("label")])  # all it learns from
LAST = learning("ner", data__ner__dev=[], train__epochs=2)  # the weights of the last epoch are kept
GREEDY = {"train.criterion": "greedy", "train.epochs": 2}
LEVELLED = learning("srl") | GATED
for of, last in (("train", 14), ("dev", 4)):
    source = part("srl", of, sentences=f"1-{last}", levels=f"{{folder}}/{of}.levels")
    LEVELLED[f"data.srl.{of}"] = [source]

RUNS: dict[str, Settings] = {
    "ner": learning("ner"),
    "pos": learning("pos") | {"data.pos.train": [part("pos", sentences="18-24")]},  # has "to"
    "features": learning("ner") | OF_FEATURES,
    "alike": learning("ner") | {"features.caps.size": 6},
    "ngrams": learning("ner") | {"features.ngrams.buckets": 20},
    "vectors": learning("ner") | VECTORS,
    "base": learning("ner") | OF_BASE,
    "several": SEVERAL | {"network.window.hidden": [8, 7]},
    "linear": learning("srl") | {"network.window.hidden": []},
    "sentence": learning("srl") | {"network.kind": "sentence"},
    "gated": learning("ner") | GATED | {"network.gated.dilations": [1, 2]},
    "rank": learning("ner") | GATED | {"export.rank": 2},
    "srl": learning("srl") | GATED,
    "srl-tags": learning("srl") | GATED | {"features.tags.pos": {"size": 2, "model": POS}},
    "tree": learning("srl") | OF_TREE,
    "tree-levels": LEVELLED | {"features.levels": {"size": 2, "last": 1, "model": PSG}},
    "costs": learning("srl") | OF_TREE | LEARNT | NO_COSTS,
    "psg": learning("psg") | TREES,
    "levels": learning("psg") | TREES | {"network.tree.parser": "levels"},
    "dep": learning("dep") | GATED | {"network.dependencies": {"units": 6, "relations": 6}},
    "label": LABEL | GATED,
    "acceptor": LABEL | {"network.kind": "recurrent", "network.recurrent.units": 6},
    "bag": LABEL | {"network.kind": "bag", "network.bag.units": 6},
    "convolution": LABEL
    | {"network.kind": "convolution", "network.convolution": {"units": 6, "widths": [3]}},
    "recursive": LABEL | OF_TREE | {"network.kind": "recursive", "network.recursive.units": 6},
    "recurrent": RECURRENT,
    "layers": RECURRENT | {"network.recurrent.layers": 2},
    "mlp": learning("ner") | {"network.kind": "mlp", "network.mlp": {"widths": [3], "hidden": [6]}},
    "greedy": learning("ner") | GREEDY,
    "greedy-last": LAST | GREEDY,
    "split": learning("ner", data__ner__dev=[]) | {"data.ner.dev_share": 0.2},
    "last": LAST,
    "patience": learning("ner", train__epochs=6, train__learning_rate=1e-9),
    "thaw": LAST | {"train.model": "{folder}/start", "train.thaw": 1},
}
# Runs, and other values for settings, as of TOML.
OTHERS = """
ner: notes=["A-toy."] data.size=9 data.fold="0/3" features.one_hot=true network.kind="gated"
ner: features.word.size=7 features.word.min_count=3 features.word.fixed=true features.word.rare=0.5
ner: features.caps.size=2 features.caps.caseless=1.0 features.caps.titled=1.0
ner: network.constrained=false network.initial="xavier" network.window.widths=[5]
ner: network.window.hidden=[7] train.criterion="word" train.optimiser="sgd" train.l2=0.1
ner: train.learning_rate=0.01 train.schedule="constant" train.batch=5 train.epochs=2 train.seed=2
ner: train.dropout_input=0.2 train.dropout_hidden=0.2 train.clip=0.01 train.soft="{folder}/start"
ner: train.model="{folder}/start" export.numbers="int8" export.weights="float16"
pos: data.merge_to=true
features: features.prefix.size=3 features.prefix.lengths=[1] features.prefix.min_count=2
features: features.suffix.size=3 features.suffix.lengths=[1] features.suffix.min_count=2
features: features.stem.size=3 features.stem.min_count=2 features.characters.filters=5
features: features.characters.size=4 features.characters.width=5
features: features.characters.kind="recurrent" features.tags.size=3
features: features.tags.model="{folder}/pos-2" features.tags.folds="{folder}/folds/pos"
features: features.gazetteer.size=3 features.gazetteer.files=["{folder}/lists"]
features: features.gazetteer.coding="on_off" features.clusters.file="{folder}/paths-2"
features: features.clusters.size=3
alike: features.joined="sum"
ngrams: features.ngrams.buckets=7 features.ngrams.least=2 features.ngrams.most=4
vectors: features.word.embeddings="{folder}/other" features.word.scale=0.5
vectors: export.base="{folder}/base"
base: export.moved=0.001 export.own=1
several: tasks=["ner"] network.window.shared=2 train.draw="alike"
linear: network.window.distance=2
sentence: network.sentence.width=3 network.sentence.units=7 network.sentence.hidden=7
sentence: network.sentence.distance=2 network.sentence.distance_size=2
gated: network.gated.units=7 network.gated.width=5 network.gated.dilations=[1] export.rank=2
gated: features.states="{folder}/lm" train.encoder="{folder}/encoder"
rank: export.tuned=1
srl: data.kinds=["v","n"] network.gated.distance=2 network.gated.pair=5
srl: network.gated.pair_dilations=[2] network.transitions="full"
srl-tags: features.tags.source="column"
tree: features.tree.used=false features.tree.model="{folder}/psg-2"
tree: features.tree.folds="{folder}/folds/psg"
tree-levels: features.levels.size=3 features.levels.last=2 features.levels.source="column"
tree-levels: features.levels.model="{folder}/psg-2" features.levels.folds="{folder}/folds/psg"
costs: features.tree.inside=100.0 features.tree.across=100.0
psg: network.tree.parser="levels" network.tree.units=5 network.tree.labels=5
levels: network.tree.node=5 network.tree.node_dilations=[1]
dep: network.dependencies.units=5 network.dependencies.relations=5 network.dependencies.loss="trees"
label: network.label.pooling=["mean"] data.labels="title=heading,*=rest"
acceptor: network.recurrent.spans=true
bag: network.bag.units=5 network.bag.weights="tf-idf"
convolution: network.convolution.units=5 network.convolution.widths=[2]
convolution: network.convolution.pools=[2] network.convolution.wide=true
recursive: network.recursive.cell="lstm" network.recursive.units=5
recurrent: network.recurrent.cell="gru" network.recurrent.units=5 network.recurrent.layers=2
recurrent: network.recurrent.distance=2
layers: network.recurrent.skip=true
mlp: network.mlp.unit="relu" network.mlp.widths=[5] network.mlp.hidden=[5]
greedy: network.history=3 network.beam=3
greedy-last: train.own_tags=1.0
split: data.dev_share=0.4
last: train.average=0.5
patience: train.patience=1
thaw: train.thaw=2 train.thawing="chain"
"""


def changes(lines: str) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Each setting, with its run and its other value."""
    for line in lines.strip().splitlines():
        run, *settings = line.split()
        for setting in settings:
            key, _, value = setting.partition("=")
            yield key, (run.rstrip(":"), tomllib.loads(f"value = {value}")["value"])


CHANGES: dict[str, tuple[str, Any]] = dict(changes(OTHERS)) | {
    "data.train": ("ner", [part("ner", sentences="1-12")]),
    "data.dev": ("ner", [part("ner")]),
    "data.test": ("ner", [part("ner", "test", sentences="1-5")]),
}

SOURCES: dict[str, Settings] = {  # of Source: other values
    "corpus": {"corpus": "{folder}/chunk-train.txt"},
    "columns": {"columns": "word,tag,-", "corpus": "{folder}/three.txt"},
    "weight": {"weight": 2.0},
    "unlabelled": {"unlabelled": ["ORG"]},
    "sentences": {"sentences": "1-13"},
}


def leaves(kind: type, path: str = "") -> Iterator[str]:
    """All settings of a configuration class; those of tables by task once."""
    hints = typing.get_type_hints(kind)
    for field in dataclasses.fields(kind):
        hint, place = hints[field.name], f"{path}{field.name}"
        if typing.get_origin(hint) is dict:
            hint = typing.get_args(hint)[1]
        if dataclasses.is_dataclass(hint):
            yield from leaves(typing.cast(type, hint), f"{place}.")
        else:
            yield place


def test_no_setting_is_left_out():
    assert set(leaves(Config)) == {*CHANGES, "extends"}  # which override refuses
    others = {"split", "levels"}  # of corpora by name, of features.levels: see below
    assert set(leaves(Source)) == {*SOURCES, *others}


# --------------------------------------------------------------------------- what a run leaves


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """What settings may name: vectors, models of other tasks, phrase lists, a run to start from."""
    path = tmp_path_factory.mktemp("settings")
    for task in ("pos", "chunk", "ner", "srl", "psg", "label"):
        for split in ("train", "dev", "test"):
            (source,) = getattr(demo_data(task, resource("data/demo")), split)
            text = Path(source.corpus).read_text(encoding="utf-8")
            end = "\n\n" if "\n\n" in text else "\n"
            few = end.join(text.split(end)[:30]) + end
            (path / f"{task}-{split}.txt").write_text(few, encoding="utf-8")
    for split, seed in (("train", 1), ("dev", 2)):
        toys.write_dependencies(path / f"dep-{split}.txt", 30, seed)
    for split in ("train", "dev"):
        tree_rows = []
        for tree in read_trees((path / f"psg-{split}.txt").read_text(encoding="utf-8"), split):
            ends = tree.leaves()
            words, tags = [str(leaf.word) for leaf in ends], [leaf.label for leaf in ends]
            tree_rows.append(TreebankSentence("", words, tags, tree, None, []))
        text = files_of({split: tree_rows}, "pt0")[f"{split}.levels"]
        (path / f"{split}.levels").write_text(text, encoding="utf-8")
    words = sorted(set((path / "ner-train.txt").read_text(encoding="utf-8").split()))
    for name, seed in (("base", 1), ("other", 2)):
        table = np.random.default_rng(seed).normal(size=(len(words) // 2, 6)).astype(np.float32)
        toys.write_base(words[: len(table)], table, path / name, "float32")
    toys.write_language_model(words, path / "lm")
    for name, paths in (("paths", ("00", "01", "1")), ("paths-2", ("0", "10", "11"))):
        lines = [f"{paths[i % 3]}\t{word}\t1\n" for i, word in enumerate(words[::2])]
        (path / name).write_text("".join(lines), encoding="utf-8")
    small = replace(toys.SMALL, tasks=("pos",))
    for name, config, seed in (
        ("pos", small, 1), ("pos-2", small, 2), ("psg", toys.TREES, 1), ("psg-2", toys.TREES, 2),
    ):  # fmt: skip
        toys.exported(toys.setup(config, seed=seed), path / name)
    for name in ("pos", "psg"):
        for number, model in enumerate((name, f"{name}-2")):
            shutil.copytree(path / model, path / "folds" / name / f"fold-{number}")
    columns = (path / "ner-train.txt").read_text(encoding="utf-8").splitlines()[2:]
    three = "\n".join(f"{line}\tB-X" if line else "" for line in columns)  # the last counts
    (path / "three.txt").write_text(f"{three}\n", encoding="utf-8")
    (path / "lists").mkdir()
    (path / "lists" / "per.txt").write_text("Vedard & Lindquist\nHenrik Sundman\n")
    (path / "lists" / "loc.txt").write_text("Marburgh\nFebruary\n")
    config = config_of(path, "ner", {"train.seed": 3})
    train(config, Run(path / "start"), str)
    train(config_of(path, "gated", {"train.seed": 3}), Run(path / "encoder"), str)
    return path


def config_of(folder: Path, run: str, changes: Settings) -> Config:
    """The configuration of a run, with some other values."""

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: named(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return list(map(named, value))
        return value.format(folder=folder) if isinstance(value, str) else value

    table = with_settings({}, [], named(WINDOW | RUNS[run] | changes))
    return from_table(table, where=run)


@cache
def left_by(folder: Path, run: str) -> dict[str, Any]:
    """What a run leaves as it is."""
    return left(folder, run, {})


def left(folder: Path, run: str, changes: Settings) -> dict[str, Any]:
    """The weights and words of a model, and what it tells of itself.

    Its settings as they are repeated in model.toml and about.toml are no result.
    """
    out, config = folder / "run", config_of(folder, run, changes)
    shutil.rmtree(out, ignore_errors=True)
    model = train(config, Run(out), str)
    told = ("about.toml", "model.toml", "README.md")
    files = {path.name: path.read_bytes() for path in model.iterdir() if path.is_file()}
    about = read_model(model).about
    return {
        **{name: content for name, content in files.items() if name not in told},
        "told": [about.get(key) for key in ("notes", "scores", "data")],
        "epochs": about["made"]["epochs"],
    }


def found(folder: Path) -> dict[str, Any]:
    """What the model of the last run finds."""
    source = Source(str(folder / "srl-train.txt"), levels=str(folder / "train.levels"))
    roles = read_source(source, "train", "srl", DataConfig(), None)
    sentences = [example.forms for example in roles]
    given = {name: [example.tags[name] for example in roles] for name in ("pos", *TREE_LEVELS)}
    places = [[predicate.position for predicate in example.gold] for example in roles]
    pipeline = Pipeline.load(None, folder / "run" / "model", "given")
    return pipeline.annotate(sentences, given, places)


def has_effect(folder: Path, run: str, changes: Settings) -> bool:
    """Whether a run with some changes leaves another model, or one that finds other things."""
    usual = left_by(folder, run)
    if left(folder, run, changes) != usual:
        return True
    changed = found(folder)
    left(folder, run, {})
    return changed != found(folder)


def sample(names: Iterable[str], every: int) -> list[Any]:
    """Each of some names; `pytest` tries one of every so many."""
    rest = pytest.mark.exhaustive
    return [
        pytest.param(name, marks=[] if i % every == every // 2 else rest)
        for i, name in enumerate(names)
    ]


@pytest.mark.parametrize("run", sample(["features", "sentence", "tree", "psg", "recursive"], 2))
def test_the_same_settings_leave_the_same(folder, run):
    assert not has_effect(folder, run, {})


@pytest.mark.parametrize("key", sample(CHANGES, 8))
def test_each_setting_changes_what_a_run_leaves(folder, key):
    run, value = CHANGES[key]
    (task, *_) = RUNS[run]["tasks"]
    place = key.replace("data.", f"data.{task}.").replace("features.tags.", "features.tags.pos.")
    assert has_effect(folder, run, {place: value})


def test_transitions_by_state(folder):
    changed = left(folder, "ner", {"network.transitions": "state"})
    assert changed.pop("ner.states.npy")
    assert changed != left_by(folder, "ner")


@pytest.mark.parametrize("key", SOURCES)
def test_each_setting_of_a_source_changes_what_a_run_leaves(folder, key):
    changed = {"data.ner.train": [part("ner", **SOURCES[key])]}
    assert has_effect(folder, "ner", changed)
