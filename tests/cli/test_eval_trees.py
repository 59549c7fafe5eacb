"""senna eval --task psg: options, standard error, exit status."""

import json
import lzma
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

app = typer.Typer()
app.command()(eval_command)


def run(*args: str | Path, data: bytes = b"") -> Result:
    return CliRunner().invoke(app, ["--task", "psg", *map(str, args)], input=data)


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


def test_no_gold_trees_at_all(model: Path) -> None:
    result = run("--model", model, "-", data=b"")
    assert (result.exit_code, result.stderr) == (0, "<stdin>: nothing in it to score\n")
