"""The committed demonstration corpus is what its script writes, and its formats agree."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
SCRIPT = ROOT / "scripts" / "make_demo_corpus.py"
PARTS = ["train", "dev", "test"]

Rows = list[list[str]]
Item = tuple[int, int, str]


def blocks(task: str, part: str) -> list[Rows]:
    text = (DEMO / task / f"{part}.txt").read_text(encoding="utf-8")
    texts = [block.split("\n") for block in text.strip().split("\n\n")]
    return [[line.split("\t") for line in block] for block in texts]


def sentences(task: str, part: str) -> list[Rows]:
    return [block for block in blocks(task, part) if block != [["-DOCSTART-", "O"]]]


def tree_lines(part: str) -> list[str]:
    return (DEMO / "trees" / f"{part}.mrg").read_text(encoding="utf-8").splitlines()


def read_tree(line: str) -> tuple[list[list[str]], list[list[str]], list[Item]]:
    """The (word, tag) leaves, the labels of each leaf's ancestors, and all constituents."""
    leaves, paths, spans, stack = [], [], [], []
    for label, word, close in re.findall(r"\((\S+) (?:([^\s()]+)(?=\)))?|(\))", line):
        if close:
            start, name = stack.pop()
            if start != -1:
                spans.append((start, len(leaves), name))
        elif word:
            leaves.append([word, label])
            paths.append([name for _, name in stack])
            stack.append((-1, label))
        else:
            stack.append((len(leaves), label))
    assert not stack
    return leaves, paths, spans


def phrases(tags: list[str]) -> list[Item]:
    """Phrases of a strictly well-formed IOB2 or IOBES tagging."""
    items: list[Item] = []
    for i, tag in enumerate(tags):
        place, _, label = tag.partition("-")
        if place in ("B", "S"):
            items.append((i, i + 1, label))
        elif place in ("I", "E"):
            start, end, before = items[-1]
            assert (end, before) == (i, label), tags
            items[-1] = (start, i + 1, label)
        else:
            assert tag == "O"
    return items


def test_script_gives_the_committed_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SCRIPT), "--out", str(tmp_path)], check=True)
    written = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*") if path.is_file()}
    committed = {path.relative_to(DEMO) for path in DEMO.glob("*/*")}
    assert set(written) == committed
    for name, path in written.items():
        assert path.read_bytes() == (DEMO / name).read_bytes(), name


def test_it_stays_small() -> None:
    assert sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file()) < 600_000


@pytest.mark.parametrize("part", PARTS)
def test_all_tasks_have_the_same_words_and_tags(part: str) -> None:
    expected = [read_tree(line)[0] for line in tree_lines(part)]
    assert sentences("pos", part) == expected
    assert [[row[:2] for row in rows] for rows in sentences("chunk", part)] == expected
    assert [[row[:2] for row in rows] for rows in sentences("pt0", part)] == expected
    assert [[row[1:3] for row in rows] for rows in sentences("srl", part)] == expected
    words = [[row[:1] for row in rows] for rows in expected]
    assert [[row[:1] for row in rows] for rows in sentences("ner", part)] == words


@pytest.mark.parametrize("part", PARTS)
def test_trees_are_clean(part: str) -> None:
    for line in tree_lines(part):
        assert line.startswith("(TOP (") and line.count("(") == line.count(")")
        spans = read_tree(line)[2]
        assert max(Counter(spans).values()) == 1, line  # no NP over the same NP
        assert all(end > start for start, end, _ in spans), line


@pytest.mark.parametrize("part", PARTS)
def test_entities_open_with_documents_and_are_valid_iob2(part: str) -> None:
    read_blocks = blocks("ner", part)
    assert read_blocks[0] == [["-DOCSTART-", "O"]] != read_blocks[-1]
    labels = {item[2] for rows in sentences("ner", part) for item in phrases(column(rows, 1))}
    assert labels == {"PER", "LOC", "ORG", "MISC"}


def column(rows: Rows, index: int) -> list[str]:
    return [row[index] for row in rows]


@pytest.mark.parametrize("part", PARTS)
def test_level_zero_is_the_run_of_sister_words(part: str) -> None:
    for line, rows in zip(tree_lines(part), sentences("pt0", part), strict=True):
        _, paths, _ = read_tree(line)
        inner = [[name for name in path if name != "NML"][-1] for path in paths]
        tags = column(rows, 2)
        assert [tag.partition("-")[2] or None for tag in tags] == [
            None if name in ("S", "TOP") else name for name in inner
        ]
        for start, end, _ in phrases(tags):  # B..E or S
            places = "".join(tag[0] for tag in tags[start:end])
            assert re.fullmatch(r"S|BI*E", places), line


