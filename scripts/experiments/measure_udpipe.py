"""Train UDPipe 1 on a treebank, and compare its accuracy and speed with those of the package.

    pip install ufal.udpipe
    python scripts/experiments/measure_udpipe.py train tagger "use_lemma=1;use_feats=1"
    python scripts/experiments/measure_udpipe.py train parser "embedding_form=50;hidden_layer=200"
    python scripts/experiments/measure_udpipe.py score

The options after the name of a part are UDPipe's own (its manual, section 3). Models, and what they
predict, are in --out. Both programs get the gold words of the test set, and the figures are those
of the scorer of the CoNLL 2018 shared task. Their times are of the whole row of ten columns, in
turns, in one thread, with the words given; those of loading the models are in them.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import senna
from senna.corpora import find, split_file
from senna.files import open_text

try:
    from ufal import udpipe
except ImportError:  # the options are known without it
    udpipe = None

FIGURES = ("UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")
TASKS = "pos,lemma,upos,feats,dep"
PARTS = ("tagger", "parser")
NONE = "none"


def text_of(corpus: str, split: str) -> str:
    """A split as CoNLL-U."""
    with open_text(str(split_file(find(corpus), split))) as lines:
        return "".join(lines)


def sentences_of(text: str) -> udpipe.Sentences:
    """CoNLL-U as UDPipe has it in memory."""
    reader, error = udpipe.InputFormat.newConlluInputFormat(), udpipe.ProcessingError()
    reader.setText(text)
    every, sentence = udpipe.Sentences(), udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        every.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        sys.exit(error.message)
    return every


def train(part: str, options: str, corpus: str, out: Path) -> None:
    """Train a tagger or a parser, which UDPipe reports on stderr, and write it at the end."""
    gold, held = (sentences_of(text_of(corpus, split)) for split in ("train", "dev"))
    chosen = [options if name == part else NONE for name in PARTS]
    error, began = udpipe.ProcessingError(), time.process_time()
    model = udpipe.Trainer.train("morphodita_parsito", gold, held, NONE, *chosen, error)
    if error.occurred():
        sys.exit(error.message)
    out.mkdir(parents=True, exist_ok=True)
    # The wrapper gives the bytes of the model as a str.
    data = model.encode("utf-8", "surrogateescape") if isinstance(model, str) else bytes(model)
    (out / f"{part}.udpipe").write_bytes(data)
    minutes = (time.process_time() - began) / 60
    print(f"{part}, {options}: {minutes:.1f} CPU minutes, {len(data):,} bytes")


def by_udpipe(text: str, out: Path) -> str:
    """Words as CoNLL-U, tagged and then parsed."""
    models = {part: udpipe.Model.load(str(out / f"{part}.udpipe")) for part in PARTS}
    default = udpipe.Pipeline.DEFAULT
    tag = udpipe.Pipeline(models["tagger"], "conllu", default, NONE, "conllu")
    parse = udpipe.Pipeline(models["parser"], "conllu", NONE, default, "conllu")
    return parse.process(tag.process(text))


def by_senna(text: str, out: Path) -> str:
    """The same with the package's models."""
    file = out / "words.conllu"
    file.write_text(text, encoding="utf-8")
    return b"".join(senna.convert(file, "conllu", tasks=TASKS, input="conllu")).decode("utf-8")


def bare(text: str) -> str:
    """CoNLL-U with the forms of words alone."""
    lines = []
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdigit():
            cells[2:9] = ["_"] * 7
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def score(corpus: str, split: str, runs: int, out: Path) -> None:
    """Print a table of both programs."""
    gold = text_of(corpus, split)
    (out / "gold.conllu").write_text(gold, encoding="utf-8")
    words = bare(gold)
    n_words = sum(line.split("\t")[0].isdigit() for line in words.splitlines())
    programs = {"UDPipe": by_udpipe, "senna": by_senna}
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(runs):
        for name, program in programs.items():
            began = time.perf_counter()
            answer = program(words, out)
            seconds[name].append(time.perf_counter() - began)
            (out / f"{name}.conllu").write_text(answer, encoding="utf-8")
    print(f"| {corpus} {split} | {' | '.join(FIGURES)} | words per second |")
    print("|---" * (len(FIGURES) + 2) + "|")
    for name, times in seconds.items():
        found = senna.evaluate("dep", out / "gold.conllu", out / f"{name}.conllu").figures
        cells = [f"{found[figure]['f1']:.2f}" for figure in FIGURES]
        rate = n_words * len(times) / sum(times)
        print(f"| {name} | {' | '.join(cells)} | {rate:,.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("do", choices=["train", "score"])
    parser.add_argument("part", nargs="?", choices=PARTS)
    parser.add_argument("options", nargs="?", default="")
    parser.add_argument("--corpus", default="ud/ewt")
    parser.add_argument("--split", default="test")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("runs/udpipe"))
    chosen = parser.parse_args()
    if udpipe is None:
        parser.error("UDPipe is not installed: pip install ufal.udpipe")
    if chosen.do == "score":
        score(chosen.corpus, chosen.split, chosen.runs, chosen.out)
    elif chosen.part:
        train(chosen.part, chosen.options, chosen.corpus, chosen.out)
    else:
        parser.error("train needs the name of a part: tagger or parser")


if __name__ == "__main__":
    main()
