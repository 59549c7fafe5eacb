"""From the downloaded files of a corpus to the text of its splits."""

from __future__ import annotations

from collections.abc import Callable

from senna.corpora import columns
from senna.corpora.catalogue import Corpus
from senna.corpora.derived import files_of
from senna.corpora.sources import (
    docred,
    fewnerd,
    frames,
    free_trees,
    gum,
    litbank,
    masc_names,
    treebanks,
    ud,
    uner,
)
from senna.corpora.tagged import (
    Document,
    Sources,
    excluded_sentences,
    is_excluded,
    render,
    without,
)

CONVERTERS: dict[str, Callable[[Sources], dict[str, list[Document]]]] = {
    "ewt": ud.ewt,
    "gum": ud.gum,
    "eslspok": ud.eslspok,
    "gum_ner": gum.ner,
    "uner_ewt": uner.ewt,
    "uner_ewt_misc": uner.ewt_misc,
    "docred": docred.docred,
    "docred2": docred.docred2,
    "fewnerd": fewnerd.fewnerd,
    "litbank": litbank.litbank,
    "crossner": columns.crossner,
    "wikigold": columns.wikigold,
    "wnut17": columns.wnut17,
    "tweebank": columns.tweebank,
    "btc": columns.btc,
    "masc_names": masc_names.masc_names,
}
TREEBANKS: dict[str, Callable[[Sources], treebanks.Splits]] = {
    "ewt_trees": treebanks.ewt,
    "masc_trees": treebanks.masc,
    "craft_trees": free_trees.craft,
    "gum_trees": free_trees.gum,
}
TEXTS: dict[str, Callable[[Sources], dict[str, str]]] = {"frames": frames.frames}  # final texts


def trees_of(corpus: Corpus) -> str:
    """The name of the trees whose sentences a view of a treebank has: trees/masc of srl/masc."""
    return "trees/" + corpus.name.partition("/")[2]


def convert(corpus: Corpus, sources: Sources) -> dict[str, str]:
    """{split: text} of a corpus from its files, {name in the catalogue: path}.

    The text has a line `word TAB tag` a token; see `senna.corpora.tagged.render`. What is made of
    treebanks has forms of its own: `senna.corpora.derived.VIEWS`, by the corpus's first task. All
    views leave out the same sentences.
    """
    if corpus.converter in TEXTS:
        return TEXTS[corpus.converter](sources)
    if corpus.converter in TREEBANKS:
        excluded = excluded_sentences(trees_of(corpus))
        splits = {
            split: [
                sentence
                for sentence in sentences
                if not is_excluded(sentence.words, excluded[split])
            ]
            for split, sentences in TREEBANKS[corpus.converter](sources).items()
        }
        files = files_of(splits, corpus.tasks[0])
        return {split: files[split] for split in corpus.splits}
    excluded = excluded_sentences(corpus.name)
    documents = CONVERTERS[corpus.converter](sources)
    # Files of parts of speech have always been kept without a blank line at their end.
    last_blank = corpus.tasks != ("pos",)
    return {
        split: render(
            without(documents[split], excluded[split]), marks=corpus.marks, last_blank=last_blank
        )
        for split in corpus.splits
    }
