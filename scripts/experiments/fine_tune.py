"""Train a model of the package on: from its quantised folder, on other data, at a low rate.

    python scripts/experiments/fine_tune.py senna/models/srl --out runs/srl-frames
        --set train.epochs=2 --set train.learning_rate=0.0003
        --set 'data.srl.train=["srl/ewt", "srl/masc", "srl-frames/verbs.xz"]'

The configuration is the one on the model's card, with `--set` over it. The dev scores of the model
as it comes are printed first. `--unseen FILE`, once or more, is further training data whose trees
are those of the package's parser, as it has not learnt from them; instead of a file, a table as in
a configuration, '{corpus = "silver.xz", weight = 0.5}'. Each `--share` writes a model
whose weights are so far on the way from the first to the best (Wortsman 2022, "Model soups").
`--rank` makes the factors of convolutions smaller before training. `--resume` goes on with the run
in `--out`, as it was configured: one that was stopped, or the mean of some (average_runs.py).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import torch

from senna.config import Config, override, read_config
from senna.errors import SennaError
from senna.model.card import model_card
from senna.model.folder import ModelFolder, add_about, read_model
from senna.toml import write_config
from senna.training.build import build_from
from senna.training.device import device_of, versions
from senna.training.examples.corpora import TaskCorpus, data_table, read_corpora
from senna.training.export import export
from senna.training.factors import factorise
from senna.training.loop import Trainer
from senna.training.origin import config_of, heritage
from senna.training.run import decoding, score_model


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--unseen", action="append", default=[])
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--share", action="append", type=float, default=[])
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ...")
    chosen = parser.parse_args()
    try:
        folder = read_model(chosen.model)
        was = read_config(chosen.out / "config.toml") if chosen.resume else config_of(folder)
        config = override(was, chosen.settings)
        fine_tune(folder, config, chosen)
    except SennaError as error:
        print(f"fine_tune: {error.of_command()}", file=sys.stderr)
        return 2
    return 0


def fine_tune(folder: ModelFolder, config: Config, chosen: argparse.Namespace) -> None:
    """Train on, and write a model folder for each share."""
    out: Path = chosen.out
    out.mkdir(parents=True, exist_ok=True)
    write_config(out / "config.toml", config)
    corpora, data = _corpora_of(config), data_table(config.data)
    if chosen.unseen:
        [task] = config.tasks
        sources = [text if text.startswith("{") else json.dumps(text) for text in chosen.unseen]
        settings = [f"data.{task}.train=[{', '.join(sources)}]", "features.tree.folds=''"]
        unseen = override(config, settings)
        corpora[task].train.extend(_corpora_of(unseen)[task].train)
        data |= data_table(unseen.data)
    setup = build_from(folder, config, corpora, device_of(chosen.device))
    if chosen.rank:
        factorise(setup.model, setup.batches, chosen.rank)
    first = {name: weight.clone() for name, weight in setup.model.state_dict().items()}
    trainer = Trainer(setup.learning(), out)
    print("before:", trainer.scores(), flush=True)
    state = trainer.run(resume=chosen.resume)
    best = state.best or {}
    about = {"command": " ".join(sys.argv), "epochs": state.epoch, "best_epoch": state.best_epoch}
    about |= decoding(config.tasks, config.network.beam, config.train.criterion) | versions()
    card = {
        "notes": list(config.notes),
        "made": about,
        "data": heritage(folder)["data"] | data,
    }
    for share in chosen.share or [1.0]:
        mixed = {name: torch.lerp(weight, best[name], share) for name, weight in first.items()}
        setup.model.load_state_dict(mixed)
        path = out / f"model-{share}"
        export(setup, path, card)
        print(path, flush=True)
        add_about(path, {"scores": score_model(corpora, path, print)}, model_card)


def _corpora_of(config: Config) -> dict[str, TaskCorpus]:
    return read_corpora(config.tasks, config.data, None, config.features, config.train.soft)


if __name__ == "__main__":
    sys.exit(main())
