"""Give a model of lemmas the table of the forms of two treebanks.

usage: python scripts/add_lemmas.py senna/models/lemma-upos-feats-dep

The lemmas of a form with a part of speech are those of EWT's training set, whose conventions the
model follows; those of GUM's stand where EWT has no such form. See docs/model-folder.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from senna.corpora import find, split_file
from senna.files import open_text
from senna.model.card import model_card
from senna.model.folder import add_about, check, read_model, write_model
from senna.text.conllu import EMPTY, FORM, LEMMA, XPOS, read_conllu
from senna.text.lemmas import LemmaTable, TaggedLemma


def words_of(corpus: str) -> Iterator[TaggedLemma]:
    """Form, part of speech (XPOS) and lemma of the words of a training set that have a lemma."""
    path = split_file(find(corpus), "train")
    with open_text(path) as lines:
        for sentence in read_conllu(lines, name=str(path)):
            for row in sentence.words:
                if row[LEMMA] != EMPTY or row[FORM] == EMPTY:
                    yield row[FORM], row[XPOS], row[LEMMA]


def table(first: list[TaggedLemma], second: list[TaggedLemma]) -> LemmaTable:
    """The table of the first words, and of those of the second that have another form or tag."""
    known = LemmaTable.learn(first)
    return LemmaTable.learn(first + [w for w in second if not known.knows(w[0], w[1])]).compact()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    model = parser.parse_args().model
    made = table(list(words_of("ud/ewt")), list(words_of("ud/gum")))
    folder = read_model(model)
    meta = folder.meta | folder.about
    texts = {name: folder.lines(name) for name in meta.pop("files") if name.endswith(".txt")}
    texts["lemma.table.txt"] = made.lines()
    write_model(model, meta, dict(folder.arrays()), texts)
    add_about(model, {}, model_card)
    print(f"{model}: {check(model)} files, {len(made.known):,} forms")


if __name__ == "__main__":
    main()
