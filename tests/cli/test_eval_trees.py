"""senna eval --task psg: options, standard error, exit status."""

import json
import lzma
import os
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

import senna
from senna.cli.eval import eval_command
from senna.errors import SennaError
from senna.files import resource
from tests import tiny

GOLDEN = Path(__file__).parents[1] / "golden" / "evalb"
SHARED = Path(os.environ.get("SENNA_DATA", "absent")).parent / "golden" / "evalb"
CASES = [path.stem for path in sorted(GOLDEN.glob("*.gold"))]
GIVEN_UP = b"more than 11 errors; scoring stopped\n"

app = typer.Typer()
app.command()(eval_command)


def run(*args: str | Path, data: bytes = b"") -> Result:
    return CliRunner().invoke(app, ["--task", "psg", *map(str, args)], input=data)


def check_case(folder: Path, case: str) -> None:
    result = run(folder / f"{case}.gold", folder / f"{case}.test")
    assert result.stdout_bytes == (folder / f"{case}.out").read_bytes()
    said, status = folder / f"{case}.err", folder / f"{case}.rc"
    expected = said.read_bytes() if said.exists() else b""
    assert result.stderr_bytes == expected + (GIVEN_UP if status.exists() else b"")
    assert result.exit_code == int(status.read_text(encoding="utf-8") if status.exists() else 0)


@pytest.mark.parametrize("case", CASES)
def test_prints_the_recorded_outputs_of_the_reference_program(case: str) -> None:
    check_case(GOLDEN, case)


def test_prints_the_recorded_output_on_the_sample_of_the_reference_program() -> None:
    if not (SHARED / "17.gold").exists():
        pytest.skip("needs the golden files beside $SENNA_DATA")
    check_case(SHARED, "17")


@pytest.mark.parametrize("place", [0, 1])
def test_one_file_from_standard_input(place: int) -> None:
    files = [str(GOLDEN / "16.gold"), str(GOLDEN / "16.test")]
    data = Path(files[place]).read_bytes()
    files[place] = "-"
    assert run(*files, data=data).stdout_bytes == (GOLDEN / "16.out").read_bytes()


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    gold = tmp_path / "gold.mrg"
    gold.write_bytes(b"(S (NP (N \xff)) (V b))\n")
    result = run(gold, "-", data=b"(S (NP (N \xfe)) (V b))\n")
    assert result.stderr_bytes == b"1 : Words unmatch (\xff|\xfe)\n"
    assert "Number of Valid sentence  =      1\n" in run(gold, gold).stdout


def test_json_has_the_figures_and_status_of_a_run_that_is_given_up() -> None:
    result = run("--json", GOLDEN / "02.gold", GOLDEN / "02.test")
    figures = json.loads(result.stdout)
    assert figures["task"] == "psg"
    assert f"Bracketing FMeasure       = {figures['f1']:6.2f}\n" in (
        (GOLDEN / "02.out").read_text(encoding="utf-8")
    )
    assert result.exit_code == 0
    result = run("--json", GOLDEN / "15.gold", GOLDEN / "15.test")
    assert (json.loads(result.stdout)["errors"], result.exit_code) == (11, 1)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("gold",), "--task psg needs two files of trees"),
        ((), "--task psg needs two files of trees"),
        (("-", "-"), "cannot both come from standard input"),
        (("absent", "absent"), "absent: no such file"),
        (("--latex", "--json", "a", "b"), "exclude each other"),
        (("--model", "m", "a"), "m: not a model folder"),
        (("--model", "m", "a", "b"), "b: with --model, give only the gold file"),
        (
            ("--latex", "a", "b"),
            "--latex does not apply to --task psg without a --model. It takes ",
        ),
        (("--raw", "a", "b"), "--raw does not apply to --task psg"),
        (("--as-is", "a", "b"), "--as-is does not apply to --task psg"),
        (("--merge-to", "a", "b"), "--merge-to does not apply to --task psg"),
        (("--confusion", "a", "b"), "--confusion does not apply to --task psg"),
        (("--errors", "3", "a", "b"), "--errors does not apply to --task psg"),
        (("--delimiter", "x", "a", "b"), "--delimiter does not apply to --task psg"),
        (("--outside", "x", "a", "b"), "--outside does not apply to --task psg"),
        (("--columns", "x", "--model", "m", "a"), "--columns does not apply to --task psg and"),
        (("--kinds", "n", "--model", "m", "a"), "--kinds does not apply to --task psg and"),
        (("--predicates", "pos", "--model", "m", "a"), "--predicates does not apply to --task psg"),
    ],
)
def test_what_cannot_be_done_is_one_error(args: tuple[str, ...], message: str) -> None:
    result = run(*args)
    assert isinstance(result.exception, SennaError)
    assert message in result.exception.of_command()
    assert result.stdout == ""


