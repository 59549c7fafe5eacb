"""Check that the converters make the prepared corpora.

usage: check_converters.py SOURCES DATA [NAME...]

SOURCES has a bare git repository of each source at owner+name/repo, DATA the prepared corpora
(task/name/split.xz); NAMEs, for example srl/ewt, are the corpora to check, all by default. Prints
one line per file: equal, how many lines differ by difflib, or that none was prepared.
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
from senna.corpora.download import is_intact, stored_path
from senna.corpora.tagged import SourcePaths

_ADDRESS = re.compile(r"https://raw\.githubusercontent\.com/([^/]+)/([^/]+)/(\w+)/(.+)")


def git(repository: Path, *words: str, asked: str = "") -> bytes | None:
    """The output of a git command, or None where it fails: the copy lacks what it names."""
    command = ["git", f"--git-dir={repository}", *words]
    answer = subprocess.run(command, input=asked.encode(), capture_output=True, check=False)
    return answer.stdout if answer.returncode == 0 else None


def join_documents(repository: Path, commit: str, path: str) -> bytes:
    """The train file of a UD treebank, joined from its per-document files."""
    sources = f"{commit}:not-to-release/sources"
    if "ewt" in path:
        listed = git(repository, "show", f"{commit}:not-to-release/file-lists/files.train") or b""
        names = listed.decode().split()
    else:  # GUM's lists are out of date: train is what is neither dev nor test
        listed = git(repository, "ls-tree", "--name-only", sources) or b""
        held = [path.replace("train", part) for part in ("dev", "test")]
        texts = b"".join(git(repository, "show", f"{commit}:{name}") or b"" for name in held)
        outside = {f"{name.decode()}.conllu" for name in re.findall(rb"# newdoc id = (\S+)", texts)}
        # An old copy of a document lies there under its former name.
        outside.add("GUM_conversation_court.conllu")
        names = [name for name in listed.decode().split() if name not in outside]
    return b"".join(git(repository, "show", f"{sources}/{name}") or b"" for name in names)


def write_zip(repository: Path, commit: str, folder: str, target: Path) -> None:
    """The files of a folder as a .zip, as `senna.corpora.archives` keeps them."""
    listed = git(repository, "ls-tree", "-r", "-z", "--name-only", f"{commit}:{folder}") or b""
    names = listed.decode().rstrip("\0").split("\0")
    asked = "".join(f"{commit}:{folder}/{name}\n" for name in names)
    rest = git(repository, "cat-file", "--batch", asked=asked) or b""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for name in names:
            head, _, rest = rest.partition(b"\n")
            size = int(head.split()[-1])
            out.writestr(name, rest[:size])
            rest = rest[size + 1 :]


def bring(source: SourceFile, repositories: Path, folder: Path) -> Path:
    """Write a source file to `folder`, from the git repositories."""
    target, address = stored_path(source, folder), source.address
    if target.exists():
        return target
    if source.is_folder:
        address = address.replace("codeload.github", "raw.githubusercontent").replace("/tar.gz", "")
        address += f"/{source.name}"
    match = _ADDRESS.fullmatch(address)
    assert match, address
    owner, name, commit, path = match.groups()
    repository = repositories / f"{owner}+{name}" / "repo"
    if source.is_folder:
        write_zip(repository, commit, path, target)
    else:
        data = git(repository, "show", f"{commit}:{path}")
        target.write_bytes(join_documents(repository, commit, path) if data is None else data)
    if not is_intact(target, source.digest):
        print(f"  {name}/{path} is not byte for byte what the catalogue names")
    return target


def compare(corpus: Corpus, sources: SourcePaths, data: Path) -> bool:
    """Print a line for each file of a corpus; True when all are equal."""
    converted = convert(corpus, sources)
    equal = True
    for split, text in converted.items():
        about = f"{corpus.name}/{split}: {text.count(chr(10))} lines"
        path = data / corpus.name / f"{split}.xz"
        expected = lzma.decompress(path.read_bytes()).decode() if path.exists() else None
        if expected is None or text == expected:
            print(f"{about}, {'none prepared' if expected is None else 'equal'}")
            continue
        equal = False
        lines = difflib.unified_diff(expected.split("\n"), text.split("\n"), n=0, lineterm="")
        changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        print(f"{about}, UNEQUAL in {len(changed)}, first {changed[:6]}")
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
