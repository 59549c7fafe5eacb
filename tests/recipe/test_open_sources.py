"""Open text and phrase lists: pinned sources, their readers, cleaning, mixing; on made-up files."""

import hashlib
import io
import lzma
import re
import tarfile
import zipfile
from pathlib import Path

import build_text
import pytest
from open_sources import bring, cleaning, exclusion, mixing, phrases

from senna.errors import SennaError

LINE = "The {} of the town went to the river and saw that it was cold."


def written(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


# ------------------------------------------------------------------ sources


def test_sources_are_pinned_and_have_terms():
    for kind in ("text", "news", "phrases", "tests"):
        for source in bring.read_sources(kind).values():
            assert kind == "tests" or (source.licence and source.credit)
            for repository in source.repositories:
                assert re.fullmatch("[0-9a-f]{40}", repository.commit)
                assert re.fullmatch("[0-9a-f]{64}", repository.digest)


def test_every_text_source_has_a_reader():
    names = {*bring.read_sources("text"), *bring.read_sources("news")}
    assert names == {*build_text.READERS, "doj"}
    assert names >= set(build_text.LONG)


def repository(files: dict[str, str], pattern: str, digest: str = "") -> bring.Repository:
    lines = [
        f"{hashlib.sha256(text.encode()).hexdigest()} {path}\n"
        for path, text in files.items()
        if re.fullmatch(pattern, path)
    ]
    return bring.Repository("us/ours", "0" * 40, 1, digest or bring.digest_of(lines), pattern)


FILES = {"a/one.txt": "one", "a/two.md": "two", "b ü/three.txt": "three"}


@pytest.fixture
def archive(monkeypatch) -> None:
    """The archive of a repository with files, of which one is too long and one lies outside."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name, text in {**FILES, "../out.txt": "x", "a/long.txt": "x" * bring.LONGEST}.items():
            member = tarfile.TarInfo(f"ours-1a2b/{name}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    monkeypatch.setattr("senna.corpora.download.transfer", lambda *_: iter([packed.getvalue()]))


@pytest.mark.usefixtures("archive")
def test_used_files_come_from_an_archive(tmp_path, monkeypatch):
    source = bring.Source("ours", (repository(FILES, r".*\.txt"),))
    (folder,) = bring.bring(source, tmp_path / "out")
    assert folder.name == "us+ours"
    texts = {path.relative_to(folder).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert texts == {"a/one.txt", "b ü/three.txt"}
    assert (folder / "a/one.txt").read_text(encoding="utf-8") == "one"
    monkeypatch.setattr("senna.corpora.download.transfer", None)
    assert bring.bring(source, tmp_path / "out") == [folder]  # what is there stays


@pytest.mark.usefixtures("archive")
def test_other_files_are_refused_and_nothing_stays(tmp_path):
    wrong = bring.Source("ours", (repository(FILES, r".*\.txt", digest="0" * 64),))
    with pytest.raises(SennaError, match="not the expected ones"):
        bring.bring(wrong, tmp_path / "out")
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]


# ------------------------------------------------------------------ cleaning


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        (LINE, LINE),
        (f"  {LINE.replace(' ', chr(0xA0) + ' ')}\t", LINE),
        (f"{LINE[:-1]}[12] .", LINE),
        (LINE.format("Ada (/ˈeɪdə/; born 1815, ˈx)"), LINE.format("Ada (born 1815)")),
        (LINE.format("Ada (  ) &amp; Bea"), LINE.format("Ada & Bea")),
        ("The river was.", None),  # too short
        (LINE[:-1], None),  # no end
        (LINE.replace("town", "www.x.org"), None),
        (LINE.replace("town", "{{town}}"), None),
        (LINE.replace("it was", "it dont"), None),
        (f"- {LINE}", None),
        ("Ada, Bea, Cleo, Dora, Edna, Fay and Gwen, Hal, Ivy, Jo.", None),  # names
        ("THE RIVER OF THE TOWN WAS COLD AND WIDE, AND WE SAW IT.", None),
    ],
)
def test_lines(raw, cleaned):
    assert cleaning.clean_line(raw) == cleaned


def test_paragraphs_with_a_sentence_of_a_test_set():
    keys = exclusion.keys_of(["We saw the river of the town.", "Too short."])
    assert exclusion.is_excluded("It rained. 'We saw the river, of the town.' Then?", keys)
    assert not exclusion.is_excluded("We saw the river of the town and more. Too short.", keys)


def test_test_sets_are_read(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x/one.txt", "Ada_NNP sings_VBZ\n")
    files = {"x.conllu": "# text = We saw.\n1\tWe\n", "y.zip": packed.getvalue()}
    assert list(exclusion.test_sentences(written(tmp_path, files))) == ["We saw.", "Ada sings", ""]
    text = "-DOCSTART- O\n\nIt O\nca O\nn't O\n\n"
    (tmp_path / "testa.xz").write_bytes(lzma.compress(text.encode()))
    assert list(exclusion.column_sentences(tmp_path / "testa.xz")) == ["It ca n't", "It can't"]


# ------------------------------------------------------------------ mixing


def test_shards_have_each_line_once_and_no_held_document(tmp_path):
    parts = {}
    for name in ("novels", "plos"):
        documents = [
            (f"{name}{n}", [LINE.format(f"{name} {n} {i}") for i in range(4)] + [LINE])
            for n in range(90)
        ]
        parts[name] = tmp_path / name
        mixing.write_documents(documents, parts[name])
    words = {"novels": float("inf"), "plos": 300.0}
    shards = mixing.mix(parts, words)
    assert shards == mixing.mix(parts, words)
    assert len(shards) == mixing.SHARDS
    lines = [line for shard in shards for document in shard for line in document]
    assert len(lines) == len(set(lines))
    assert 0 < sum("plos" in line for line in lines) < 30
    held = [n for n in range(90) if mixing.is_held("novels", f"novels{n}")]
    assert held and not any(f"novels {n} " in line for n in held for line in lines)

    wiki = [
        (str(n), [f"The bank was a company of the town, and {n} is its number."] * 6)
        for n in range(9)
    ]
    mixing.write_documents(wiki, tmp_path / "wiki")
    mixing.write_documents([("a", [lines[0]] * 9)], tmp_path / "nasa")
    news = mixing.mix_news(
        {"nasa": tmp_path / "nasa"}, {"nasa": 1e9}, tmp_path / "wiki", lines, set()
    )
    assert [shard for shard in news if shard] == []  # all too short once double lines are gone


# ------------------------------------------------------------------ phrases


def test_usable_phrases():
    candidates = ["Zoë  Byron ,", "1860 Munich", "A" * 9]
    candidates += "young;Young;X;Ab;Ωmega;—;a b".split(";")
    ordinary = {phrases.hashed("young")}
    kept = phrases.usable(candidates, "per", ordinary)
    assert kept == ["1860 Munich", "A" * 9, "Zoe Byron", "Zoë Byron"]
    assert "Ab" in phrases.usable(candidates, "misc", ordinary)
