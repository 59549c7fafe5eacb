"""Label open text by models, so that training on gold alone does not unlearn.

    python scripts/experiments/silver_anchor.py --out runs/anchor --words 1e6 TEXT...

Writes pos.txt, chunk.txt, pt0.txt, predicates.txt and trees.mrg of the same sentences. Chunks are
read off the tree where the least sure tag of the chunk model has a probability under `--sure`.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from self_train import sentences_of

import senna
from senna.corpora.sources.base_chunks import base_chunks
from senna.text.schemes import tags_of

TASKS = ("pos", "chunk", "pt0", "predicates", "psg")  # of both models


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--words", type=float, default=1e6)
    parser.add_argument("--sure", type=float, default=0.7)
    parser.add_argument("--tags", default="pos", help="model of parts of speech and chunks")
    parser.add_argument("--trees", default="psg", help="model of trees, PT0 and predicates")
    chosen = parser.parse_args()
    tagger = senna.load(("pos", "chunk"), model=chosen.tags, scores=True).pipeline
    trees = senna.load(("pt0", "predicates", "psg"), model=chosen.trees).pipeline
    chosen.out.mkdir(parents=True, exist_ok=True)
    found = sentences_of(chosen.texts, chosen.words)
    with ExitStack() as stack:
        files = {
            name: stack.enter_context((chosen.out / name).open("w", encoding="utf-8"))
            for name in ("pos.txt", "chunk.txt", "pt0.txt", "predicates.txt", "trees.mrg")
        }
        while sentences := list(islice(found, 2000)):
            tagged = tagger.annotate(sentences) | trees.annotate(sentences)
            for i, words in enumerate(sentences):
                own = {task: tagged[task][i] for task in TASKS}
                chunks = list(own["chunk"])
                if min(own["chunk"].scores) < chosen.sure:
                    chunks = tags_of(base_chunks(own["psg"]), len(words), "iobes")
                columns = {
                    "pos.txt": [own["pos"]],
                    "chunk.txt": [own["pos"], chunks],
                    "pt0.txt": [own["pos"], own["pt0"]],
                }
                for name, tags in columns.items():
                    for row in zip(words, *tags, strict=True):
                        files[name].write("\t".join(row) + "\n")
                    files[name].write("\n")
                files["trees.mrg"].write(f"{own['psg']}\n")
                places = [k for k, tag in enumerate(own["predicates"]) if tag != "O"]
                for k, word in enumerate(words):
                    roles = ["(V*)" if place == k else "*" for place in places]
                    cells = [word, "x" if k in places else "-", *roles]
                    files["predicates.txt"].write("\t".join(cells) + "\n")
                files["predicates.txt"].write("\n")


if __name__ == "__main__":
    main()
