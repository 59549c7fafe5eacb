"""Open text and phrase lists: pinned sources, their readers, cleaning, mixing; on made-up files."""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from senna.errors import SennaError

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))  # as when they are run

import build_text  # noqa: E402
from open_sources import bring, cleaning, exclusion, mixing, phrases, prose, releases  # noqa: E402

LINE = "The {} of the town went to the river and saw that it was cold."


def written(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


# ------------------------------------------------------------------ sources


def test_sources_are_pinned_and_have_terms() -> None:
    for kind in ("text", "news", "phrases", "tests"):
        for source in bring.read_sources(kind).values():
            assert kind == "tests" or (source.licence and source.credit)
            for repository in source.repositories:
                assert re.fullmatch("[0-9a-f]{40}", repository.commit)
                assert re.fullmatch("[0-9a-f]{64}", repository.digest)


def test_every_text_source_has_a_reader() -> None:
    names = {*bring.read_sources("text"), *bring.read_sources("news")}
    assert names == {*build_text.READERS, "doj"}
    assert names >= set(build_text.LONG)


def repository(files: dict[str, str], pattern: str, **others: str) -> bring.Repository:
    lines = [
        f"{hashlib.sha256(text.encode()).hexdigest()} {path}\n"
        for path, text in files.items()
        if re.fullmatch(pattern, path)
    ]
    digest = others.get("digest", bring.digest_of(lines))
    return bring.Repository("us/ours", others.get("commit", "0" * 40), 1, digest, pattern)


def git_copy(folder: Path, files: dict[str, str]) -> str:
    """A git repository at owner+name/repo, and its commit."""
    root = written(folder / "us+ours" / "repo", files)
    git = ["git", "-C", str(root), "-c", "user.name=us", "-c", "user.email=us@x", "-c"]
    for command in ("init -q", "add -A", "commit -q -m one"):
        subprocess.run([*git, "commit.gpgsign=false", *command.split()], check=True)
    commit_id = subprocess.run(
        [*git, "x.y=z", "rev-parse", "HEAD"], capture_output=True, check=True
    )
    return commit_id.stdout.decode().strip()


FILES = {"a/one.txt": "one", "a/two.md": "two", "b ü/three.txt": "three"}


def test_used_files_come_from_a_git_copy(tmp_path: Path) -> None:
    commit = git_copy(tmp_path / "copies", FILES)
    source = bring.Source("ours", (repository(FILES, r".*\.txt", commit=commit),))
    (folder,) = bring.bring(source, tmp_path / "out", tmp_path / "copies")
    assert folder.name == "us+ours"
    texts = {path.relative_to(folder).as_posix() for path in folder.rglob("*.txt")}
    assert texts == {"a/one.txt", "b ü/three.txt"}
    assert bring.bring(source, tmp_path / "out", tmp_path / "nowhere") == [folder]


def test_other_files_are_refused_and_nothing_stays(tmp_path: Path) -> None:
    commit = git_copy(tmp_path / "copies", FILES)
    wrong = bring.Source("ours", (repository(FILES, ".*", commit=commit, digest="0" * 64),))
    with pytest.raises(SennaError, match="not the expected ones"):
        bring.bring(wrong, tmp_path / "out", tmp_path / "copies")
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    unknown = bring.Source("ours", (repository(FILES, ".*"),))
    with pytest.raises(SennaError, match="no copy with the commit 0000"):
        bring.bring(unknown, tmp_path / "out", tmp_path / "copies")


def test_used_files_come_from_an_archive(tmp_path: Path, monkeypatch) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name, text in {**FILES, "../out.txt": "x", "a/long.txt": "x" * bring.LONGEST}.items():
            member = tarfile.TarInfo(f"ours-1a2b/{name}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    monkeypatch.setattr("senna.corpora.archives.transfer", lambda *_: iter([packed.getvalue()]))
    (folder,) = bring.bring(
        bring.Source("ours", (repository(FILES, r".*\.txt"),)), tmp_path / "out"
    )
    assert (folder / "a/one.txt").read_text(encoding="utf-8") == "one"
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 2


# ------------------------------------------------------------------ cleaning


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        (LINE, LINE),
        (f"  {LINE.replace(' ', chr(0xA0) + ' ')}\t", LINE),
        (f"{LINE[:-1]}[12] .", LINE),
        (
            "Ada (/ˈeɪdə/; born 1815, ˈx) was one of the people that we have in mind.",
            "Ada (born 1815) was one of the people that we have in mind.",
        ),
        (
            "Ada (  ) &amp; Bea went to the river and saw that it was cold.",
            "Ada & Bea went to the river and saw that it was cold.",
        ),
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
def test_lines(raw: str, cleaned: str | None) -> None:
    assert cleaning.clean_line(raw) == cleaned


def test_paragraphs_with_a_sentence_of_a_test_set() -> None:
    keys = exclusion.keys_of(["We saw the river of the town.", "Too short."])
    assert exclusion.is_excluded("It rained. 'We saw the river, of the town.' Then?", keys)
    assert not exclusion.is_excluded("We saw the river of the town and more. Too short.", keys)


def test_test_sets_are_read(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x/one.txt", "Ada_NNP sings_VBZ\n")
    files = {"x.conllu": "# text = We saw.\n1\tWe\n", "y.zip": packed.getvalue()}
    assert list(exclusion.test_sentences(written(tmp_path, files))) == ["We saw.", "Ada sings", ""]
    text = "-DOCSTART- O\n\nIt O\nca O\nn't O\n\n"
    (tmp_path / "testa.xz").write_bytes(lzma.compress(text.encode()))
    assert list(exclusion.column_sentences(tmp_path / "testa.xz")) == ["It ca n't", "It can't"]


# ------------------------------------------------------------------ readers


def test_readers_of_articles_and_books(tmp_path: Path) -> None:
    folder = written(
        tmp_path / "standardebooks+ada_odes",
        {
            "wiki/2.txt": "2\nTitle\nOne.\nTwo.",
            "wiki/3.txt": "3\nAda\nAda may refer to:\nx",
            "recent/a": '<doc id="7" x>\nTitle\n\nSaid ""so"".\n</doc>\n',
            "ep/ep-1.txt": "<CHAPTER 1>\n<SPEAKER>\n(FR) Yes.\n",
            "novels/Byron_Ada_1899.txt": "\n\n".join(f"p{i}" for i in range(17)),
            "novels/Byron_Ada_1800.txt": "old",
            "se/chapter-1.xhtml": "<p>One <i>two</i><a epub:type='noteref'>1</a>.</p><p>v<br/></p>",
            "se/colophon.xhtml": "<p>Us.</p>",
            "news/a.csv": "url,text\nu,One.\n",
            "tei/a.xml": "<t xmlns='x'><div><div><p>One<note>n</note>.</p></div></div></t>",
            "plos/a.xml": "<a>Creative Commons Attribution<body><p>One [1,2].</p></body></a>",
            "plos/b.xml": "<a><body><p>Closed.</p></body></a>",
        },
    )
    assert list(prose.wikipedia_core(folder / "wiki")) == [("2.txt", ["One.", "Two."])]
    assert list(prose.wikipedia_recent(folder / "recent")) == [("7", ["", 'Said "so".', ""])]
    assert list(prose.europarl(folder / "ep"))[1] == ("ep-1.txt#1", ["", "Yes.", ""])
    assert list(prose.novels(folder / "novels")) == [("Byron_Ada_1899.txt", ["p15", "p16"])]
    assert list(prose.standardebooks(folder)) == [("ada_odes/chapter-1.xhtml", ["One two."])]
    assert list(prose.wikinews(folder / "news")) == [("u", ["One."])]
    assert list(prose.milestones(folder / "tei")) == [("a.xml#1", ["One."])]
    assert list(prose.plos(folder / "plos")) == [("a.xml", ["One."])]


def test_markdown_is_made_plain() -> None:
    text = (
        "---\ntitle: x\n---\n# Head\n\nA **bold** [link](to (x)) {{< y >}}and `code`.\n\n- item\n"
    )
    assert list(prose.plain_markdown(text)) == ["A bold link and code."]
    assert list(prose.plain_markdown("See:\n* one\n* two")) == []


def test_readers_of_releases(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "remarks/a.md": "---\ntitle: Talk\n---\nMR. BYRON:  We go. (Laughter.)\n\nSec. 1. No.",
            "remarks/b.md": "---\ntitle: What They Are Saying\n---\nGood.",
            "nasa/a.md": "It flew. Credit: NASA/Ada Byron\n\nContact us",
            "fed/x.json": json.dumps([{"url": "u", "content": "It rose.3 Then fell.\n1. Note"}]),
            "doj/a.html": '<div class="field--name-field-pr-body"><div class="field__item even">'
            "<p>WASHINGTON  Todays case.</p><p>WASHINGTON  The court ruled.It fell.</p>"
            "<p>He said no.</p></div></div></div>",
        },
    )
    assert list(releases.whitehouse(folder, "remarks")) == [("remarks/a.md", ["We go."])]
    assert list(releases.nasa(folder / "nasa")) == [("a.md", ["It flew."])]
    assert list(releases.fed(folder / "fed")) == [("u", ["It rose. Then fell."])]
    ((_, lines),) = releases.doj(folder / "doj", Counter())
    assert lines == ["WASHINGTON - The court ruled. It fell.", ""]


# ------------------------------------------------------------------ mixing


def test_long_documents_are_cut_and_short_ones_dropped() -> None:
    lines = [LINE.format(f"{n}th person") for n in range(300)]
    (_, whole), *others = mixing.clean([("a", lines), ("b", lines[:1])], set(), cut=False)
    assert (len(whole), others) == (300, [])
    pieces = [piece for _, piece in mixing.clean([("a", lines)], set(), cut=True)]
    assert [mixing.count(piece) >= mixing.PIECE for piece in pieces] == [True, False]
    assert [line for piece in pieces for line in piece] == lines


def test_documents_are_kept_in_a_file(tmp_path: Path) -> None:
    documents = [("one#1", ["a", "b"]), ("two", ["c"])]
    mixing.write_documents(documents, tmp_path / "x")
    assert list(mixing.read_documents(tmp_path / "x")) == documents


def test_shards_have_each_line_once_and_no_held_document(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("Ada (born 1815) was a poet.", "person"),
        ("Ada (born 1815) was a chess player.", "sport"),
        ("Leeds is a large city.", "place"),
        ("Byron & Sons is a brewery in the city.", "company"),
        ("The treaty ended it.", "affairs"),
        ("Blue is a colour.", ""),
    ],
)
def test_topics(line: str, topic: str) -> None:
    assert mixing.topic_of(line) == topic


# ------------------------------------------------------------------ phrases


def test_usable_phrases() -> None:
    candidates = [
        "Zoë  Byron ,",
        "young",
        "Young",
        "X",
        "Ab",
        "1860 Munich",
        "Ωmega",
        "—",
        "a b",
        "A" * 9,
    ]
    ordinary = {phrases.hashed("young")}
    kept = phrases.usable(candidates, "per", ordinary)
    assert kept == ["1860 Munich", "A" * 9, "Zoe Byron", "Zoë Byron"]
    assert "Ab" in phrases.usable(candidates, "misc", ordinary)


def test_legislators() -> None:
    block = "name:\n    first: Ada\n    last: 'Byron'\n    official_full: Ada Byron, Jr."
    assert list(phrases._legislator(block)) == ["Ada Byron", "Byron", "Ada Byron"]
    assert list(phrases._legislator("name:\n    first: Ada")) == []
