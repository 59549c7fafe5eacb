"""The files of a corpus: downloaded, and its splits written."""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from pathlib import Path

from tqdm import tqdm

from senna.corpora.archives import unpack
from senna.corpora.catalogue import Corpus
from senna.corpora.download import download, partial_in, stored_path


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
