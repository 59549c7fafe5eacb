"""Give the package's model of Universal Dependencies the lists of two treebanks.

usage: python scripts/add_lists.py senna/models/lemma-upos-feats-pt0-predicates-psg-dep

The lemmas of a form with a part of speech are those of EWT's training set, whose conventions the
model follows; those of GUM's stand where EWT has no such form. What parts of speech say of
universal tags and features is counted in EWT. See docs/model-folder.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from senna.answers import output_of
from senna.answers.base import Gold, GoldOptions
from senna.answers.gold import read_gold
from senna.answers.lemmas import TABLE_FILE
from senna.corpora import find, split_file
from senna.files import open_text
from senna.model.card import model_card
from senna.model.folder import add_about, check, read_model, write_model
from senna.tasks import TASKS
from senna.text.lemmas import LemmaTable, TaggedLemma
from senna.training.examples.data import Example


def training_set(task: str, corpus: str) -> list[Gold]:
    """The sentences of a training set, with their parts of speech (XPOS)."""
    path = split_file(find(corpus), "train")
    with open_text(path) as lines:
        gold = list(read_gold(task, lines, str(path), GoldOptions()))
    return output_of(task).learnable(gold, str(path))


def words_of(gold: list[Gold]) -> list[TaggedLemma]:
    """Form, part of speech and lemma of the words that have a lemma."""
    return [
        word
        for sentence in gold
        for word in zip(sentence.forms, sentence.tags["pos"], sentence.answer, strict=True)
        if not word[2].is_open  # its annotators gave one
    ]


def lemmas(first: list[TaggedLemma], second: list[TaggedLemma]) -> list[str]:
    """The table of the first words, and of those of the second that have another form or tag."""
    known = LemmaTable.learn(first)
    more = [word for word in second if not known.knows(word[0], word[1])]
    return LemmaTable.learn(first + more).compact().lines()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    model = parser.parse_args().model
    folder = read_model(model)
    meta = folder.meta | folder.about
    texts = {name: folder.lines(name) for name in meta.pop("files") if name.endswith(".txt")}
    of_corpora = [words_of(training_set("lemma", corpus)) for corpus in ("ud/ewt", "ud/gum")]
    texts[f"lemma.{TABLE_FILE}"] = lemmas(*of_corpora)
    for task in ("upos", "feats"):
        gold = training_set(task, "ud/ewt")
        train = [Example(sentence.forms, sentence.answer, sentence.tags) for sentence in gold]
        lists = output_of(task).lists(train, TASKS[task].needs)
        texts |= {f"{task}.{name}": lines for name, lines in lists.items()}
    write_model(model, meta, dict(folder.arrays()), texts)
    add_about(model, {}, model_card)
    print(f"{model}: {check(model)} files")


if __name__ == "__main__":
    main()
