"""From the downloaded files of a corpus to the text of its splits."""

from __future__ import annotations

from collections.abc import Callable

from senna.corpora.catalogue import Corpus
from senna.corpora.derived import files_of
from senna.corpora.sources import (
    dependencies,
    docred,
    fewnerd,
    frames,
    free_trees,
    gum_names,
    litbank,
    masc_names,
    treebanks,
    ud,
    uner,
)
from senna.corpora.sources.column_sets import column_set
from senna.corpora.tagged import (
    SourcePaths,
    TaggedDocument,
    excluded_sentences,
    is_excluded,
    render,
    without,
)

CONVERTERS: dict[str, Callable[[SourcePaths], dict[str, list[TaggedDocument]]]] = {
    "ewt": ud.ewt,
    "gum": ud.gum,
    "eslspok": ud.eslspok,
    "gum_ner": gum_names.ner,
    "uner_ewt": uner.ewt,
    "uner_ewt_misc": uner.ewt_misc,
    "docred": docred.docred,
    "docred2": docred.docred2,
    "fewnerd": fewnerd.fewnerd,
    "litbank": litbank.litbank,
    "masc_names": masc_names.masc_names,
}
TREEBANKS: dict[str, Callable[[SourcePaths], treebanks.Splits]] = {
    "ewt_trees": treebanks.ewt,
    "masc_trees": treebanks.masc,
    "craft_trees": free_trees.craft,
    "gum_trees": free_trees.gum,
}
TEXTS: dict[str, Callable[[SourcePaths], dict[str, str]]] = {  # which give final texts
    "frames": frames.frames,
    "ud_ewt": dependencies.ewt,
    "ud_gum": dependencies.gum,
    "ud_eslspok": dependencies.eslspok,
    "ud_pronouns": dependencies.pronouns,
}


def trees_of(corpus: Corpus) -> str:
    """The name of the treebank of one of its views: trees/masc of srl/masc."""
    return "trees/" + corpus.name.partition("/")[2]


def convert(corpus: Corpus, sources: SourcePaths) -> dict[str, str]:
    """{split: text} of a corpus from its files, {name in the catalogue: path}.

    Each token is a line `word TAB tag`; see `senna.corpora.tagged.render`. Corpora derived from
    treebanks have the formats of `senna.corpora.derived.VIEWS`, by their first task. All views of a
    treebank exclude the same sentences.
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
    if corpus.columns is not None:
        documents = column_set(corpus.columns, corpus.splits, sources)
    else:
        documents = CONVERTERS[corpus.converter](sources)
    # Files of parts of speech have always been kept without a blank line at their end.
    last_blank = corpus.tasks != ("pos",)
    return {
        split: render(
            without(documents[split], excluded[split]), marks=corpus.marks, last_blank=last_blank
        )
        for split in corpus.splits
    }
