"""Small made-up corpora and networks, quick to build."""

import dataclasses
import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from numpy.typing import NDArray

from senna.annotation.dependencies import Arc
from senna.annotation.predicates import Predicate
from senna.annotation.schemes import Phrase, tags_of
from senna.annotation.trees import TOP, Tree, constituents, leaves_of, numbered
from senna.corpora.store import demo_data
from senna.files import resource
from senna.formats.conllu import as_conllu
from senna.inference.features.settings import (
    AffixFeature,
    CapsFeature,
    CharacterFeature,
    Features,
    TagFeature,
    WordFeature,
)
from senna.inference.networks.settings import GatedConfig, WindowConfig
from senna.kinds.labels.answer import Label
from senna.kinds.settings import TreeConfig
from senna.lab.trees import levels_of
from senna.model.writing import quantise, write_model
from senna.pretraining.recurrent import LAYERS, lstm
from senna.settings import to_toml
from senna.tasks import N_LEVELS
from senna.text.lemmas import Lemma
from senna.training import export as export_module
from senna.training import loop
from senna.training.build import Setup, build
from senna.training.config import Config, DataConfig, NetworkConfig, Training, override
from senna.training.examples.corpora import Example, TaskCorpus, read_corpora, read_source
from senna.training.export import export

WORDS = (
    "the The THE a Anna Weber McKay iPod U.S. 12 1999 -LRB- 1\\/2 `` '' ’ don’t naïve 日本 İzmir "
    "walks walking walked quickly slow-moving antidisestablishmentarianism x ."
).split()
UNSEEN = "unknown Unknowns Zürich ß 77 Ω".split()
TYPES = {
    "chunk": ("NP", "VP"),
    "pt0": ("NP", "VP"),
    "ner": ("PER", "LOC", "MISC"),
    "srl": ("A0", "A1", "C-A1", "AM-TMP"),
}
POS = ["DT", "NN", "VBZ", "."]
LABELS = ["bad", "good", "neither"]


def example(task: str, random: np.random.Generator, n: int, words: list[str]) -> Example:
    """A sentence of n random words and valid random tags; for srl of up to three predicates.

    It has the levels of a tree that depends on n alone.
    """
    made = _example(task, random, n, words)
    return dataclasses.replace(made, tags=made.tags | _levels(n))


@cache
def _levels(n: int) -> dict[str, list[str]]:
    seen = tree(np.random.default_rng(n), leaves_of(["x"] * n, ["NN"] * n))
    return levels_of(constituents(seen), n, N_LEVELS)


def _example(task: str, random: np.random.Generator, n: int, words: list[str]) -> Example:
    forms = [words[i] for i in random.integers(0, len(words), n)]
    pos = [POS[i] for i in random.integers(0, len(POS), n)]
    if task == "pos":
        return Example(forms, pos, {"pos": pos})
    if task in ("upos", "feats"):
        return Example(forms, [tag.lower() for tag in pos], {"pos": pos})
    if task == "lemma":
        lemmas = [Lemma.of(form, form.lower().removesuffix("s")) for form in forms]
        return Example(forms, lemmas, {"pos": pos})
    if task == "dep":
        return Example(forms, dependencies(random, n), {"pos": pos})
    if task == "psg":
        return Example(forms, tree(random, leaves_of(forms, pos)), {"pos": pos})
    if task == "label":
        labels = [LABELS[i] for i in random.integers(0, len(LABELS), 2 * n - 1)]
        nodes = [labels[0], *(random.choice([label, ""]) for label in labels[1:])]
        seen = tuple(constituents(tree(random, leaves_of(forms, pos))))
        return Example(forms, Label(labels[0], nodes=nodes), {"pos": pos}, tree=seen)
    if task == "predicates":
        return Example(forms, ["S-V" if tag == "VBZ" else "O" for tag in pos], {"pos": pos})
    if task != "srl":
        return Example(forms, phrases(task, random, n), {"pos": pos})
    places = sorted(random.permutation(n)[: random.integers(0, 4)].tolist())
    predicates = []
    for place in places:
        before = phrases(task, random, place)
        after = phrases(task, random, n - place - 1)
        predicates.append(Predicate(place, [*before, "S-V", *after]))
    pt0 = phrases("pt0", random, n)
    seen = tuple(constituents(tree(np.random.default_rng(n), leaves_of(forms, pos))))
    return Example(forms, predicates, {"pos": pos, "pt0": pt0}, tree=seen)


