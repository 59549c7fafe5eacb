"""Tag by UDPipe 1: MODE FILE OUTPUT FOLDER (see senna_tagger.py), with the models in a folder.

The modes of `TRAINING` train this part of a model with train.conllu and dev.conllu, and write it.
"""

import json
import sys
from pathlib import Path

from ufal import udpipe

TRAINING = {
    "tokenizer": "epochs=10;early_stopping=1",
    "tagger": "iterations=5;use_lemma=1;use_feats=1;use_xpostag=1",
    "parser": "embedding_form=50;hidden_layer=200;iterations=10",
}
NONE, DEFAULT = "none", udpipe.Pipeline.DEFAULT
mode, source, target, folder = sys.argv[1:]
error, models = udpipe.ProcessingError(), []  # pipelines do not keep their models


def sentences_of(name):
    """The sentences of a file in the folder."""
    reader, sentences = udpipe.InputFormat.newConlluInputFormat(), udpipe.Sentences()
    reader.setText(Path(folder, name).read_text(encoding="utf-8"))
    while reader.nextSentence(sentence := udpipe.Sentence(), error):
        sentences.append(sentence)
    return sentences


def step(part, reads, *works):
    """A part of the work, from text to CoNLL-U."""
    models.append(udpipe.Model.load(str(Path(folder, f"{part}.udpipe"))))
    return udpipe.Pipeline(models[-1], reads, *works, "conllu")


def tagged(text, steps):
    """The rows of each sentence."""
    for one in steps:
        text = one.process(text, error)
    lines = [one.split("\n") for one in text.strip().split("\n\n")]
    return [[line.split("\t") for line in one if line[:1].isdigit()] for one in lines]


if mode in TRAINING:
    parts = [options if part == mode else NONE for part, options in TRAINING.items()]
    sets = sentences_of("train.conllu"), sentences_of("dev.conllu")
    model = udpipe.Trainer.train("morphodita_parsito", *sets, *parts, error)
    if isinstance(model, str):  # the wrapper gives bytes so
        model = model.encode("utf-8", "surrogateescape")
    if not error.occurred():
        Path(target).write_bytes(model)
    sys.exit(error.message or 0)

texts = json.loads(Path(source).read_text(encoding="utf-8"))
cut = step("tokenizer", "tokenize", NONE, NONE)
if mode == "raw":
    found = [
        [[row[1] for row in one if row[0].isdigit()] for one in tagged(text, [cut])]
        for text in texts
    ]
else:
    steps = [step("tagger", "conllu", DEFAULT, NONE)]
    if mode != "universal tags and lemmas" and Path(folder, "parser.udpipe").exists():
        steps.append(step("parser", "conllu", NONE, DEFAULT))
    if mode == "words":
        rows = [
            ["\t".join([str(i), word, *"_" * 8]) for i, word in enumerate(one, 1)] for one in texts
        ]
        given = "".join("\n".join(one) + "\n\n" for one in rows)
        found = [
            [(row[4], row[3], row[2], int(row[6].strip("_") or 0), row[7]) for row in one]
            for one in tagged(given, steps)
        ]
    else:
        found = [sum(map(len, tagged(text, [cut, *steps]))) for text in texts]
Path(target).write_text(json.dumps(found), encoding="utf-8")
