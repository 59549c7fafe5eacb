"""Text to ids: nothing lost, the same bytes for any number of processes; dictionaries."""

import gzip
import io
import itertools
import json
import lzma
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.pretraining import corpus
from senna.pretraining.config import Job
from senna.pretraining.corpus import Text, read_dictionary, read_text, remap
from senna.text.sentences import segments, split
from senna.text.vocabulary import normalise
from tests.faults import fill_disk

FILES = ("ids.bin", "words.tsv", "text.json")
SENTENCES = (
    "The mill by the river grinds 12 sacks of rye.",
    "Anna Brook didn't sell it in 1987!",
    "Who, then, would buy the old mill?",
    "Her brother keeps 300 geese near Oldford.",
    "A goose, he says, is worth two ducks.",
)
# Digits and capitals, spaces of several kinds, and characters that only look like line ends.
token_text = st.text("ab0 1B\n\r\t\u0085\u2028\u3000\u0130\u00e9", max_size=60)
# Short paragraphs, so that none is longer than a piece.
paragraphs = st.lists(st.sampled_from(SENTENCES) | st.text("ab.B \"'-0", max_size=20), max_size=8)
raw_text = paragraphs.map("\n\n".join)


def prepare(*sources: Path, folder: Path, say: Callable[[str], Any] = str, **more: Any) -> Text:
    return corpus.prepare(sources, folder, say=say, **{"jobs": 1, **more})


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def paragraphs_of(n: int) -> str:
    """A text of n paragraphs in which words keep being new."""
    return "".join(
        f"{SENTENCES[i % 5]} Word{chr(97 + i % 26) * (i % 7 + 1)} came. {SENTENCES[i * i % 5]}\n\n"
        for i in range(n)
    )


def decoded(text: Text) -> list[list[str]]:
    """The sentences of an id file."""
    ids = text.ids.tolist()
    assert ids[0] == 0 and ids[-1] == 0 and len(ids) == text.n_tokens
    sentences: list[list[str]] = []
    for i in ids[:-1]:
        if i:
            sentences[-1].append(text.words[i - 1])
        else:
            sentences.append([])
    return sentences


def files_of(folder: Path) -> dict[str, bytes]:
    assert sorted(os.listdir(folder)) == sorted(FILES)
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> Iterator[Path]:
    """A new folder with each `next`."""
    base = tmp_path_factory.mktemp("texts")
    return (base / str(n) for n in itertools.count())


@pytest.fixture
def small(monkeypatch) -> None:
    """Pieces and parts so small that a short text has many."""
    monkeypatch.setattr(corpus, "PIECE", 200)
    monkeypatch.setattr(corpus, "PART", 900)


# --------------------------------------------------------------------------- what is in it


@given(lines=token_text, piece=st.integers(1, 80), part=st.integers(1, 100))
@settings(max_examples=100)
def test_ids_of_tokens_give_the_sentences_back(folders, lines, piece, part):
    folder = next(folders)
    folder.mkdir()
    source = write(folder / "in", lines)
    words = [normalise(line).split() for line in lines.split("\n") if line.split()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "PIECE", piece)
        patch.setattr(corpus, "PART", part)
        if not words:
            with pytest.raises(SennaError, match="no words in it"):
                prepare(source, folder=folder / "out", kind="tokens")
            assert os.listdir(folder / "out") == []
            return
        text = prepare(source, folder=folder / "out", kind="tokens")
    assert decoded(text) == words
    assert text.n_words == sum(map(len, words))
    counts = Counter(itertools.chain(*words))
    assert text.words == sorted(counts, key=lambda word: (-counts[word], word))
    assert text.counts.tolist() == [counts[word] for word in text.words]
    again = read_text(folder / "out")
    assert (again.words, again.n_tokens) == (text.words, text.n_tokens)
    assert again.counts.tolist() == text.counts.tolist()


@given(
    texts=st.lists(raw_text, min_size=1, max_size=3),
    piece=st.integers(30, 200),
    part=st.integers(1, 400),
)
@settings(max_examples=60)
def test_ids_of_raw_text_give_the_sentences_back(folders, texts, piece, part):
    folder = next(folders)
    folder.mkdir()
    sources = [write(folder / f"in{i}", raw) for i, raw in enumerate(texts)]
    expected = [
        [normalise(token.text) for token in sentence]
        for raw in texts
        for _, segment in segments(io.StringIO(raw, newline="\n"), piece)
        for sentence in split(segment)
    ]
    if not expected:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "PIECE", piece)
        patch.setattr(corpus, "PART", part)
        assert decoded(prepare(*sources, folder=folder / "out")) == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("kind", "jobs", "part"), [("text", 3, 5000), ("tokens", 2, 900)])