def tree(random: np.random.Generator, leaves: list[Tree]) -> Tree:
    """A random tree over words, with chains, and with words that hang anywhere."""
    nodes = list(leaves)
    while len(nodes) > 1 or random.random() < 0.4:
        start = int(random.integers(0, len(nodes)))
        end = min(len(nodes), start + int(random.integers(1, 4)))
        nodes[start:end] = [Tree(str(random.choice(["NP", "VP", "S"])), nodes[start:end])]
    return numbered(Tree(TOP, nodes))


def dependencies(random: np.random.Generator, n: int) -> list[Arc]:
    """A random dependency tree over n words, projective or not."""
    arcs = [Arc(0, "root")] * n
    order = random.permutation(n).tolist()
    for i, word in enumerate(order[1:], start=1):
        head = order[int(random.integers(0, i))] + 1
        arcs[word] = Arc(head, str(random.choice(["nsubj", "obj", "nmod:poss"])))
    return arcs


def write_dependencies(path: Path, n: int, seed: int) -> None:
    """A file in CoNLL-U: n sentences with tags, features, lemmas and random trees."""
    text = ""
    for one in corpus("dep", n, seed).train:
        rows = [
            [str(i), form, form.lower(), tag.lower(), tag, f"Of={tag}", *map(str, arc), "_", "_"]
            for i, (form, tag, arc) in enumerate(
                zip(one.forms, one.tags["pos"], one.gold, strict=True), start=1
            )
        ]
        text += as_conllu([], rows)
    path.write_text(text, encoding="utf-8")


def phrases(task: str, random: np.random.Generator, n: int) -> list[str]:
    """Random phrases over n words, in IOBES."""
    found, start = [], 0
    while start < n:
        end = int(min(n, start + random.integers(1, 4)))
        if random.random() < 0.6:
            found.append(Phrase(start, end, str(random.choice(TYPES[task]))))
        start = end
    return tags_of(found, n, "iobes")


def corpus(task: str, n: int = 12, seed: int = 0) -> TaskCorpus:
    """n training sentences, n of dev with words that training lacks; lengths from 1 to 9."""
    random = np.random.default_rng(seed)
    train = [example(task, random, 1 + i % 9, WORDS) for i in range(n)]
    dev = [example(task, random, 1 + i % 9, WORDS + UNSEEN) for i in range(n)]
    return TaskCorpus(train, [("dev", dev)])


def demo(task: str, n: int, split: str = "train") -> list[Example]:
    """The first sentences of the demonstration corpus."""
    own = demo_data(task, resource("data/demo"))
    (source,) = getattr(own, split)
    return read_source(source, split, task, own, None)[:n]


def demo_part(task: str, n: int, n_dev: int) -> DataConfig:
    """Some sentences of the demonstration corpus to learn from, fewer to choose by."""
    whole = demo_data(task, resource("data/demo"))
    [train], [dev] = whole.train, whole.dev
    return DataConfig(
        (dataclasses.replace(train, sentences=f"1-{n}"),),
        (dataclasses.replace(dev, sentences=f"1-{n_dev}"),),
    )


def write_base(words: list[str], table: NDArray[np.float32], path: Path, numbers: str) -> None:
    """A base table."""
    rows = np.concatenate([np.zeros((2, table.shape[1]), np.float32), table])
    write_model(path, {"tasks": []}, quantise(rows, numbers), {"words.txt": words})


def write_language_model(words: list[str], path: Path, seed: int = 0, projection: int = 3) -> None:
    """The files of a recurrent language model with random weights."""
    torch.manual_seed(seed)
    size, units = 5, 6
    path.mkdir(parents=True)
    (path / "words.txt").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    np.save(path / "vectors.npy", torch.randn(len(words), size).numpy().astype(np.float16))
    weights = {"margins": torch.randn(2, size).numpy()}
    for direction in range(2):
        for name, values in lstm(size, units, projection).state_dict().items():
            weights[f"directions.{direction}.{name}"] = torch.randn_like(values).numpy()
    np.savez(path / LAYERS, **weights)


def corpora_of(config: Config) -> dict[str, TaskCorpus]:
    """The corpora that a configuration names, as a run reads them."""
    return read_corpora(config.tasks, config.data, None, config.features, config.train.soft)


