"""Put a trained model folder into the package, on the package's base table.

usage: python recipe/ship_model.py runs/ner/model [--name ner] [--models senna/models]
           [--record runs/steps/ner.json] [--rank gated=128] [--score]

The run must have been made with --set export.base=senna/models/base. Where it reads parts of speech
or PT0, the package's models of them serve: ship those first. A folder named after tasks (pos-chunk)
gets these tasks alone. From the record of a step of `make_models.py` the card gets the command and
the digests of what went in; labels of a teacher, runs/silver, get the credit that they need. With
--rank NAME=N, the factors of the convolutions NAME-0, NAME-1, ... keep their N largest singular
values. With --score, its scores are computed again, by senna eval as it is now.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from make_models import made_by

from scripts.common import command, parser_of
from senna.model.folder import MODELS, ModelFolder, read_model, shipped
from senna.model.writing import add_about, check, write_model
from senna.pipeline.evaluate import evaluate
from senna.registry import CORPORA
from senna.tasks import TASKS

LABELS = ("runs/silver/", "runs/web/")
MADE = "constructions"
LICENCE = "CC BY-SA 4.0 (texts as below, labels made here)"
LABELLED = "Open English text, labelled by a teacher (docs/teacher.md)."
PIECES = (
    "Sentences put together from pieces of such text "
    "(recipe/make_constructions.py, recipe/make_names.py)."
)


def parts_of(folder: ModelFolder) -> tuple[dict[str, Any], dict[str, Any], dict[str, list[str]]]:
    """The tables of a model folder without its list of files, its arrays and its texts."""
    meta = folder.meta | folder.about
    texts = {name: folder.lines(name) for name in meta.pop("files") if name.endswith(".txt")}
    return meta, dict(folder.arrays()), texts


def put(
    path: Path, meta: dict[str, Any], arrays: dict[str, Any], texts: dict[str, list[str]]
) -> None:
    """Write a model folder with its card, and say how many files it has."""
    write_model(path, meta, arrays, texts)
    add_about(path, {})
    print(f"{path}: {check(path)} files")


def cut(arrays: dict[str, Any], name: str, rank: int) -> None:
    """Factors of the convolutions of a name cut to a rank, in place."""
    for down in [
        key for key in arrays if re.fullmatch(rf"{re.escape(name)}-\d+\.down\.weight", key)
    ]:
        up = down.replace(".down.", ".up.")
        product = np.float64(arrays[down]) @ np.float64(arrays[up])
        left, values, right = np.linalg.svd(product, full_matrices=False)
        roots = np.sqrt(values[:rank])
        for key, factor in ((down, left[:, :rank] * roots), (up, roots[:, None] * right[:rank])):
            arrays[key] = np.ascontiguousarray(factor, arrays[key].dtype)


def scored(path: Path, scores: dict[str, Any]) -> dict[str, Any]:
    """The scores of the same sets, as `senna eval` prints them (of names without memory)."""
    data = read_model(path).about["config"]["data"]
    for task, sets in scores.items():
        for name in (name for name in sets if name != "measure"):
            corpus, split = name.split(" ")
            file = CORPORA["store"].split_file(CORPORA["store"].find(corpus), split)
            options: Any = {"memory": False} if TASKS[task].names else {}
            options |= {"merge_to": True} if data[task]["merge_to"] else {}
            found = evaluate(task, file, model=path, **options)
            measure = sets["measure"]
            value = found.types[measure].f1 if measure in found.types else found.overall.f1
            sets[name] = round(found.accuracy or 0.0 if measure == "accuracy" else value, 2)
            print(f"{task} {name} {sets[name]}", flush=True)
    return scores


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--name", default="", help="a folder; default: the tasks")
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--record", type=Path, help="of the step that this is")
    parser.add_argument("--rank", action="append", default=[], metavar="NAME=N", help="cut factors")
    parser.add_argument("--score", action="store_true", help="score it again, by senna eval")
    chosen = parser.parse_args()
    folder = read_model(chosen.model)
    use = dict(folder.meta["use"])
    target = chosen.models / (chosen.name or "-".join(folder.tasks))
    ready = {"base": chosen.models / "base"} | shipped(chosen.models) | shipped(target.parent)
    for name in use:
        if name in ready:
            use[name] = Path(os.path.relpath(ready[name], target)).as_posix()
        elif name in TASKS:
            sys.exit(f"ship_model: it reads {name}, of which {chosen.models} has no model")
    about = folder.about
    if chosen.record:
        about["made"] |= made_by(chosen.record)
    for name, source in about.get("data", {}).items():
        if name.startswith(LABELS):
            source |= {"licence": LICENCE, "attribution": PIECES if MADE in name else LABELLED}
    named = [task for task in folder.tasks if task in target.name.split("-")]
    tasks = named or folder.tasks
    left_out = tuple(f"{task}." for task in folder.tasks if task not in tasks)
    about["scores"] = {t: s for t, s in about.get("scores", {}).items() if t in tasks}
    meta = folder.meta | about | {"use": use, "tasks": tasks}
    names = [name for name in meta.pop("files") if not name.startswith(left_out)]
    texts = {name: folder.lines(name) for name in names if name.endswith(".txt")}
    arrays = {name: array for name, array in folder.arrays() if f"{name}.npy" in names}
    for name, rank in (one.split("=") for one in chosen.rank):
        cut(arrays, name, int(rank))
        meta["notes"] = [*meta.get("notes", []), f"Factors of {name} were cut to rank {rank}."]
    put(target, meta, arrays, texts)
    if chosen.score:
        add_about(target, {"scores": scored(target, about["scores"])})


if __name__ == "__main__":
    sys.exit(main())
