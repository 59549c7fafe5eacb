"""senna eval --task srl: options, standard error, exit status."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from senna.cli.eval import eval_command
from senna.errors import SennaError

GOLDEN = Path(__file__).parents[1] / "golden" / "srleval"
CASES = [path.stem for path in sorted(GOLDEN.glob("*.gold"))]
OPTIONS = {"-latex": "--latex", "-C": "--confusion"}

app = typer.Typer()
app.command()(eval_command)


def run(*args: str | Path, data: bytes = b"") -> Result:
    return CliRunner().invoke(app, ["--task", "srl", *map(str, args)], input=data)


@pytest.mark.parametrize("case", CASES)
def test_prints_the_recorded_outputs_of_the_reference_script(case: str) -> None:
    args = (GOLDEN / f"{case}.args").read_text(encoding="utf-8").split()
    result = run(
        *(OPTIONS[word] for word in args), GOLDEN / f"{case}.gold", GOLDEN / f"{case}.pred"
    )
    assert result.stdout_bytes == (GOLDEN / f"{case}.out").read_bytes()
    failed = (GOLDEN / f"{case}.rc").exists()
    assert isinstance(result.exception, SennaError) == failed
    if (GOLDEN / f"{case}.err").exists() and not failed:
        assert result.stderr_bytes == (GOLDEN / f"{case}.err").read_bytes()


def test_warnings_of_our_own_go_to_standard_error() -> None:
    result = run(GOLDEN / "16.gold", GOLDEN / "16.pred")
    one, other = result.stderr.splitlines()
    assert one.endswith("16.gold:17: not read from here on: an empty sentence ends the file")
    assert other.endswith("16.pred:16: not looked at from here on: gold has ended")


def test_one_file_from_standard_input_and_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    gold = tmp_path / "gold.props"
    gold.write_bytes(b"go (V*)\n- (\xff*)\n")
    result = run(gold, "-", data=gold.read_bytes())
    assert b"\n         \xff        1       0       0   100.00" in result.stdout_bytes


def test_json_with_no_span_right(tmp_path: Path) -> None:
    result = run("--json", "--confusion", GOLDEN / "15.gold", GOLDEN / "15.pred")
    figures = json.loads(result.stdout_bytes)
    assert (figures["task"], figures["unlabelled"]["label_accuracy"]) == ("srl", None)
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("gold",), "--task srl needs two files"),
        ((), "--task srl needs two files"),
        (("-", "-"), "cannot both come from standard input"),
        (("absent", "absent"), "absent: no such file"),
        (("--latex", "--json", "a", "b"), "exclude each other"),
        (("--model", "m", "a"), "m: not a model folder"),
        (("--raw", "a", "b"), "--raw does not apply to --task srl"),
        (("--errors", "3", "a", "b"), "--errors does not apply to --task srl"),
        (("--delimiter", "x", "a", "b"), "--delimiter does not apply to --task srl"),
    ],
)
def test_what_cannot_be_done_is_one_error(args: tuple[str, ...], message: str) -> None:
    result = run(*args)
    assert isinstance(result.exception, SennaError)
    assert message in result.exception.of_command()
    assert result.stdout == ""


def test_other_tasks_take_one_file() -> None:
    result = CliRunner().invoke(app, ["--task", "ner", "a", "b"])
    assert isinstance(result.exception, SennaError)
    assert "b: --task ner takes only one file" in result.exception.of_command()