def test_jobs_and_parts_change_nothing(tmp_path, monkeypatch, kind, jobs, part):
    sources = [write(tmp_path / f"{n}.txt", paragraphs_of(n)) for n in (7, 1, 40)]
    original = files_of(prepare(*sources, folder=tmp_path / "one", kind=kind).folder)
    for n_jobs, size in ((1, 1), (jobs, part)):
        monkeypatch.setattr(corpus, "PART", size)
        folder = tmp_path / f"{n_jobs}-{size}"
        prepare(*sources, folder=folder, kind=kind, jobs=n_jobs)
        assert files_of(folder) == original


def test_format(tmp_path):
    source = write(tmp_path / "in.txt", "\ufeffb a B\r\n\r\n007 a\tc\u00a0b")
    folder = prepare(source, folder=tmp_path / "out", kind="tokens").folder
    assert (folder / "words.tsv").read_bytes() == b"b\t3\na\t2\n0\t1\nc\t1\n"
    assert np.fromfile(folder / "ids.bin", "<u4").tolist() == [0, 1, 2, 1, 0, 3, 2, 4, 1, 0]
    meta = json.loads((folder / "text.json").read_bytes())
    about = source.stat()
    described = {"path": str(source), "bytes": about.st_size, "modified": about.st_mtime_ns}
    counts = {"format": 1, "tokens": 10, "words": 7}
    assert meta == {**counts, "input": "tokens", "case": "lower", "sources": [described]}


def test_one_very_long_line_is_one_sentence_and_not_one_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus, "PIECE", 100)
    monkeypatch.setattr(corpus, "LONGEST_WORD", 300)
    line = "anarchism  began " * 500 + "x" * 1000
    source = write(tmp_path / "in", line)
    pieces = list(corpus.read_pieces([source], "tokens"))
    assert max(len(piece.text) for piece in pieces) <= 400
    (sentence,) = decoded(prepare(source, folder=tmp_path / "out", kind="tokens"))
    assert sentence[:1000] == line.split()[:1000]
    assert "".join(sentence[1000:]) == "x" * 1000


# --------------------------------------------------------------------------- again, and resumed


def test_a_complete_folder_is_used_again(tmp_path, monkeypatch):
    source = write(tmp_path / "in", "a b a")
    original = prepare(source, folder=tmp_path / "out")
    monkeypatch.setattr(corpus, "read_pieces", None)  # nothing is read
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    text = prepare(Path("in"), folder=tmp_path / "out", say=said.append)
    assert text.words == original.words
    assert said == [f"{tmp_path / 'out'} holds this text already: 3 words"]


def test_ids_prepared_otherwise_than_asked_are_refused(tmp_path):
    source, folder = write(tmp_path / "in", "a b a"), tmp_path / "out"
    prepare(source, folder=folder)
    assert corpus.text_of(Job(tmp_path, text=folder), str).n_words == 3
    for kind, case, what in (
        ("text", "keep", "prepared with case 'lower', not 'keep'"),
        ("tokens", "lower", "prepared with input 'text', not 'tokens'"),
    ):
        with pytest.raises(SennaError, match=what):
            corpus.text_of(Job(tmp_path, text=folder, kind=kind, case=case), str)
        with pytest.raises(SennaError, match=what):
            prepare(source, folder=folder, kind=kind, case=case)


def test_another_text_in_the_folder_is_refused(tmp_path):
    source, folder = write(tmp_path / "in", "a b a"), tmp_path / "out"
    prepare(source, folder=folder)
    original = files_of(folder)
    other = write(tmp_path / "other", "c")
    with pytest.raises(SennaError, match=r"out: holds another text.*Choose another folder"):
        prepare(other, folder=folder)
    write(source, "a b c")
    os.utime(source, ns=(1, 1))
    with pytest.raises(SennaError, match="holds another text, or this one before it changed"):
        prepare(source, folder=folder)
    assert files_of(folder) == original


# --------------------------------------------------------------------------- what goes wrong


def test_bad_input(tmp_path):
    folder = tmp_path / "out"

    def refused(message: str, *sources: Path, **more: Any) -> None:
        with pytest.raises(SennaError, match=message) as caught:
            prepare(*sources, folder=folder, **more)
        assert "\n" not in str(caught.value)
        assert not any((folder / name).exists() for name in FILES)

    text = write(tmp_path / "in", "a\nb\n")
    refused("missing: No such file", tmp_path / "missing")
    refused("is a folder", tmp_path)
    (tmp_path / "latin").write_bytes("a\nZoë\n".encode("latin-1"))
    refused(r"latin:2: not valid UTF-8 \(byte 0xeb\). Convert the file", tmp_path / "latin")
    (tmp_path / "nul").write_bytes(b"a\nb\nc\0\n")
    refused("nul:3: a NUL byte: this is not text", tmp_path / "nul")
    refused("nul:3: a NUL byte: this is not text", text, tmp_path / "nul", kind="tokens", jobs=2)
    blank, empty = write(tmp_path / "blank", " \n\u00a0\n"), write(tmp_path / "empty", "")
    refused("blank: no words in it", blank)
    refused("no words in these texts", blank, empty)