def setup(config: Config, *, seed: int = 0, n: int = 12) -> Setup:
    """A network with random weights throughout, transitions and biases too."""
    sets = {task: corpus(task, n, seed + i) for i, task in enumerate(config.tasks)}
    made = build(config, sets, torch.device("cpu"))
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weights in made.model.named_parameters():
            if name != "inputs.word" and weights.requires_grad:
                spread = 0.3 if weights.ndim > 1 else 0.1
                weights.copy_(torch.randn(weights.shape, generator=generator) * spread)
        if "letters" in made.model.inputs.forms:
            made.model.inputs.forms["letters"].letters.weight[0] = 0  # padding of the convolution
    made.model.eval()
    return made


def exported(made: Setup, folder: Path) -> Path:
    """The network's model folder."""
    # A model of trees is not there: they come with the sentences.
    all_ = export_module.feature_models

    def others(features: Features) -> dict[str, Path]:
        return {task: path for task, path in all_(features).items() if task != "psg"}

    with mock.patch.object(export_module, "feature_models", others):
        export(made, folder, {})
    return folder


def model(folder: Path, *tasks: str, seed: int = 0, **more: Any) -> Path:
    """The folder of a small model with random weights; more: other parts of its configuration."""
    config = dataclasses.replace(SMALL, tasks=tasks or SMALL.tasks, **more)
    return exported(setup(config, seed=seed), folder)


SMALL = Config(
    tasks=("ner",),
    features=Features(
        word=WordFeature(size=6, scale=0.0),
        caps=CapsFeature(size=3),
        suffix=AffixFeature(size=4, lengths=(2, 3), min_count=1),
        characters=CharacterFeature(filters=5, size=4),
    ),
    network=NetworkConfig(window=WindowConfig((3,), (8,))),
    train=Training(epochs=2, batch=4),
)

UNREAD = ("features.tree.used=true", "features.tree.model=unread")  # trees come with sentences
GATED = ("network.kind=gated", "network.gated.units=12", "network.gated.dilations=[1,2]")


def small(tasks: str, *settings: str) -> Config:
    """`SMALL` for tasks such as "chunk,ner", with other settings, as of `--set`."""
    return override(dataclasses.replace(SMALL, tasks=tuple(tasks.split(","))), settings)


TREES = dataclasses.replace(
    SMALL,
    tasks=("psg",),
    network=NetworkConfig(
        "gated", gated=GatedConfig(units=12, dilations=(1, 2)), tree=TreeConfig(units=6, labels=7)
    ),
)


def by_levels(node: int) -> Config:
    """A parser by levels, with `node` units for each node."""
    network = NetworkConfig(
        kind="gated",
        gated=GatedConfig(20, dilations=(1, 2)),
        tree=TreeConfig("levels", node=node, node_dilations=(1, 2)),
    )
    return dataclasses.replace(SMALL, tasks=("psg",), network=network)


def window(widths: tuple[int, ...], hidden: tuple[int, ...], shared: int = 1) -> NetworkConfig:
    """A window network."""
    return NetworkConfig(window=WindowConfig(widths, hidden, shared))


def gated(units: int, *dilations: int, **more: Any) -> NetworkConfig:
    """A gated network."""
    return NetworkConfig("gated", gated=GatedConfig(units, dilations=dilations, **more))


def with_tags(features: Features, **tags: TagFeature) -> Features:
    """Features with the tags of tasks among them."""
    return dataclasses.replace(features, tags=tags)


def seal(folder: Path) -> None:
    """Write the sizes and digests of the files of a model folder, as they are, to model.toml."""
    path = folder / "model.toml"
    meta = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, file in meta["files"].items():
        content = (folder / name).read_bytes()
        file.update(bytes=len(content), sha256=sha256(content).hexdigest())
    path.write_text(to_toml(meta), encoding="utf-8")


def stop_at_save(patch: Any, number: int) -> list[Any]:
    """Stop a training as SIGTERM does, at a checkpoint; returns the trainers that save one."""
    save, saved = loop.save, list[Any]()

    def stop(trainer: Any) -> None:
        save(trainer)
        saved.append(trainer)
        trainer.interruption.number = 15 * (len(saved) == number)

    patch.setattr(loop, "save", stop)
    return saved
