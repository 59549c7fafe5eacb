"""Check that the converters make the prepared corpora.

usage: check_converters.py SOURCES DATA [NAME...]

SOURCES has a bare git repository of each source at owner+name/repo, DATA the prepared corpora
(task/name/split.xz); NAMEs, for example srl/ewt, are the corpora to check, all by default. Prints
one line per file: equal or, counted by difflib, how many lines differ, or that it was not prepared.
A file that the copy of a repository lacks is joined from its per-document files.
"""

from __future__ import annotations

import argparse
import difflib
import lzma
import re
import subprocess
import tempfile
import zipfile
from pathlib import Path

from senna.corpora.catalogue import Corpus, SourceFile, read_catalogue
from senna.corpora.convert import convert
from senna.corpora.download import digest_of, is_intact, stored_path
from senna.corpora.tagged import (
    SourcePaths,
)

_ADDRESS = re.compile(r"https://raw\.githubusercontent\.com/([^/]+)/([^/]+)/(\w+)/(.+)")


def show(repository: Path, commit: str, path: str) -> bytes | None:
    """A file at a commit, or None where the copy of the repository lacks it."""
    command = ["git", f"--git-dir={repository}", "show", f"{commit}:{path}"]
    answer = subprocess.run(command, capture_output=True, check=False)
    return answer.stdout if answer.returncode == 0 else None


def join_documents(repository: Path, commit: str, path: str) -> bytes:
    """The train file of a UD treebank, joined from its per-document files."""
    sources = "not-to-release/sources"
    lists = show(repository, commit, "not-to-release/file-lists/files.train")
    if "ewt" in path:
        names = (lists or b"").decode().split()
    else:  # GUM's lists are out of date: train is what is neither dev nor test
        held = [show(repository, commit, path.replace("train", part)) for part in ("dev", "test")]
        held_names = re.findall(rb"# newdoc id = (\S+)", b"".join(text or b"" for text in held))
        command = [
            "git",
            f"--git-dir={repository}",
            "ls-tree",
            "--name-only",
            f"{commit}:{sources}",
        ]
        every = subprocess.run(command, capture_output=True, check=True).stdout.decode().split()
        outside = {name.decode() + ".conllu" for name in held_names}
        # An old copy of a document lies there under its former name.
        outside.add("GUM_conversation_court.conllu")
        names = [name for name in every if name not in outside]
    return b"".join(show(repository, commit, f"{sources}/{name}") or b"" for name in names)


def write_zip(repository: Path, commit: str, folder: str, target: Path) -> None:
    """The files of a folder as a .zip, as `senna.corpora.archives` keeps them."""
    git = ["git", f"--git-dir={repository}"]
    command = [*git, "ls-tree", "-r", "-z", "--name-only", f"{commit}:{folder}"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    names = listed.rstrip("\0").split("\0")
    asked = "".join(f"{commit}:{folder}/{name}\n" for name in names).encode()
    command = [*git, "cat-file", "--batch"]
    answer = subprocess.run(command, input=asked, capture_output=True, check=True).stdout
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        start = 0
        for name in names:
            head, _, _ = answer[start : start + 200].partition(b"\n")
            start += len(head) + 1
            size = int(head.split()[-1])
            out.writestr(name, answer[start : start + size])
            start += size + 1


def bring(source: SourceFile, repositories: Path, folder: Path) -> Path:
    """Write a source file to `folder`, from the git repositories."""
    address = source.address
    if source.is_folder:
        address = address.replace("codeload.github", "raw.githubusercontent").replace("/tar.gz", "")
        address += f"/{source.name}"
    match = _ADDRESS.fullmatch(address)
    assert match, address
    owner, name, commit, path = match.groups()
    repository = repositories / f"{owner}+{name}" / "repo"
    target = stored_path(source, folder)
    if target.exists():
        return target
    if source.is_folder:
        write_zip(repository, commit, path, target)
        if not is_intact(target, source.digest):
            print(f"  {name}/{path} is not the folder of the catalogue")
        return target
    data = show(repository, commit, path)
    joined = data is None
    if data is None:
        data = join_documents(repository, commit, path)
    target.write_bytes(data)
    kind, _, expected = source.digest.partition(":")
    if digest_of(target, kind) != expected:
        how = "joined from its documents" if joined else "as the copy has it"
        print(f"  {name}/{path}, {how}, is not byte for byte the released file")
    return target


def read_prepared(data: Path, name: str, split: str) -> str:
    with lzma.open(data / name / f"{split}.xz", "rb") as file:
        return file.read().decode()


def compare(corpus: Corpus, sources: SourcePaths, data: Path) -> bool:
    """Print a line for each file of a corpus; True when all are equal."""
    converted = convert(corpus, sources)
    equal = True
    for split, text in converted.items():
        if not (data / corpus.name / f"{split}.xz").exists():
            print(f"{corpus.name}/{split}: {text.count(chr(10))} lines, none prepared")
            continue
        expected = read_prepared(data, corpus.name, split)
        if text == expected:
            print(f"{corpus.name}/{split}: equal, {text.count(chr(10))} lines")
            continue
        equal = False
        lines = difflib.unified_diff(expected.split("\n"), text.split("\n"), n=0, lineterm="")
        changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        print(f"{corpus.name}/{split}: UNEQUAL, {len(changed)} lines, first {changed[:6]}")
    return equal


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    every = [corpus for corpus in read_catalogue().values() if corpus.sources]
    names = arguments.names
    catalogue = [corpus for corpus in every if corpus.name in names or not names]
    with tempfile.TemporaryDirectory() as name:
        files = {
            corpus.name: {
                source.name: bring(source, arguments.sources, Path(name))
                for source in corpus.sources
            }
            for corpus in catalogue
        }
        results = [compare(corpus, files[corpus.name], arguments.data) for corpus in catalogue]
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