@pytest.mark.parametrize("part", PARTS)
def test_chunks_are_valid_and_cross_no_entity_of_one_noun_phrase(part: str) -> None:
    kinds = Counter(
        label for rows in sentences("chunk", part) for *_, label in phrases(column(rows, 2))
    )
    assert set(kinds) == {"NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "PRT", "INTJ"}
    pairs = zip(sentences("chunk", part), sentences("ner", part), strict=True)
    for chunk_rows, ner_rows in pairs:
        chunks = [item for item in phrases(column(chunk_rows, 2)) if item[2] == "NP"]
        for start, end, _ in phrases(column(ner_rows, 1)):
            if "of" not in column(ner_rows, 0)[start:end]:
                assert any(a <= start and end <= b for a, b, _ in chunks), chunk_rows


@pytest.mark.parametrize("part", PARTS)
def test_role_columns_are_balanced_constituents_of_their_predicate(part: str) -> None:
    for line, rows in zip(tree_lines(part), sentences("srl", part), strict=True):
        assert column(rows, 0) == [str(i + 1) for i in range(len(rows))]
        verbs = [i for i, row in enumerate(rows) if row[4] != "-"]
        assert all((row[4] == "-") == (row[5] == "-") for row in rows)
        assert all(len(row) == 6 + len(verbs) for row in rows)
        spans = {item[:2] for item in read_tree(line)[2]}
        for k, verb in enumerate(verbs):
            roles = arguments(column(rows, 6 + k))
            assert [item for item in roles if item[2] == "V"] == [(verb, verb + 1, "V")]
            for start, end, role in roles:
                assert end - start == 1 or (start, end) in spans, line
                assert not role.startswith("C-") or any(
                    other == role[2:] and at < start for at, _, other in roles
                ), line


def arguments(cells: list[str]) -> list[Item]:
    """The spans of one bracket column, which never nest."""
    roles, opened = [], None
    for i, cell in enumerate(cells):
        match = re.fullmatch(r"(?:\(([A-Z0-9-]+))?\*(\))?", cell)
        assert match, cell
        if match[1]:
            assert opened is None
            opened = (i, match[1])
        if match[2]:
            assert opened is not None
            roles.append((opened[0], i + 1, opened[1]))
            opened = None
    assert opened is None
    return roles


def test_no_sentence_of_dev_or_test_is_in_another_part() -> None:
    texts = {part: {" ".join(column(rows, 0)) for rows in sentences("pos", part)} for part in PARTS}
    assert not texts["train"] & texts["dev"]
    assert not (texts["train"] | texts["dev"]) & texts["test"]


def test_learning_it_by_heart_is_not_enough() -> None:
    """Some names of dev and test are new, and words of train have several tags and entities."""
    known = {row[0] for rows in sentences("ner", "train") for row in rows}
    for part in ("dev", "test"):
        names = [row[0] for rows in sentences("ner", part) for row in rows if row[1] != "O"]
        assert 0.15 < sum(name not in known for name in names) / len(names) < 0.6
    tags: dict[str, set[str]] = {}
    for rows in sentences("pos", "train"):
        for word, tag in rows:
            tags.setdefault(word.lower(), set()).add(tag)
    assert sum(len(tags_of_word) > 1 for tags_of_word in tags.values()) > 40
    assert {"NN", "VB"} <= tags["report"] | tags["visit"] | tags["offer"]


def test_columns_of_a_sentence_checked_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from demo_corpus.columns import chunk_rows, ner_rows, srl_rows
    from demo_corpus.tree import Predicate, leaf, named, number, phrase, words

    owner = phrase("NP", *named("ORG", words("Tolmere/NNP")), leaf("POS", "'s"))
    subject = phrase("NP", owner, leaf("NN", "mayor"))
    bridge = phrase("NP", *words("a/DT long/JJ bridge/NN"))
    plans, opens = words("plans/VBZ open/VB")
    inner = phrase("S", phrase("VP", leaf("TO", "to"), phrase("VP", opens, bridge)))
    plans.predicate = Predicate("plan.01", "v", [("A0", subject), ("A1", inner)])
    opens.predicate = Predicate("open.01", "v", [("A0", subject), ("A1", bridge)])
    end = leaf(".", ".")
    tree = number(phrase("TOP", phrase("S", subject, phrase("VP", plans, inner), end)))
    assert column(ner_rows(tree), 1) == ["B-ORG"] + ["O"] * 9
    chunks = "B-NP B-NP I-NP B-VP I-VP I-VP B-NP I-NP I-NP O".split()
    assert column(chunk_rows(tree), 2) == chunks
    rows = srl_rows(tree)
    assert column(rows, 3) == "B-NP E-NP S-NP S-VP S-VP S-VP B-NP I-NP E-NP O".split()
    assert column(rows, 6) == "(A0* * *) (V*) (A1* * * * *) *".split()
    assert column(rows, 7) == "(A0* * *) * * (V*) (A1* * *) *".split()


def test_sample_text_is_plain_utf8() -> None:
    text = (ROOT / "data" / "sample.txt").read_bytes().decode("utf-8")
    assert "\r" not in text and "\t" not in text and text.endswith("\n")
    assert 1500 < len(text) < 6000
