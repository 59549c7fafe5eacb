"""The files of a corpus: downloaded, converted to the text of its splits, and written."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tqdm import tqdm

from senna.corpora.archives import unpack
from senna.corpora.catalogue import Corpus
from senna.corpora.derived import files_of
from senna.corpora.download import download, partial_in, stored_path
from senna.corpora.sources import (
    docred,
    fewnerd,
    frames,
    gum_names,
    litbank,
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
    "ewt": partial(ud.tagged, only_free=False),
    "gum": partial(ud.tagged, only_free=True),
    "gum_ner": gum_names.ner,
    "uner_ewt": uner.ewt,
    "uner_ewt_misc": uner.ewt_misc,
    "docred": docred.docred,
    "docred2": docred.docred2,
    "fewnerd": fewnerd.fewnerd,
    "litbank": litbank.litbank,
}
TREEBANKS: dict[str, Callable[[SourcePaths], treebanks.Splits]] = {
    "ewt_trees": treebanks.ewt,
    "masc_trees": treebanks.masc,
    "craft_trees": treebanks.without_roles(
        "corpora/craft-documents.txt", "structural-annotation/treebank/penn/{}.tree"
    ),
    "gum_trees": treebanks.without_roles("corpora/gum-documents.txt", "const/{}.ptb"),
}
TEXTS: dict[str, Callable[[SourcePaths], dict[str, str]]] = {  # which give final texts
    "frames": frames.frames,
    **{f"ud_{name}": ud.columns(f"ud/{name}") for name in ("ewt", "gum", "eslspok", "pronouns")},
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


def download_all(corpus: Corpus, folder: Path, progress: bool) -> dict[str, Path]:
    """The files of a corpus, by name; `progress` shows a bar on stderr."""
    bar = tqdm(total=corpus.size, unit="B", unit_scale=True, desc=corpus.name, disable=not progress)
    with bar:
        for archive in corpus.archives:
            taken = [source for source in corpus.sources if source.archive == archive]
            unpack(archive, taken, folder, bar.update)
        paths = {source.name: stored_path(source, folder) for source in corpus.sources}
        return paths | {
            source.name: download(source, folder, bar.update) for source in corpus.single_sources
        }


def write(corpus: Corpus, folder: Path, splits: Mapping[str, str]) -> None:
    """Write the splits and a note on their terms; each appears whole or not at all."""
    with partial_in(folder) as partial:
        note = f"{corpus.name}\nLicence: {corpus.licence}\n{corpus.attribution}\n"
        addresses = [source.address for source in corpus.single_sources]
        addresses += [archive.address for archive in corpus.archives]
        note += "".join(f"{line}\n" for line in ("Converted by senna from:", *addresses))
        (partial / "LICENCE.txt").write_text(note, encoding="utf-8", newline="\n")
        for split, text in splits.items():
            with lzma.open(partial / f"{split}.xz", "wb") as out:
                out.write(text.encode())
        for path in sorted(partial.iterdir()):
            path.replace(folder / path.name)
