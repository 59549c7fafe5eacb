"""scripts/thesis_tables.py: trainings of labels, what is measured of them, and the page."""

from __future__ import annotations

import json
import lzma
import sys
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from senna.config import override, read_config
from senna.toml import write_config
from senna.training.build import check_names
from senna.training.unused import unused
from tests.training.test_labelled_trees import SETTINGS, trees

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, where its corpora are small and made up."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    data = tmp_path / "data" / "research"
    for split, seed in (("train", 0), ("dev", 1), ("test", 2)):
        write(data / "sst" / f"{split}.trees.xz", trees(seed, 30))
    texts = [f"{'good' if i % 2 else 'bad'}\tIt is {'fine' if i % 2 else 'dull'} {i // 3}.\n"
             for i in range(90)]  # fmt: skip
    write(data / "sentences" / "mr" / "without_sst.xz", "".join(texts[:60]))
    write(data / "sentences" / "mr" / "sst_dev_test.xz", "".join(texts[60:]))
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    for name in ("paper_tables", "paper_rows", "thesis_tables", "thesis_rows"):
        sys.modules.pop(name, None)
    return import_module("thesis_tables")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write(text)


def test_all_trainings_are_configurations(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SCRIPTS.parent)
    tables = script.Sentences(script.rows(), script.trainings(), Path("runs/x"))
    for name in tables.trainings:
        config = tables.configuration(name, 3)
        assert config.tasks == ("label",) and config.train.seed == 3
        check_names(config)
        assert not list(unused(config)), name
    assert {row.training for row in tables.rows} == set(tables.trainings)
    assert tables.seeds("five-way-gru", 5) == 5 and tables.seeds("binary-bag", 5) == 2
    assert tables.seeds("binary-tensor", 5) == 5
    assert tables.seeds("mr", 5) == 10


def test_rows_are_run_measured_and_written(script: ModuleType) -> None:
    small = [s for s in SETTINGS if "epochs" not in s]
    tree = Path("tree.toml")
    config = read_config(SCRIPTS.parent / "configs/sst/tree-gru.toml")
    write_config(tree, override(config, [*small, "train.epochs=2", "train.batch=5"]))
    fake = {
        name: script.trainings()[name].__class__(str(tree), (f"network.recursive.cell={cell}",))
        for name, cell in (("binary-gru", "gru"), ("binary-lstm", "lstm"))
    }
    rows = [row for row in script.rows() if row.training in (*fake, "mr")]
    tables = script.Sentences(rows, fake, Path("runs/sentences"))
    for _ in range(2):  # what is done is not repeated
        only = ["--only", "binary-gru,binary-lstm", "--runs", "2", "--write", "page.md"]
        assert script.main(only, tables) == 0
    lines = Path("runs/sentences/results.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    page = Path("page.md").read_text(encoding="utf-8")
    [gru] = [line for line in page.splitlines() if line.startswith("| Tree-GRU")]
    accuracies = [json.loads(line)["scores"]["label"] for line in lines if "-gru" in line]
    mine = [scores["research/sst test"] for scores in accuracies]
    assert f"| 85.61 ± 0.93 | {np.mean(mine):.2f} ± {np.std(mine, ddof=1):.2f} |" in gru
    assert "\n\nNot run: `mr`.\n" in page and "| CPU minutes |" in page
    assert "points from Tree-LSTM; a permutation test" in page


def test_what_was_not_run_stays_as_the_page_has_it(script: ModuleType) -> None:
    page = (SCRIPTS.parent / "docs/sentences.md").read_text(encoding="utf-8")
    every = script.Sentences(script.rows(), script.trainings(), Path("runs/none"))
    assert script.page(every, page) == page


def test_folds_are_parts_of_the_whole_without_a_text_in_two(script: ModuleType) -> None:
    script.write_folds("mr", Path("folds"))
    tests = []
    for seed in range(1, 11):
        parts = [
            Path(f"folds/mr-{seed}-{part}.tsv").read_text(encoding="utf-8").splitlines()
            for part in ("train", "dev", "test")
        ]
        assert sum(map(len, parts)) == 90
        texts = [{line.partition("\t")[2] for line in part} for part in parts]
        assert not (texts[0] & texts[1] or texts[1] & texts[2] or texts[0] & texts[2])
        tests += parts[2]
    assert len(tests) == 90


def test_the_paired_test_is_that_of_all_signs(script: ModuleType) -> None:
    one, other = ["1110110", "1110111"], ["0110100", "1010101"]
    points, chance = script.paired(one, other)
    difference = np.array([[int(a) for a in row] for row in one]).mean(0)
    difference -= np.array([[int(a) for a in row] for row in other]).mean(0)
    sums = [abs(np.dot(signs, difference)) for signs in product([-1, 1], repeat=7)]
    assert points == pytest.approx(100 * difference.mean())
    exact = np.mean(np.array(sums) >= abs(difference.sum()) - 1e-9)
    assert chance == pytest.approx(exact, abs=0.02)


def test_pairs_of_sentences(script: ModuleType) -> None:
    """Fifty of each kind, each beside another text with a word that negates."""
    pairs = script.read_pairs()
    assert [kind for kind, *_ in pairs] == ["positive"] * 50 + ["negative"] * 50
    assert len({text for _, *both in pairs for text in both}) == 200
    marks = ("not", "n't", "never", "no", "nor", "nothing", "hardly", "without", "cannot", "far")
    for _, plain, negated in pairs:
        words = negated.lower().replace("n't", " n't").rstrip(".").split()
        assert any(mark in words for mark in marks), negated
        assert not any(mark in plain.lower().rstrip(".").split() for mark in marks), plain
