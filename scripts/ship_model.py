"""Put a trained model folder into the package, on the package's base table.

usage: python scripts/ship_model.py runs/ner/model [--name ner] [--models senna/models]

The run must have been made with --set export.base=senna/models/base (and, where it uses parts of
speech, with the package's part-of-speech model).
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from senna.infer.model_card import model_card
from senna.infer.model_folder import add_about, check, read_model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--name", default="", help="folder; default: the model's task")
    parser.add_argument("--models", type=Path, default=Path("senna/models"))
    chosen = parser.parse_args()
    meta = read_model(chosen.model).meta
    target = chosen.models / (chosen.name or "-".join(meta["tasks"]))
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(chosen.model, target)
    use = dict(meta.get("use", {}))
    for name in ("base", "pos"):
        if name in use:
            use[name] = f"../{name}"
    add_about(target, {"use": use}, model_card)
    print(f"{target}: {check(target)} files")


if __name__ == "__main__":
    main()
