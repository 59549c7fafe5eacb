"""scripts/tables.py: rows are run once, continue after an interruption, and are printed."""

import json
import lzma
import sys
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from senna.files import resource
from senna.training.build import check_names
from senna.training.config import override, read_config, write_config
from tests.lab.networks.test_labelled_trees import SETTINGS, trees
from tests.processes import ROOT
from tests.tiny import small_config
from tests.toys import stop_at_save

PICKS = ("worst", "mean", "best")
WRITE = ("paper", "--seeds", "2")
PAGES = ("paper", "sentences", "embeddings")


@pytest.fixture
def script(monkeypatch, tmp_path) -> ModuleType:
    monkeypatch.chdir(tmp_path)
    sys.modules.pop("tables", None)
    return import_module("tables")


def tiny(script: ModuleType, *settings: str) -> Any:
    """Two rows, of which one can be run."""
    config = Path("tiny.toml")
    write_config(config, small_config("ner", "network.gated.units=8", "data.ner.size=60"))
    fake = {
        "fake": script.Training(str(config), settings),
        "long": script.Training(str(config), (*settings, "train.epochs=3"), slow=True),
    }
    rows = [
        script.Row("4", "NN+WLL", "ner", 79.53, "fake"),
        script.Row("4", "NN+SLL", "ner", 81.47, "long"),
    ]
    test = resource("data/demo/ner/test.txt")
    about = {
        "kind": "published",
        "tests": {"ner": f"{test.name} test"},
        "tables": {"4": "Table 4", "11": "Ensembles", "causes": "Causes"},
    }
    return script.Rows("paper", Path("runs/paper"), rows, fake, about)


def lines() -> list[dict[str, Any]]:
    return [json.loads(text) for text in Path("runs/paper/results.jsonl").read_text().splitlines()]


def test_rows_are_run_once_and_printed_beside_the_published(script, capsys):
    assert script.main(WRITE, tiny(script)) == 0
    assert [(line["training"], line["seed"]) for line in lines()] == [("fake", 1), ("fake", 2)]
    values = [line["scores"]["ner"]["test.txt test"] for line in lines()]
    mean, spread = sum(values) / 2, abs(values[0] - values[1]) / 2**0.5
    printed = capsys.readouterr().out
    assert f"| NN+WLL | 79.53; {mean:.2f}±{spread:.2f} (2) | fake |" in printed
    assert script.main(WRITE, tiny(script)) == 0
    again = capsys.readouterr()
    assert again.out == printed and "to do" not in again.err
    assert len(lines()) == 2
    table = script.Table.of(tiny(script), "4", ["long"])
    assert list(table.lines())[-1] == "| NN+SLL | 81.47; not run | long |"


