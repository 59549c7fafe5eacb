"""From the downloaded files of a corpus to the text of its splits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from senna.corpora import columns, docred, gum, litbank, ud, uner
from senna.corpora.catalogue import Corpus, resource_lines
from senna.corpora.tagged import Document, Sources, render, without
from senna.corpora.treebanks import TREEBANKS, files_of

CONVERTERS: dict[str, Callable[[Sources], dict[str, list[Document]]]] = {
    "ewt": ud.ewt,
    "gum": ud.gum,
    "gum_ner": gum.ner,
    "uner_ewt": uner.ewt,
    "uner_ewt_misc": uner.ewt_misc,
    "docred": docred.docred,
    "litbank": litbank.litbank,
    "crossner": columns.crossner,
    "wikigold": columns.wikigold,
    "wnut17": columns.wnut17,
    "tweebank": columns.tweebank,
    "btc": columns.btc,
}


def excluded_sentences(corpus: Corpus) -> dict[str, set[str]]:
    """{split: fingerprints} of the sentences to leave out.

    In train those that stand in the dev or test set of some corpus as well, in dev those that
    stand in a test set.
    """
    excluded: dict[str, set[str]] = defaultdict(set)
    for line in resource_lines("corpora/excluded.txt"):
        name, split, fingerprint = line.split(" ")
        if name == corpus.name:
            excluded[split].add(fingerprint)
    return excluded


def convert(corpus: Corpus, sources: Sources) -> dict[str, str]:
    """{split: text} of a corpus from its files, {name in the catalogue: path}.

    The text has a line `word TAB tag` a token; see `senna.corpora.tagged.render`. What is made of
    treebanks has forms of its own: `senna.corpora.treebanks.VIEWS`, by the corpus's first task.
    """
    if corpus.converter in TREEBANKS:
        made = files_of(TREEBANKS[corpus.converter](sources), corpus.tasks[0])
        return {split: made[split] for split in corpus.splits}
    excluded = excluded_sentences(corpus)
    documents = CONVERTERS[corpus.converter](sources)
    # Files of parts of speech have always been kept without a blank line at their end.
    last_blank = corpus.tasks != ("pos",)
    return {
        split: render(
            without(documents[split], excluded[split]), marks=corpus.marks, last_blank=last_blank
        )
        for split in corpus.splits
    }
