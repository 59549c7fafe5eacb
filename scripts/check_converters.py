"""Check that the converters make the prepared corpora, and renew what they look up.

usage: check_converters.py SOURCES DATA [NAME...] [--update]

SOURCES has a bare git repository of each source at owner+name/repo, DATA the prepared corpora
(task/name/split.xz); NAMEs, for example srl/ewt, are the corpora to check, all by default. Prints
one line per file: equal or, counted by difflib, how many lines differ, or that it was not prepared.
A file that the copy of a repository lacks is joined from its per-document files.

--update writes data/corpora/excluded.txt (fingerprints of the sentences that the prepared files
lack) and adds to nationalities.txt (hashes of the words that they have as MISC), small files that
record decisions made when the corpora were prepared. With NAMEs the lines of other corpora stay.
"""

from __future__ import annotations

import argparse
import difflib
import lzma
import re
import subprocess
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from senna.corpora.catalogue import Corpus, SourceFile, read_catalogue, resource_lines
from senna.corpora.convert import CONVERTERS, TREEBANKS, convert, trees_of
from senna.corpora.download import digest_of, is_intact, stored_path
from senna.corpora.sources import docred, frames
from senna.corpora.tagged import (
    SHORTEST_DUPLICATE,
    SourcePaths,
    TaggedWords,
    fingerprint,
)
from senna.files import resource
from senna.text.schemes import phrases_of
from senna.text.trees import read_trees

WITH_NATIONALITIES = ("docred", "docred2", "fewnerd")  # converters that look them up
Words = dict[str, tuple[list[list[str]], list[list[str]]]]

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


def prepared_sentences(text: str) -> list[TaggedWords]:
    """The sentences of a prepared file, without document marks."""
    blocks = text.strip("\n").split("\n\n")
    return [
        [(word, tag) for word, _, tag in (line.partition("\t") for line in block.split("\n"))]
        for block in blocks
        if not block.startswith("-DOCSTART-")
    ]


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


def words_of(documents: Iterable[Iterable[TaggedWords]]) -> list[list[str]]:
    """The words of each sentence."""
    return [[word for word, _ in sentence] for document in documents for sentence in document]


def lacking(converted: list[list[str]], prepared: list[list[str]]) -> set[str]:
    """Fingerprints of the sentences of `converted` that the prepared file lacks."""
    kept = set(map(fingerprint, prepared))
    return {fingerprint(words) for words in converted if len(words) >= SHORTEST_DUPLICATE} - kept


def both(corpus: Corpus, sources: SourcePaths, data: Path) -> Words:
    """{split: words of the converted and of the prepared sentences} of a corpus or treebank."""
    pairs = {}
    if corpus.converter in TREEBANKS:
        for split, sentences in TREEBANKS[corpus.converter](sources).items():
            trees = read_trees(read_prepared(data, corpus.name, f"{split}.mrg"), corpus.name)
            prepared = [[str(leaf.word) for leaf in tree.leaves()] for tree in trees]
            pairs[split] = [sentence.words for sentence in sentences], prepared
        return pairs
    documents = CONVERTERS[corpus.converter](sources)
    for split in corpus.splits:
        sentences = prepared_sentences(read_prepared(data, corpus.name, split))
        pairs[split] = words_of(documents[split]), words_of([sentences])
    return pairs


def write(name: str, comment: str, lines: list[str]) -> None:
    path = resource("data/corpora") / name
    text = "".join(f"{line}\n" for line in [f"# {comment}", *lines])
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{path}: {len(lines)} lines")


def update_nationalities(corpus: Corpus, sources: SourcePaths, data: Path) -> None:
    """Add hashes of the words that end a LOC of the converter and a MISC of the prepared files."""
    misc: dict[tuple[str, ...], list[TaggedWords]] = defaultdict(list)
    for split in corpus.splits:
        for sentence in prepared_sentences(read_prepared(data, corpus.name, split)):
            misc[tuple(word for word, _ in sentence)].append(sentence)
    words = set()
    for documents in CONVERTERS[corpus.converter](sources).values():
        for sentence in (sentence for document in documents for sentence in document):
            tags = [tag for _, tag in sentence]
            for twin in misc.get(tuple(word for word, _ in sentence), []):
                for start, end, label in phrases_of([tag for _, tag in twin], "iob2"):
                    if label == "MISC" and tags[start] == "B-LOC":
                        words.add(sentence[end - 1][0])
    comment = "Words that are nationalities where DocRED and Few-NERD have a place: "
    comment += "sha256, first 12 digits."
    known = set(resource_lines("corpora/nationalities.txt"))
    write("nationalities.txt", comment, sorted(known | set(map(docred.hashed, words))))


def update_frames(corpus: Corpus, sources: SourcePaths, data: Path) -> None:
    """Write the hashes of the example sentences that the prepared files lack."""
    kept = set()
    for split in ("verbs", "nouns", "adjectives"):
        for block in read_prepared(data, corpus.name, split).strip("\n").split("\n\n"):
            kept.add(" ".join(line.split("\t")[1] for line in block.split("\n")).lower())
    missing = {
        frames.sentence_hash(proposition.words)
        for proposition in frames.propositions(sources)
        if " ".join(map(frames.form_of, proposition.words)).lower() not in kept
    }
    comment = "Sentences of PropBank's frame files left out, see docs/corpora.md: "
    comment += "sha256's first 12 digits."
    write("frames-excluded.txt", comment, sorted(missing))


def update(
    catalogue: list[Corpus], sources: Mapping[str, SourcePaths], data: Path, order: list[str]
) -> None:
    """Write the two files of decisions anew from the prepared corpora."""
    done = [corpus for corpus in catalogue if corpus.converter in CONVERTERS or is_trees(corpus)]
    names = {corpus.name for corpus in done}
    old = resource_lines("corpora/excluded.txt")
    excluded = [line for line in old if line.split(" ")[0] not in names]
    for corpus in catalogue:
        if corpus.converter == "frames":
            update_frames(corpus, sources[corpus.name], data)
    for corpus in done:
        if corpus.converter in WITH_NATIONALITIES:
            update_nationalities(corpus, sources[corpus.name], data)
        for split, sentences in both(corpus, sources[corpus.name], data).items():
            lines = sorted(lacking(*sentences))
            excluded += [f"{corpus.name} {split} {line}" for line in lines]
    excluded.sort(key=lambda line: order.index(line.split(" ")[0]))
    comment = "Sentences left out, see docs/corpora.md: corpus, split, sha256's first 16 digits."
    write("excluded.txt", comment, excluded)


def is_trees(corpus: Corpus) -> bool:
    """Whether what a treebank leaves out is recorded under this name."""
    return corpus.converter in TREEBANKS and corpus.name == trees_of(corpus)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--update", action="store_true")
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
        if arguments.update:
            update(catalogue, files, arguments.data, [corpus.name for corpus in every])
        results = [compare(corpus, files[corpus.name], arguments.data) for corpus in catalogue]
    return 0 if all(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