def test_lines_that_are_no_trees_are_told_by_file_and_line(tmp_path: Path) -> None:
    gold, found = tmp_path / "gold", tmp_path / "found"
    gold.write_text("(S (N a))\n(S (N a))\n", encoding="utf-8")
    found.write_text("(S (N a))\n(S (N a)))\n", encoding="utf-8")
    assert f"{found}:2: ')' outside brackets" in str(run(gold, found).exception)
    found.write_text("(S (N a))\n(S (N ))\n", encoding="utf-8")
    assert f"{found}:2: the brackets are empty" in str(run(gold, found).exception)


def test_a_split_of_a_corpus_of_trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENNA_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    corpus = tmp_path / "trees" / "mine"
    corpus.mkdir(parents=True)
    trees = b"(TOP (S (NP (PRP She)) (VP (VBZ sings))))\n"
    (corpus / "test.mrg.xz").write_bytes(lzma.compress(trees))
    assert "Complete match            = 100.00\n" in run("trees/mine:test", "-", data=trees).stdout
    assert str(run("trees/mine:dev", "-").exception).startswith(
        f"{corpus}: the corpus has no split 'dev'"
    )


# --------------------------------------------------------------------------- with a model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small parser, trained on the demonstration corpus for one epoch."""
    return tiny.train_small("psg", tmp_path_factory.mktemp("psg"), *tiny.TREES)


DEMO = resource("data/demo") / "trees" / "test.mrg"


def test_a_model_trained_on_the_demonstration_corpus_learns_something(model: Path) -> None:
    result = run("--model", model, DEMO)
    assert result.exit_code == 0, result.exception
    assert result.stderr == ""
    assert "\n-- len<=40 --\n" in result.stdout
    found = senna.evaluate("psg", DEMO, model=model)
    assert found.report() == result.stdout
    assert found.figures["errors"] == found.figures["skipped"] == 0
    assert found.overall.f1 > 40
    assert found.accuracy is not None and found.accuracy > 80
    assert json.loads(run("--json", "--model", model, DEMO).stdout)["f1"] == found.figures["f1"]


def test_the_scores_of_the_model_card_are_those_of_evaluate(model: Path) -> None:
    found = senna.evaluate("psg", DEMO, model=model)
    about = (model / "about.toml").read_text(encoding="utf-8")
    assert f'"test.mrg test" = {found.overall.f1:.2f}'.rstrip("0") in about


def test_slips_in_parts_of_speech_leave_no_sentence_out(model: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.mrg"
    gold.write_text(
        "(TOP (S (NP (: She)) (VP (. sings)) (NN .)))\n" * 20
        + "(TOP (S (NP (NN :) (NN ,)) (VP (. .))))\n",
        encoding="utf-8",
    )
    found = senna.evaluate("psg", gold, model=model)
    assert (found.figures["valid"], found.figures["errors"], found.status) == (21, 0, 0)
    assert found.accuracy is not None and found.accuracy < 50


def test_labels_never_seen_traces_and_one_word(model: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.mrg"
    trees = ["(X (Y-Z (Q a)) (-NONE- *))", "(UH Oh)", "(NP (-NONE- *))", "(TOP (. .) (. !))"]
    gold.write_text("\n".join(trees), encoding="utf-8")
    found = senna.evaluate("psg", gold, model=model)
    assert (found.figures["sentences"], found.figures["errors"]) == (3, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(UH Oh)\n(S (NP (NN a))\n(UH no)\n", "gold.mrg:2: 1 brackets of the tree"),
        ("(UH Oh)\n(S (NP (NN a))))\n", "gold.mrg:2: ')' outside brackets"),
        ("(UH Oh)\nShe sings\n", "gold.mrg:2: 'She' outside brackets"),
        ("(UH Oh)\n(S (NP (NN )))\n", "gold.mrg:2: the brackets are empty"),
    ],
)
def test_bad_gold_trees_are_told_by_file_and_line(
    model: Path, tmp_path: Path, text: str, message: str
) -> None:
    gold = tmp_path / "gold.mrg"
    gold.write_text(text, encoding="utf-8")
    error = run("--model", model, gold).exception
    assert isinstance(error, SennaError) and message in error.of_command()


def test_no_gold_trees_at_all(model: Path) -> None:
    result = run("--model", model, "-", data=b"")
    assert (result.exit_code, result.stderr) == (0, "<stdin>: nothing in it to score\n")


def test_very_deep_and_very_long_gold_trees(model: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.mrg"
    deep = "(NP " * 5000 + "(NN a)" + ")" * 5000
    long = "(NP" + " (NN a)" * 300 + ")"
    gold.write_text(f"{deep}\n{long}\n", encoding="utf-8")
    found = senna.evaluate("psg", gold, model=model)
    assert found.figures["valid"] == 2