def rows_of_page(name: str) -> set[str]:
    """The first cells of the rows of the tables of a page whose figures are those of networks."""
    found, inside = set(), False
    for line in (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith(("| network |", "| vectors |")):
            inside = True
        elif line[:2] != "| ":
            inside = inside and line[:1] == "|"
        elif inside:
            found.add(cells[0])
    return found


@pytest.mark.parametrize("name", PAGES)
def test_the_rows_of_the_pages_can_be_run(script, name):
    assert rows_of_page(name) <= {row.name for row in script.read_rows(name).rows} != set()


def noted(rows: Any, training: str, seed: int, scores: dict[str, Any]) -> None:
    """Add a result."""
    about = rows.trainings[training]
    line = {"training": training, "seed": seed, "scores": scores, "cpu_minutes": 5.5}
    line["settings"] = [about.config, *about.settings]
    rows.out.mkdir(parents=True, exist_ok=True)
    with rows.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def test_cells_of_vectors_have_two_sets_and_half_the_range(script):
    rows = script.read_rows("embeddings")
    sets = {"pos/ewt dev": 94.0, "pos/ewt test": 95.0, "pos/gum dev": 96.0}
    more = {"chunk/ewt dev": 91.0, "chunk/ewt test": 92.0}
    more |= {"chunk/masc dev": 91.5, "chunk/masc test": 92.5}
    noted(rows, "joined-pos-chunk", 1, {"pos": sets, "chunk": more})
    for seed, value in ((1, 89.0), (2, 90.0)):
        both = {"dev": value, "research/conll2000 test": value + 2}
        noted(rows, "joined-conll-chunk", seed, {"chunk": both})
    names = [row.training for row in rows.rows]
    text = "\n".join(
        x for table in ("conll", "open") for x in script.Table.of(rows, table, names).lines()
    )
    assert "| 94.00 (95.00) | 96.00 | 91.00 (92.00) | 91.50 (92.50) |" in text
    assert "| 89.50±0.50 | 91.50±0.50 |" in text


def test_members_of_ensembles_and_causes(script, monkeypatch, capsys):
    """The members are trained, whatever --seeds is."""
    monkeypatch.setattr(script, "MEMBERS", 3)
    known = tiny(script, "train.epochs=1")
    known.rows.append(script.Row("causes", "start", "ner", 0.0, "fake"))
    known.rows.extend(script.Row("11", f"the {pick}", "ner", 8.5, "fake", pick) for pick in PICKS)
    known.trainings["join"] = replace(known.trainings["fake"], ensemble="join", of="fake")
    known.rows.append(script.Row("11", "a join", "ner", 0.0, "join"))
    options = ("paper", "--seeds", "1", "--table", "11")
    assert script.main(options, known) == 0
    assert [(line["training"], line["seed"]) for line in lines()] == [
        ("fake", seed) for seed in (1, 2, 3)
    ]
    members = [line["scores"]["ner"]["test.txt test"] for line in lines()]
    printed = capsys.readouterr().out
    for pick, figure in zip(PICKS, (min(members), sum(members) / 3, max(members)), strict=True):
        assert f"| the {pick} | 8.50; {figure:.2f} | fake |" in printed
    assert "| a join | -; not run | join |" in printed
    dev = [line["scores"]["ner"]["dev.txt dev"] for line in lines()]
    cause = list(script.Table.of(known, "causes", ["fake"]).lines())[-1]
    assert cause.startswith(f"| start | {np.mean(dev):.2f}±{np.std(dev, ddof=1):.2f}; ")
    assert script.main(("paper", "--list", "--table", "11"), known) == 0
    listed = "fake seeds 1, 2, 3, 0 CPU minutes join not run"
    assert capsys.readouterr().out.split() == listed.split()
    assert script.main(("paper", "--commands", "--only", "fake,join"), known) == 0
    assert capsys.readouterr().out.splitlines() == [
        "senna train --config tiny.toml --set train.epochs=1",
        "senna ensemble join runs/paper/fake/seed-{1..3} --out join",
    ]


def test_it_continues_where_it_was_stopped(script, monkeypatch, capsys):
    saved = stop_at_save(monkeypatch, 3)
    assert script.main(WRITE, tiny(script)) == 130
    assert [line["seed"] for line in lines()] == [1]
    # Killed before the line of a whole run was written: it is not trained again.
    Path("runs/paper/results.jsonl").unlink()
    capsys.readouterr()
    assert script.main(WRITE, tiny(script)) == 0
    assert [line["seed"] for line in lines()] == [1, 2]
    told = capsys.readouterr().err
    assert "to do: fake, seed 1" not in told and "\nepoch   2  loss" in told
    assert len(saved) == 4


def test_a_run_with_other_settings_is_left_alone(script, capsys):
    assert script.main(WRITE, tiny(script)) == 0
    assert script.main(WRITE, tiny(script, "train.batch=3")) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == "tables: runs/paper/fake/seed-1: holds a run with other settings. Remove it."


def test_what_fails_leaves_the_other_rows(script, capsys):
    """A corpus that is not there, and a training that diverges."""
    missing = tiny(script, 'data.ner.train=["none/such"]')
    assert script.main(WRITE, missing) == 0
    assert "fake is left out: no corpus is called 'none/such'" in capsys.readouterr().err
    sgd = ("train.optimiser=sgd", "train.learning_rate=1000", "train.clip=0.0")
    assert script.main(WRITE, tiny(script, *sgd)) == 0
    error = capsys.readouterr().err
    assert "fake, seed 1 failed: train.learning_rate = 1000: the training diverged" in error
    assert "fake, seed 2 failed: " in error


def test_bad_input(script, capsys):
    for option, message in (
        ("--only none", "--only: no training 'none'. --list names them."),
        ("--table 5", "--table: no rows of table 5. There are 4."),
    ):
        assert script.main(("paper", *option.split()), tiny(script)) == 2
        assert capsys.readouterr().err == f"tables: {message}\n"


@pytest.mark.parametrize("name", PAGES)
def test_every_training_can_be_configured(script, monkeypatch, name):
    """Its names fit each other, and it has the test set of its row."""
    monkeypatch.chdir(ROOT)
    rows = script.read_rows(name)
    assert {row.training for row in rows.rows} == set(rows.trainings)
    assert len(rows.trainings) == {"paper": 154, "sentences": 41, "embeddings": 19}[name]
    for training in rows.trainings:
        config = rows.configuration(training, 3)
        assert config.train.seed == 3
        if name != "embeddings":
            check_names(config)
    for row in rows.rows if name == "paper" else ():
        corpus, _, split = rows.about["tests"][row.task].partition(" ")
        tests = rows.configuration(row.training, 1).data[row.task].test
        assert any((s.corpus, s.split or "test") == (corpus, split) for s in tests)


# --------------------------------------------------------------------------- sentences


@pytest.fixture
def sets(monkeypatch, tmp_path) -> None:
    """Corpora of sentences that are small and made up."""

    def write(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with lzma.open(path, "wt", encoding="utf-8") as file:
            file.write(text)

    data = tmp_path / "data" / "research"
    for split, seed in (("train", 0), ("dev", 1), ("test", 2)):
        write(data / "sst" / f"{split}.trees.xz", trees(seed, 12))
    texts = [f"{'good' if i % 2 else 'bad'}\tIt is {'fine' if i % 2 else 'dull'} {i // 3}.\n"
             for i in range(90)]  # fmt: skip
    write(data / "sentences" / "mr" / "without_sst.xz", "".join(texts[:60]))
    write(data / "sentences" / "mr" / "sst_dev_test.xz", "".join(texts[60:]))
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "data"))