@pytest.mark.parametrize("suffix", ["xz", "gz"])
def test_a_truncated_file_is_refused(tmp_path, suffix):
    whole = paragraphs_of(2000).encode()
    packed = lzma.compress(whole) if suffix == "xz" else gzip.compress(whole)
    source = tmp_path / f"in.{suffix}"
    source.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(SennaError, match=rf"in.{suffix}:\d+: cannot be read: Compressed file end"):
        prepare(source, folder=tmp_path / "out")
    assert os.listdir(tmp_path / "out") == []


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", FILES)
def test_a_full_disk_leaves_nothing_half_written(tmp_path, monkeypatch, name):
    source, folder = write(tmp_path / "in", paragraphs_of(30)), tmp_path / "out"
    original = files_of(prepare(source, folder=tmp_path / "whole").folder)
    with monkeypatch.context() as patch:
        fill_disk(patch, name)
        with pytest.raises(SennaError, match=f"{name}: cannot write: No space left on device"):
            prepare(source, folder=folder)
    left = {path.name for path in folder.rglob("*")}
    assert name not in left and not [name_left for name_left in left if name_left.endswith(".tmp")]
    assert "text.json" not in left
    prepare(source, folder=folder)
    assert files_of(folder) == original


def test_damaged_folders_are_refused(tmp_path):
    folder = prepare(write(tmp_path / "in", "b a b"), folder=tmp_path / "out").folder
    whole = files_of(folder)
    meta = json.loads(whole["text.json"])

    def refused(name: str, content: bytes | None, message: str) -> None:
        (folder / name).unlink()
        if content is not None:
            (folder / name).write_bytes(content)
        with pytest.raises(SennaError, match=message):
            read_text(folder)
        (folder / name).write_bytes(whole[name])

    refused("ids.bin", whole["ids.bin"][:-1], "ids.bin: 19 bytes, expected 20")
    refused("ids.bin", None, "ids.bin: 0 bytes, expected 20")
    refused("words.tsv", None, "words.tsv: No such file")
    refused("words.tsv", b"b\t2\na\n", "words.tsv: not a word and its count on every line")
    refused("words.tsv", b"b\t2\n\xff\t1\n", "words.tsv: not a word and its count on every line")
    refused("words.tsv", b"b\t2\n", "words.tsv: not the words of this text")
    refused("words.tsv", b"a\t1\nb\t2\n", "words.tsv: not the words of this text")
    refused("text.json", b"{", "text.json: damaged")
    refused("text.json", b"[1]", "text.json: damaged")
    refused("text.json", json.dumps(meta | {"tokens": "5"}).encode(), "text.json: damaged")
    refused("text.json", json.dumps(meta | {"format": 2}).encode(), "not a text prepared by this")
    refused("text.json", None, "out: no prepared text")
    assert read_text(folder).words == ["b", "a"]


# --------------------------------------------------------------------------- dictionaries


def text_of(counts: dict[str, int]) -> Text:
    n = sum(counts.values())
    return Text(Path("nowhere"), list(counts), np.array(list(counts.values()), np.int64), n + 1)


@pytest.mark.parametrize(
    "content", ["b\na\n", "b\na", "b\t2\na\t1\n", "\ufeffb\r\na\r\n\r\n\n", "b\n\n  \na\n"]
)
def test_words_in_their_order(tmp_path, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content.encode())
    assert read_dictionary(path) == ["b", "a"]
    packed = tmp_path / "words.txt.xz"
    packed.write_bytes(lzma.compress(content.encode()))
    assert read_dictionary(packed) == ["b", "a"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\nb\nc\nb\n", r"words.txt:4: 'b' is already on line 2\. Every word may occur only"),
        (b"a\t9\nb\na\t8\n", "words.txt:3: 'a' is already on line 1"),
        (b"", "words.txt: no words in it"),
        (b"\n\n", "words.txt: no words in it"),
        (b"a\tb\n", "words.txt:1: not a word and its count"),
        (b"a\n\t5\n", "words.txt:2: not a word and its count"),
        (b"a\t1\t2\n", "words.txt:1: not a word and its count"),
        (b"a\nb\0c\n", "words.txt:2: not a word and its count"),
        (b"a\n\xff\n", "words.txt:2: not valid UTF-8"),
    ],
)
def test_bad_dictionaries(tmp_path, content, message):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(SennaError, match=message):
        read_dictionary(path)
    with pytest.raises(SennaError, match="no such file"):
        read_dictionary(tmp_path / "none.txt")


@given(
    counts=st.dictionaries(st.text("abc", min_size=1), st.integers(1, 9), min_size=1),
    words=st.lists(st.text("abc", min_size=1), unique=True),
)
def test_remap_is_a_look_up(counts, words):
    table, covered = remap(text_of(counts), words)
    rows = ["", None, *words]
    assert table[0] == 0 and table.max() < len(rows)
    for i, word in enumerate(counts, 1):
        assert rows[table[i]] == (word if word in words else None)
    known = sum(n for word, n in counts.items() if word in words)
    assert covered == pytest.approx(known / sum(counts.values()))
