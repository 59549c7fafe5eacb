"""The table of open sources, and their files, from archives of repositories."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from senna.atomic import make_folder, replacing
from senna.corpora.catalogue import Archive
from senna.corpora.download import changed, opened
from senna.settings import read_table

TABLE = Path(__file__).parent / "sources.toml"
LONGEST = 1 << 22  # bytes: the shipped models' text was made without longer files


@dataclass(frozen=True)
class Repository:
    """A repository at a commit, of which some files are used."""

    name: str  # owner/name
    commit: str
    megabytes: int  # about, of its archive
    digest: str  # of the used files, see `digest_of`
    files: str  # pattern of their paths

    @property
    def archive(self) -> Archive:
        """All of it, as its server packs it."""
        address = f"https://codeload.github.com/{self.name}/tar.gz/{self.commit}"
        return Archive(address, self.megabytes * 1_000_000)


@dataclass(frozen=True)
class Source:
    """A source with one kind of text or phrases, one licence and one origin."""

    name: str  # "wikinews"
    repositories: tuple[Repository, ...]
    licence: str = ""
    credit: str = ""  # what it is, and who is to be credited
    words: float = 0.0  # about how many to take; 0: all


def read_sources(kind: str) -> dict[str, Source]:
    """{name: source} of one part of the table: "text", "news", "phrases" or "tests"."""
    return {name: _source(name, **entry) for name, entry in read_table(TABLE)[kind].items()}


def _source(name: str, repositories: list[str], files: str, **others: Any) -> Source:
    parsed = []
    for line in repositories:
        repository, commit, megabytes, digest = line.split()
        parsed.append(Repository(repository, commit, int(megabytes), digest, files))
    return Source(name, tuple(parsed), **others)


def bring(source: Source, folder: Path) -> list[Path]:
    """A folder with the used files of each repository of a source; what is there already stays.

    Raises SennaError when they cannot be had, or are not those of the table.
    """
    return [_bring(repository, folder) for repository in source.repositories]


def _bring(repository: Repository, folder: Path) -> Path:
    name = repository.name.replace("/", "+")
    pattern = hashlib.sha256(repository.files.encode()).hexdigest()
    place = folder / f"{repository.commit[:8]}-{pattern[:8]}"
    if (place / name).is_dir():
        return place / name
    make_folder(place)
    with replacing(place / name) as root:
        root.mkdir()
        lines = []
        for path, data in used_files(repository):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
            lines.append(f"{hashlib.sha256(data).hexdigest()} {path}\n")
        if digest_of(lines) != repository.digest:
            raise changed("its files are not the expected ones", repository.archive.address)
    return place / name


def digest_of(lines: Iterable[str]) -> str:
    """The digest of a set of files, from a line "sha256 path" for each."""
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def used_files(repository: Repository) -> Iterator[tuple[str, bytes]]:
    """Path and content of the files of a repository that are used."""
    archive = repository.archive
    with (
        tqdm(total=archive.size, unit="B", unit_scale=True, desc=repository.name) as bar,
        opened(archive, bar.update) as files,
    ):
        for path, pieces in files:
            if re.fullmatch(repository.files, path) and ".." not in path.split("/"):
                data = b"".join(pieces)
                if len(data) < LONGEST:
                    yield path, data