@pytest.mark.slow
@pytest.mark.usefixtures("sets")
def test_networks_of_sentences_are_measured_and_compared(script, capsys):
    small = [s for s in SETTINGS if "epochs" not in s]
    tree = Path("tree.toml")
    config = read_config(ROOT / "configs/sst/tree-gru.toml")
    write_config(tree, override(config, [*small, "train.epochs=1", "train.batch=5"]))
    fake = {
        f"binary-{cell}": script.Training(str(tree), (f"network.recursive.cell={cell}",))
        for cell in ("gru", "lstm")
    }
    rows = replace(script.read_rows("sentences"), trainings=fake)
    for _ in range(2):  # what is done is not repeated
        only = ("--only", "binary-gru,binary-lstm", "--seeds", "2")
        assert script.main(("sentences", *only), rows) == 0
    done = Path("runs/sentences/results.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(done) == 4
    text = capsys.readouterr().out
    gru = next(line for line in text.splitlines() if line.startswith("| Tree-GRU |"))
    accuracies = [json.loads(line)["scores"]["label"] for line in done if "-gru" in line]
    mine = [scores["research/sst test"] for scores in accuracies]
    assert f"| 85.61±0.93 | {np.mean(mine):.2f}±{np.std(mine, ddof=1):.2f} |" in gru
    assert "with the mean of 2 and 2 seeds" in text


@pytest.mark.usefixtures("sets")
def test_folds_are_parts_of_the_whole_without_a_text_in_two(script):
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


def test_the_paired_test_is_that_of_all_signs(script):
    one, other = ["1110110", "1110111"], ["0110100", "1010101"]
    points, chance = script.paired(one, other)
    difference = np.array([[int(a) for a in row] for row in one]).mean(0)
    difference -= np.array([[int(a) for a in row] for row in other]).mean(0)
    sums = [abs(np.dot(signs, difference)) for signs in product([-1, 1], repeat=7)]
    assert points == pytest.approx(100 * difference.mean())
    exact = np.mean(np.array(sums) >= abs(difference.sum()) - 1e-9)
    assert chance == pytest.approx(exact, abs=0.02)


def test_pairs_of_sentences(script):
    """Fifty of each kind, each beside another text with a word that negates."""
    pairs = script.read_pairs()
    assert [kind for kind, *_ in pairs] == ["positive"] * 50 + ["negative"] * 50
    assert len({text for _, *both in pairs for text in both}) == 200
    marks = ("not", "n't", "never", "no", "nor", "nothing", "hardly", "without", "cannot", "far")
    for _, plain, negated in pairs:
        words = negated.lower().replace("n't", " n't").rstrip(".").split()
        assert any(mark in words for mark in marks), negated
        assert not any(mark in plain.lower().rstrip(".").split() for mark in marks), plain
