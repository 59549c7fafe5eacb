"""What is wrong with a run before anything is read."""

from __future__ import annotations

from pathlib import Path

from senna.config import Config
from senna.corpora import locate
from senna.errors import SennaError
from senna.model.folder import model_path, read_model
from senna.training import data
from senna.training.corpora import fold_models


def check_files(config: Config, data_dir: Path | None) -> None:
    """Raise SennaError for a file or folder that the configuration names and that is not there."""
    features, start = config.features, config.train.start
    if start and not (Path(start) / "checkpoint.pt").is_file():
        what = "no run to start from (it has no checkpoint.pt)"
        raise SennaError(what, where=f"train.start = {start!r}")
    if features.word.embeddings and not model_path(features.word.embeddings).exists():
        locate(features.word.embeddings, data_dir)
    for name in features.gazetteer.files if features.gazetteer.size else ():
        locate(name, data_dir)
    for feature in features.of_models.values():
        models = fold_models(Path(feature.folds)) if feature.folds else []
        for path in [*models, *([Path(feature.model)] if feature.model else [])]:
            read_model(path)
    for settings in config.data.values():
        for split in ("train", "dev", "test"):
            for source in getattr(settings, split):
                data.locate(source, split, data_dir)
