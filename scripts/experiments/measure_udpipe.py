"""Train UDPipe 1 on EWT, and measure it beside the package's models: accuracy and speed.

    pip install ufal.udpipe
    python scripts/experiments/measure_udpipe.py --out runs/udpipe

Both get the gold words of EWT's test set and give lemmas, universal tags, features and trees; the
scores are those of `senna eval --task dep`. UDPipe's tagger and parser learn with their default
options from the training set, and choose on dev; `--tagger` and `--parser` change them. Speeds are
words per second of one thread, medians of three runs in turns, without the time to load.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ufal import udpipe

import senna
from senna.corpora import find, split_file
from senna.files import open_text

METHOD = "morphodita_parsito"
ROW = ["pos", "lemma", "upos", "feats", "dep"]
SHOWN = ("UPOS", "UFeats", "Lemmas", "UAS", "LAS")


def text_of(split: str) -> str:
    """A part of EWT as CoNLL-U, without the nodes that have no word of their own."""
    with open_text(split_file(find("ud/ewt"), split)) as lines:
        return "".join(
            line for line in lines if "." not in line.partition("\t")[0] or line[0] == "#"
        )


def sentences(text: str) -> Any:
    """The sentences of CoNLL-U as UDPipe has them."""
    read, one, all_ = (
        udpipe.InputFormat.newConlluInputFormat(),
        udpipe.Sentence(),
        udpipe.Sentences(),
    )
    read.setText(text)
    error = udpipe.ProcessingError()
    while read.nextSentence(one, error):
        all_.append(one)
        one = udpipe.Sentence()
    if error.occurred():
        raise SystemExit(f"measure_udpipe: {error.message}")
    return all_


def trained(path: Path, tagger: str, parser: str) -> Any:
    """A model, which is trained if the file is not there."""
    if not path.exists():
        error = udpipe.ProcessingError()
        data = sentences(text_of("train")), sentences(text_of("dev"))
        model = udpipe.Trainer.train(METHOD, *data, udpipe.Trainer.NONE, tagger, parser, error)
        if error.occurred():
            raise SystemExit(f"measure_udpipe: {error.message}")
        path.write_bytes(model)
    return udpipe.Model.load(str(path))


def blank(text: str) -> str:
    """The words alone."""

    def lines() -> Iterator[str]:
        for line in text.split("\n"):
            cells = line.split("\t")
            yield line if len(cells) < 10 else "\t".join([*cells[:2], *"________"])

    return "\n".join(lines())


def by_udpipe(model: Any, text: str) -> str:
    """What UDPipe says of the words."""
    write = udpipe.OutputFormat.newConlluOutputFormat()
    parts = []
    for sentence in sentences(text):
        model.tag(sentence, udpipe.Model.DEFAULT)
        model.parse(sentence, udpipe.Model.DEFAULT)
        parts.append(write.writeSentence(sentence))
    return "".join(parts)


def by_senna(path: Path) -> str:
    """What the package's models say of the words of a file."""
    return b"".join(senna.convert(path, ROW, input="conllu", format="conllu")).decode()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tagger", default=udpipe.Trainer.DEFAULT)
    parser.add_argument("--parser", default=udpipe.Trainer.DEFAULT)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    gold, words = chosen.out / "gold.conllu", chosen.out / "words.conllu"
    test = text_of("test")
    gold.write_text(test, encoding="utf-8")
    words.write_text(blank(test), encoding="utf-8")
    n_words = sum(
        line[:1].isdigit() and "-" not in line.split("\t")[0] for line in test.split("\n")
    )
    model = trained(chosen.out / "model.udpipe", chosen.tagger, chosen.parser)
    systems: dict[str, Callable[[], str]] = {
        "udpipe": lambda: by_udpipe(model, blank(test)),
        "senna": lambda: by_senna(words),
    }
    rates: dict[str, list[float]] = {name: [] for name in systems}
    for _ in range(3):
        for name, system in systems.items():
            began = time.process_time()
            answer = system()
            rates[name].append(n_words / (time.process_time() - began))
            (chosen.out / f"{name}.conllu").write_text(answer, encoding="utf-8")
    for name, values in rates.items():
        command = [sys.executable, "-m", "senna", "eval", "--task", "dep", str(gold)]
        done = subprocess.run(
            [*command, str(chosen.out / f"{name}.conllu")],
            check=True, capture_output=True, encoding="utf-8",
        )  # fmt: skip
        scores = [line.split("|") for line in done.stdout.splitlines() if line.startswith(SHOWN)]
        shown = ", ".join(f"{row[0].strip()} {row[3].strip()}" for row in scores)
        print(f"{name}: {shown}; {statistics.median(values):,.0f} words per second")


if __name__ == "__main__":
    main()
