"""The files of a corpus: downloaded, converted to the text of its splits, and written.

Sets that are published as columns are read by their `columns` in data/corpora.toml, all others by
a converter. Of a treebank each view is a corpus: trees/masc, chunk/masc, srl/masc.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from tqdm import tqdm

from senna.annotation.schemes import phrases_of, tags_of
from senna.atomic import make_folder, put_text, replacing_packed
from senna.corpora.base_chunks import base_chunks
from senna.corpora.catalogue import Columns, Corpus
from senna.corpora.download import ROOM, download, stored_path, unpack
from senna.corpora.sources import frames, gum_names, names, treebanks, ud
from senna.corpora.sources.treebanks import Splits, TreebankSentence
from senna.corpora.tagged import (
    SourcePaths,
    TaggedDocument,
    excluded_sentences,
    is_excluded,
    map_labels,
    read_text,
    render,
    without,
)
from senna.lab.trees import trimmed_levels
from senna.tasks import N_LEVELS

CONVERTERS: dict[str, Callable[[SourcePaths], dict[str, list[TaggedDocument]]]] = {
    "ewt": partial(ud.tagged, only_free=False),
    "gum": partial(ud.tagged, only_free=True),
    "gum_ner": gum_names.ner,
    "uner_ewt": names.ewt,
    "uner_ewt_misc": names.ewt_misc,
    "docred": names.docred,
    "docred2": names.docred2,
    "fewnerd": names.fewnerd,
    "litbank": names.litbank,
}
TREEBANKS: dict[str, Callable[[SourcePaths], Splits]] = {
    "ewt_trees": treebanks.ewt,
    "masc_trees": treebanks.masc,
    "gum_trees": treebanks.gum,
}
TEXTS: dict[str, Callable[[SourcePaths], dict[str, str]]] = {  # which give final texts
    "frames": frames.frames,
    **{f"ud_{name}": ud.columns(f"ud/{name}") for name in ("ewt", "gum")},
}


def convert(corpus: Corpus, sources: SourcePaths) -> dict[str, str]:
    """{split: text} of a corpus from its files, {name in the catalogue: path}.

    Each token is a line `word TAB tag`; see `senna.corpora.tagged.render`. Views of treebanks have
    the formats of `VIEWS`, by their first task; all views of one exclude the same sentences.
    """
    if corpus.converter in TEXTS:
        return TEXTS[corpus.converter](sources)
    if corpus.converter in TREEBANKS:
        excluded = excluded_sentences("trees/" + corpus.name.partition("/")[2])
        splits = {
            split: [s for s in sentences if not is_excluded(s.words, excluded[split])]
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
    note = f"{corpus.name}\nLicence: {corpus.licence}\n{corpus.attribution}\n"
    addresses = [source.address for source in corpus.single_sources]
    addresses += [archive.address for archive in corpus.archives]
    note += "".join(f"{line}\n" for line in ("Converted by senna from:", *addresses))
    make_folder(folder, ROOM)
    put_text(folder / "LICENCE.txt", note, ROOM)
    for split, text in splits.items():
        with replacing_packed(folder / f"{split}.xz", ROOM) as out:
            out.write(text.encode())


# --------------------------------------------------------------------------- columns


def column_set(
    columns: Columns, splits: Sequence[str], sources: SourcePaths
) -> dict[str, list[TaggedDocument]]:
    """The documents of each split of a set of columns."""
    return {
        split: [
            document
            for name in columns.files.get(split, split).split()
            for document in read_columns(read_text(sources[name]), columns)[:: columns.every]
        ]
        for split in splits
    }


def read_columns(text: str, columns: Columns) -> list[TaggedDocument]:
    """Documents of a file of columns, word first and tag last; -DOCSTART- opens a document.

    A line without a tag ends a sentence, as a blank one does. `senna.formats.columns` refuses
    what these files have: lines without a tag, words with spaces in them, blank lines made of tabs.
    """
    labels = {
        label: None if ours == "-" else ours
        for ours, theirs in columns.labels.items()
        for label in theirs.split()
    }
    documents: list[TaggedDocument] = [[]]
    words: list[str] = []
    tags: list[str] = []
    for line in [*text.split("\n"), ""]:
        fields = line.rstrip("\r").split(columns.delimiter or None)
        opens = fields[:1] == ["-DOCSTART-"]
        if not opens and len(fields) > 1 and fields[-1].strip():
            words.append(fields[0])
            tags.append(fields[-1].strip())
            continue
        if columns.proper_misc:
            for start, end, label in phrases_of(tags, "iob2"):
                letters = "".join(words[start:end])
                if labels[label] == "MISC" and not any(c.isupper() or c.isdigit() for c in letters):
                    tags[start:end] = ["O"] * (end - start)
        if sentence := map_labels(words, tags, labels):
            documents[-1].append(sentence)
        words, tags = [], []
        if opens:
            documents.append([])
    return [document for document in documents if document]


# --------------------------------------------------------------------------- views of a treebank

Table = list[Sequence[str]]  # the columns of a sentence


def _pos(sentence: TreebankSentence) -> Table:
    return [sentence.words, sentence.tags]


def _pt0(sentence: TreebankSentence, n_levels: int = 1) -> Table:
    return [*_pos(sentence), *trimmed_levels(sentence.tree, n_levels)]


def _roles(sentence: TreebankSentence) -> Table:
    """Number, word, part of speech, PT0, roleset, kind, then one column of roles per predicate."""
    n = len(sentence.words)
    rolesets, kinds = ["-"] * n, ["-"] * n
    for predicate in sentence.predicates:
        rolesets[predicate.position] = predicate.roleset
        kinds[predicate.position] = predicate.kind
    roles = [tags_of(predicate.roles, n, "bracket") for predicate in sentence.predicates]
    numbers = [str(i + 1) for i in range(n)]
    return [numbers, *_pt0(sentence), rolesets, kinds, *roles]


def _rows(
    sentences: Sequence[TreebankSentence], columns: Callable[[TreebankSentence], Table]
) -> str:
    """One word per line, tab-separated; a blank line between sentences, none after the last."""
    tables = (zip(*columns(sentence), strict=True) for sentence in sentences)
    blocks = ("\n".join(map("\t".join, table)) for table in tables)
    return "\n\n".join(blocks) + "\n" if sentences else ""


# By view, {suffix of a split's file name: function that makes its text}.
VIEWS: dict[str, dict[str, Callable[[Sequence[TreebankSentence]], str]]] = {
    "chunk": {
        "": partial(
            _rows,
            columns=lambda s: [*_pos(s), tags_of(base_chunks(s.tree), len(s.words), "iob2")],
        )
    },
    "pt0": {
        "": partial(_rows, columns=_pt0),
        ".levels": partial(_rows, columns=partial(_pt0, n_levels=N_LEVELS)),
    },
    "srl": {"": partial(_rows, columns=_roles)},
    "trees": {
        ".mrg": lambda sentences: "".join(f"{s.tree}\n" for s in sentences),
        ".ids": lambda sentences: "".join(f"{s.name}\n" for s in sentences),
        ".functions.mrg": lambda sentences: "".join(
            f"{s.functions}\n" for s in sentences if s.functions
        ),
    },
}


def files_of(splits: Splits, view: str) -> dict[str, str]:
    """{name of a file, for example "train.levels": its text} of one view of a treebank."""
    return {
        split + suffix: text_of(sentences)
        for split, sentences in splits.items()
        for suffix, text_of in VIEWS[view].items()
    }
