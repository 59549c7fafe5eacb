"""Train a model of the package on: from its quantised folder, on other data, at a low rate.

    python scripts/experiments/fine_tune.py senna/models/srl --out runs/srl-frames
        --set train.epochs=2 --set train.learning_rate=0.0003
        --set 'data.srl.train=["srl/ewt", "srl/masc", "srl-frames/verbs.xz"]'

The configuration is the one on the model's card, with `--set` over it. The dev scores of the model
as it comes are printed first. `--unseen FILE`, once or more, is further training data whose trees
are those of the package's parser, as it has not learnt from them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

import senna
from senna.config import Config, override
from senna.model.card import model_card
from senna.model.folder import add_about, read_model
from senna.toml import write_config
from senna.training.export import export
from senna.training.loop import Trainer
from senna.training.run import (
    data_table,
    evaluate_model,
    read_corpora,
    versions,
    with_tags,
    with_trees,
)
from senna.training.start_from import config_of, setup_from


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--unseen", action="append", default=[])
    parser.add_argument("--set", action="append", default=[], dest="settings")
    chosen = parser.parse_args()
    try:
        folder = read_model(chosen.model)
        config = override(config_of(folder), chosen.settings)
        fine_tune(folder, config, chosen.out, chosen.unseen)
    except senna.SennaError as error:
        print(f"fine_tune: {error}", file=sys.stderr)
        return 2
    return 0


def fine_tune(
    folder: senna.model.folder.ModelFolder, config: Config, out: Path, unseen: list[str]
) -> None:
    """Train on, and write `out`/model."""
    out.mkdir(parents=True, exist_ok=True)
    write_config(out / "config.toml", config)
    sets = read_corpora(config, None)
    for feature in config.features.used_tags:
        sets = with_tags(config, sets, feature)
    if config.features.tree.used:
        sets = with_trees(config, sets)
    if unseen:
        [task] = config.tasks
        settings = [f"data.{task}.train={unseen!r}", f"data.{task}.dev=[]"]
        parsed = override(config, [*settings, "features.tree.folds=''"])
        more = with_trees(parsed, read_corpora(parsed, None))
        sets[task].train.extend(more[task].train)
    setup = setup_from(folder, config, sets, torch.device("cpu"))
    trainer = Trainer(config, setup.model, setup.encoder, setup.tasks, out)
    print("before:", trainer.scores(), flush=True)
    state = trainer.run()
    made = {"command": " ".join(sys.argv), "epochs": state.epoch, "best_epoch": state.best_epoch}
    path = out / "model"
    export(
        setup,
        path,
        {"notes": list(config.notes), "made": made | versions(), "data": data_table(config)},
    )
    tests = {task: {} for task in sets}
    add_about(path, {"scores": evaluate_model(sets, tests, path, print)}, model_card)


if __name__ == "__main__":
    sys.exit(main())
