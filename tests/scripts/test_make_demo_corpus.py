"""The committed demonstration corpus is what its script writes; a tree's columns by hand."""

import subprocess
import sys
from pathlib import Path

import pytest

import senna
from senna.outputs.conllu import read_gold
from senna.training.examples.corpora import demo_data

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
SCRIPT = ROOT / "scripts" / "make_demo_corpus.py"
Rows = list[list[str]]


def blocks(task: str, part: str) -> list[Rows]:
    text = (DEMO / task / f"{part}.txt").read_text(encoding="utf-8")
    texts = [block.split("\n") for block in text.strip().split("\n\n")]
    return [[line.split("\t") for line in block] for block in texts]


def sentences(task: str, part: str) -> list[Rows]:
    return [block for block in blocks(task, part) if block != [["-DOCSTART-", "O"]]]


def test_script_gives_the_committed_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SCRIPT), "--out", str(tmp_path)], check=True)
    written = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*") if path.is_file()}
    committed = {path.relative_to(DEMO) for path in DEMO.glob("*/*") if path.parent.name != "ud"}
    assert set(written) == committed
    for name, path in written.items():
        assert path.read_bytes() == (DEMO / name).read_bytes(), name


@pytest.mark.parametrize(("part", "n"), [("train", 60), ("dev", 20)])
def test_the_treebank_is_read_for_each_task_of_it(part: str, n: int) -> None:
    path = DEMO / "ud" / f"{part}.conllu"
    for task in ("pos", "lemma", "upos", "feats", "dep"):
        with open(path, encoding="utf-8") as lines:
            gold = list(read_gold(task, lines, str(path), ""))
        assert len(gold) == len({tuple(sentence.forms) for sentence in gold}) == n
        [source] = getattr(demo_data(task, DEMO), part)
        assert task == "pos" or Path(source.corpus) == path
    [doc] = senna.read(path)
    assert doc[0].text.endswith(".") and doc[0].root is not None


def column(rows: Rows, index: int) -> list[str]:
    return [row[index] for row in rows]


def test_no_sentence_of_dev_or_test_is_in_another_part() -> None:
    texts = {
        part: {" ".join(column(rows, 0)) for rows in sentences("pos", part)}
        for part in ("train", "dev", "test")
    }
    assert not texts["train"] & texts["dev"]
    assert not (texts["train"] | texts["dev"]) & texts["test"]


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
