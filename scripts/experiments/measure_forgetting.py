"""Measure how much a model of names forgets, and what old text among the new sentences saves.

    python scripts/experiments/measure_forgetting.py --out runs/forgetting [--old 500] [--seeds 3]

The package's model of names learns a fifth type, DATE (months and weekdays), from 50 sentences of
GUM: alone, among sentences of open text that it tagged before, and among those of them in which the
first of these models finds no DATE, as the old model knew of none. F1 of the four old types is that
of EWT's dev set, without the document memory; that of DATE is of 500 other sentences of GUM.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import senna
from senna.corpora import find, split_file
from senna.files import open_text
from senna.text.columns import read_columns

DATES = frozenset(
    "January February March April June July August September October November December Monday "
    "Tuesday Wednesday Thursday Friday Saturday Sunday".split()
)
OLD_SET = "ner/uner_ewt_misc"
Row = tuple[str, str]  # a word and its tag


def dated(corpus: str, split: str) -> Iterator[list[Row]]:
    """The sentences of a corpus that have a month or weekday, which becomes a DATE."""
    path = split_file(find(corpus), split)
    with open_text(path) as lines:
        for sentence in read_columns(lines, name=str(path)):
            rows = [(row[0], row[-1]) for row in sentence.rows]
            if any(word in DATES and tag == "O" for word, tag in rows):
                yield [
                    (word, "B-DATE" if word in DATES and tag == "O" else tag) for word, tag in rows
                ]


def tagged(n_sentences: int) -> Iterator[list[Row]]:
    """Sentences of open text with the names that the package's model finds."""
    nlp = senna.load(["ner"], memory=False)
    with open_text(Path(os.environ["SENNA_DATA"]) / "text" / "text-00.txt.xz") as lines:
        documents = nlp.pipe(lines)
        sentences = (sentence for document in documents for sentence in document.sentences)
        for sentence in islice(sentences, n_sentences):
            yield [(token.text, token.ner) for token in sentence]


def undated(sentences: list[list[Row]], model: Path) -> Iterator[list[Row]]:
    """The sentences in which a model that has learnt DATE finds none."""
    nlp = senna.load(["ner"], model=model, memory=False)
    for rows in sentences:
        found = nlp([word for word, _ in rows])
        if not any(span.label == "DATE" for span in found.spans("ner")):
            yield rows


def write(path: Path, sentences: Iterable[list[Row]]) -> Path:
    """Write columns of words and tags."""
    text = "".join("".join(f"{word}\t{tag}\n" for word, tag in rows) + "\n" for rows in sentences)
    path.write_text(text, encoding="utf-8")
    return path


def f1(model: str, gold: str, tag: str = "") -> float:
    """F1 of all names or of one type on a set, as `senna eval` prints it."""
    command = ["eval", "--task", "ner", "--model", model, "--no-memory", gold]
    start = f"{tag:>17}:" if tag else "accuracy:"
    [line] = (line for line in run(command).splitlines() if line.startswith(start))
    return float(line.rpartition("FB1:")[2].split()[0])


def run(command: list[str], folder: Path | None = None) -> str:
    """The output of a command of senna, run in a folder."""
    senna = [sys.executable, "-m", "senna", *command]
    return subprocess.run(
        senna, check=True, capture_output=True, encoding="utf-8", cwd=folder
    ).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--old", type=int, default=500, help="sentences of open text")
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    out: Path = chosen.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    new = write(out / "new.txt", islice(dated("ner/gum", "train"), 50))
    test = write(out / "test.txt", islice(dated("ner/gum", "train"), 50, 550))
    dev = write(out / "dev.txt", islice(dated("ner/gum", "dev"), 50))
    text = list(tagged(chosen.old))
    old, kept = write(out / "old.txt", text), out / "kept.txt"
    print(f"the package's model: {f1('ner', f'{OLD_SET}:dev'):.2f} on {OLD_SET} dev")
    ways = {"alone": [new], "among old text": [new, old], "among kept text": [new, kept]}
    for name, files in ways.items():
        if kept in files:
            write(kept, undated(text, out / "runs" / "alone-1" / "model"))
        scores = []
        for seed in range(1, chosen.seeds + 1):
            model = f"{name.replace(' ', '-')}-{seed}"
            train = ", ".join(f'"{path}"' for path in files)
            settings = [
                f"data.ner.train=[{train}]",
                f'data.ner.dev=["{dev}"]',
                "data.ner.test=[]",
                f"train.seed={seed}",
            ]
            command = ["train", "--task", "ner", "--from", "ner", "--name", model]
            run([*command, *(part for text in settings for part in ("--set", text))], out)
            folder = str(out / "runs" / model / "model")
            scores.append((f1(folder, f"{OLD_SET}:dev"), f1(folder, str(test), "DATE")))
        before, date = (statistics.mean(column) for column in zip(*scores, strict=True))
        print(
            f"50 sentences {name}: {before:.2f}; DATE: {date:.2f} ({chosen.seeds} seeds)",
            flush=True,
        )


if __name__ == "__main__":
    main()
