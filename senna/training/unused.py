"""Settings that have no effect in a run, which are reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path

from senna.config import Config, DataConfig, default_config
from senna.features.settings import Features, TagFeature
from senna.losses.criteria import CRITERIA
from senna.networks import KINDS
from senna.outputs import output_of
from senna.tasks import TASKS
from senna.toml import leaves

OF_PATHS = ("constrained", "transitions")  # of network
OF_ROLES = (
    *(f"network.{kind}.{key}" for kind in ("gated", "recurrent") for key in ("distance", "pair")),
    "network.gated.pair_dilations",
    "network.window.distance",
    *(f"features.tree.{key}" for key in ("inside", "across")),
)


def unused(config: Config) -> Iterator[str]:
    """A line for each setting that has no effect in a run.

    Settings of the package's own configuration of the tasks are not reported.
    """
    tags = dict.fromkeys(config.features.tags, TagFeature())
    bare = Config(data=dict.fromkeys(config.tasks, DataConfig()), features=Features(tags=tags))
    usual = [dict(leaves(asdict(c))) for c in (bare, default_config(config.tasks))]
    reasons = _reasons(config)
    for key, value in leaves(asdict(config)):
        if all(value != table.get(key) for table in usual):
            tables = accumulate(key.split("."), "{}.{}".format)
            for reason in [reasons[table] for table in tables if table in reasons][:1]:
                yield f"warning: {key} = {json.dumps(value)} has no effect {reason}"
    for task in config.tasks:
        for source in config.data[task].train:
            if source.unlabelled and not TASKS[task].is_tagging:
                yield f"warning: unlabelled of {source.corpus} has no effect for {task}"
            levels = config.features.levels
            if source.levels and not (levels.size and levels.source == "column"):
                yield f"warning: levels of {source.corpus} has no effect without features.levels"
            if source.split and Path(source.corpus).is_file():
                yield f"warning: split = {source.split!r} of {source.corpus} has no effect: a file"


def _reasons(config: Config) -> dict[str, str]:
    """Why settings, or whole tables of them, are not used, by their keys."""
    features, network, train, tasks = config.features, config.network, config.train, config.tasks
    heads = {TASKS[task].head for task in tasks}
    reasons: dict[str, str] = {}

    def unless(used: object, reason: str, *keys: str) -> None:
        if not used:
            reasons.update(dict.fromkeys(keys, reason))

    of_tasks, paths = f"for {','.join(tasks)}", CRITERIA[train.criterion].paths
    with_criterion, in_kind = f"with criterion {train.criterion}", f"in a {network.kind} network"
    phrases = any(TASKS[task].is_tagging and output_of(task).is_iobes for task in tasks)
    phrases = phrases or ("roles" in heads and network.transitions == "full")
    unless(paths, with_criterion, *(f"network.{key}" for key in OF_PATHS))
    unless(phrases, of_tasks, "network.constrained")
    unless("roles" in heads, of_tasks, *OF_ROLES)
    by_state = network.transitions == "state"
    unless("roles" in heads or by_state, of_tasks, "network.transitions")
    trees = "roles" in heads or network.kind == "recursive"
    unless(trees, of_tasks, "features.tree")
    unless("labels" in heads, of_tasks, "network.label")
    margins = "labels" in heads and train.criterion.startswith("word-")
    unless(heads & {"tags", "roles"} or margins, of_tasks, "train.criterion")
    spans, levels = ("units", "labels"), ("node", "node_dilations", "widest")
    for parser, keys in (("spans", spans), ("levels", levels)):
        by_parser = f"for the parser by {network.tree.parser}"
        unless(network.tree.parser == parser, by_parser, *(f"network.tree.{key}" for key in keys))
    unless("trees" in heads, of_tasks, "network.tree")
    unless("dependencies" in heads, of_tasks, "network.dependencies")
    for kind in KINDS:
        unless(network.kind == kind, in_kind, f"network.{kind}")
    unless(len(tasks) > 1, "with one task", "network.window.shared", "train.draw")
    unless(network.recurrent.layers > 1, "with one layer", "network.recurrent.skip")
    unless(not features.word.fixed, "for fixed vectors", "train.table_rate")
    of_words = (f"features.word.{key}" for key in ("scale", "min_count", "fixed", "rare"))
    unless(features.word.used, "without a table of words", *of_words, "train.table_rate")
    first = features.word.embeddings or network.initial == "small"
    unless(first, f"with network.initial = {network.initial}", "features.word.scale")
    chosen = any(config.data[task].dev or config.data[task].dev_share for task in tasks)
    unless(chosen, "without a dev set", "train.patience")
    unless(train.thaw, "without train.thaw", "train.thawing")
    unless(config.export.base, "without export.base", "export.moved", "export.own")
    unless(config.export.rank, "without export.rank", "export.tuned")
    unless(network.kind == "gated", in_kind, "export.rank", "export.tuned")
    for task, tag in features.tags.items():
        models = (f"features.tags.{task}.{key}" for key in ("model", "folds"))
        unless(tag.source == "model", "for a column", *models)
    of_parser = features.levels.source == "model"
    unless(of_parser, "for a column", "features.levels.model", "features.levels.folds")
    unless(features.tree.used, "without features.tree.used", "features.tree")
    unless(features.clusters.file, "without features.clusters.file", "features.clusters")
    letters = features.characters.kind
    unless(letters == "convolution", f"for {letters} letters", "features.characters.width")
    for name, size in _sizes(features):
        unless(size, f"without its size (features.{name})", f"features.{name}")
    for task in tasks:
        plain = TASKS[task].is_tagging and not output_of(task).is_iobes
        unless(plain, of_tasks, f"data.{task}.merge_to")
        unless("kinds" in output_of(task).of_gold, of_tasks, f"data.{task}.kinds")
        unless(not config.data[task].dev, "beside a dev set", f"data.{task}.dev_share")
    return reasons


def _sizes(features: Features) -> Iterator[tuple[str, int]]:
    """The features that may be left out, and the numbers that they give a word."""
    yield from (("prefix", features.prefix.size), ("suffix", features.suffix.size))
    yield from (("stem", features.stem.size), ("ngrams", features.ngrams.buckets))
    yield from (("characters", features.characters.filters), ("gazetteer", features.gazetteer.size))
    yield "levels", features.levels.size
    yield from ((f"tags.{task}", tag.size) for task, tag in features.tags.items())
