"""senna eval: options, standard error, exit status."""

import json
import lzma
import shlex
from functools import partial
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from senna.cli.eval import eval_command
from senna.errors import SennaError
from tests.cli.conftest import Senna, Terminal

GOLDEN = Path(__file__).parents[1] / "golden" / "conlleval"
CASES = [path.stem for path in sorted(GOLDEN.glob("*.in"))]

app = typer.Typer()
app.command()(eval_command)


def run(*args: str, data: bytes = b"") -> Result:
    return CliRunner().invoke(app, list(args), input=data)


@pytest.mark.parametrize("case", CASES)
def test_as_is_prints_the_recorded_outputs_of_the_reference_script(case: str) -> None:
    args = shlex.split((GOLDEN / f"{case}.args").read_text(encoding="utf-8"))
    result = run("--task", "ner", "--as-is", *args, data=(GOLDEN / f"{case}.in").read_bytes())
    assert result.stdout_bytes == (GOLDEN / f"{case}.out").read_bytes()
    assert (result.exit_code == 0) == (not (GOLDEN / f"{case}.rc").exists())
    if case == "27":
        assert result.stderr_bytes == (GOLDEN / "27.err").read_bytes()
        assert result.exit_code == 1


def test_iobes_is_said_on_standard_error(tmp_path: Path) -> None:
    file = tmp_path / "tagged.txt"
    file.write_bytes(b"Ada\tS-PER\tS-PER\nBo\tS-PER\tS-PER\n")
    result = run("--task", "ner", str(file))
    assert result.stdout.startswith("processed 2 tokens with 2 phrases; found: 2 phrases")
    assert "FB1: 100.00" in result.stdout
    [line] = result.stderr.splitlines()
    assert "gold and predicted read as IOBES" in line
    result = run("--task", "ner", "--as-is", "-d", "\t", str(file))
    assert result.stdout.startswith("processed 2 tokens with 1 phrases; found: 1 phrases")
    assert result.stderr == ""


def test_accuracy_for_pos_and_the_reference_report_on_request() -> None:
    data = b"a DT DT\nb NN VB\n\n"
    assert run("--task", "pos", data=data).stdout == (
        "processed 2 tokens; correct: 1.\naccuracy:  50.00%\n"
    )
    assert "with 2 phrases" in run("--task", "pos", "--raw", data=data).stdout
    assert run("--task", "pos", "--latex", data=data).stdout.endswith("\\hline\n")
    assert run("--task", "pos", "--as-is", data=data).stdout.startswith(
        "processed 2 tokens with 0 phrases"
    )


def test_json_table_and_errors() -> None:
    data = b"Ulm B-LOC B-ORG\n\xff B-\xff O\n"
    result = run("--task", "ner", "--json", "--confusion", "--errors", "1", data=data)
    figures = json.loads(result.stdout_bytes)
    assert (figures["task"], figures["phrases"], figures["f1"]) == ("ner", 2, 0.0)
    assert len(figures["confusion"]) == 2
    assert len(figures["errors"]) == 1
    text = run("--task", "ner", "--confusion", "--errors", "2", data=data).stdout_bytes
    assert b"\n\ngold  ORG  O\n" in text
    assert text.endswith(b"      1  \xff/\xff -> \xff/O\n      1  Ulm/LOC -> Ulm/ORG\n") or (
        text.endswith(b"      1  Ulm/LOC -> Ulm/ORG\n      1  \xff/\xff -> \xff/O\n")
    )


@pytest.mark.parametrize(
    ("args", "data", "message"),
    [
        (("--task", "ner"), b"a O O\nb O\n", "<stdin>:2: 2 columns, expected 3"),
        (("--task", "ner"), b"a\n", "<stdin>:1: 1 column, expected 2 or more"),
        (
            ("--task", "ner"),
            b"a S-X O\nb [-X O\n",
            '<stdin>:2: tag "[-X" belongs to no known scheme',
        ),
        (("--task", "ner", "absent.txt"), b"", "absent.txt: no such file"),
        (("--task", "ner", "-d", "("), b"a O O\n", "is not a regular expression"),
        (("--task", "ner", "--latex", "--json"), b"", "exclude each other"),
        (
            ("--task", "ner", "--model", "m", "--raw"),
            b"",
            "--raw does not apply to --task ner and a",
        ),
    ],
)
def test_bad_input_is_one_error(args: tuple[str, ...], data: bytes, message: str) -> None:
    result = run(*args, data=data)
    assert isinstance(result.exception, SennaError)
    assert message in result.exception.of_command()
    assert result.stdout == ""


def test_a_task_that_is_none_is_an_error_of_usage() -> None:
    result = run("--task", "deps")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'deps' is not one of 'pos'" in result.stderr


def test_brackets_are_said_on_standard_error() -> None:
    data = b"Ann\t(PER*\t(PER*\nLee\t*)\t*)\nof\t*\t*\nUlm\t(LOC*)\t(ORG*)\n"
    result = run("--task", "ner", data=data)
    assert result.stdout.startswith("processed 4 tokens with 2 phrases; found: 2 phrases; correct:")
    [line] = result.stderr.splitlines()
    assert line == "gold and predicted read as brackets; --as-is reads them as conlleval does"
    result = run("--task", "ner", "--as-is", "-d", "\t", data=data)
    assert (result.stdout[:32], result.stderr) == ("processed 4 tokens with 0 phrase", "")


@pytest.mark.parametrize("case", ["22", "23"])
@pytest.mark.parametrize("task", ["ner", "pos"])
def test_an_empty_input_is_said_on_standard_error(case: str, task: str) -> None:
    args = shlex.split((GOLDEN / f"{case}.args").read_text(encoding="utf-8"))
    result = run("--task", task, *args)
    if task == "ner" or args:
        assert result.stdout_bytes == (GOLDEN / f"{case}.out").read_bytes()
    assert (result.exit_code, result.stderr) == (0, "<stdin>: nothing in it to score\n")
    assert run("--task", task, "--as-is", *args).stderr == ""


def test_a_split_of_a_corpus_is_named_without_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENNA_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    corpus = tmp_path / "pos" / "mine"
    corpus.mkdir(parents=True)
    (corpus / "test.xz").write_bytes(lzma.compress(b"a\tDT\tDT\nb\tNN\tVB\n\n"))
    assert "accuracy:  50.00%" in run("--task", "pos", "pos/mine:test").stdout
    (corpus / "a:test").write_bytes(b"a\tDT\tDT\n\n")
    assert "accuracy: 100.00%" in run("--task", "pos", "pos/mine/a:test").stdout, "a file is a file"
    error = run("--task", "pos", "pos/mine:tset").exception
    assert str(error) == f"{corpus}: the corpus has no split 'tset'"
    error = run("--task", "pos", "pos/ewt:test").exception
    assert "the corpus pos/ewt is not in" in str(error)
    assert "`senna data get pos/ewt` downloads it." in str(error)
    assert "no corpus is called 'pos/none'" in str(run("--task", "pos", "pos/none:test").exception)


def test_an_unknown_task_is_told_the_known_ones() -> None:
    result = run("--task", "deps")
    assert result.exit_code == 2
    assert "'deps' is not one of 'pos', 'lemma', 'upos'" in result.stderr


def test_progress_of_a_model_is_shown_at_a_terminal(
    senna: Senna, models: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("Anna NNP\nran VBD\n\n" * 300, encoding="utf-8")
    run = partial(senna, "eval", "--task", "pos", "--model", models / "pos", path)
    plain = run()
    assert "words" not in plain.err
    terminal("stderr")
    assert run().err == plain.err, "not before two seconds"
    monkeypatch.setattr("senna.cli.terminal.SLOW", 0.0)
    shown = run()
    assert shown.out == plain.out
    assert "600 words [" in shown.err
    assert "words" not in senna("eval", "--task", "pos", path, data=b"").err


@pytest.mark.parametrize("tag", ["PER-B", "B_PER", "b-per", "0", "PER"])
@pytest.mark.parametrize("column", [1, 2])
def test_tags_of_no_scheme_are_refused(tag: str, column: int) -> None:
    cells = ["Ann", "B-PER", "B-PER"]
    cells[column] = tag
    result = run("--task", "ner", data=f"He O O\n{' '.join(cells)}\n".encode())
    assert isinstance(result.exception, SennaError)
    assert f'<stdin>:2: tag "{tag}" belongs to no known scheme' in result.exception.of_command()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"text": "Ann ran.", "tokens": []}\n', "JSON"),
        ("T1\tPER 0 3\tAnn\n", "a file of brat's annotations"),
        ("Ann B-PER B-PER met O O Bob B-PER B-PER\n", "all tokens are on one line"),
    ],
)
@pytest.mark.parametrize("task", ["ner", "pos"])
def test_what_is_no_columns_is_refused(text: str, kind: str, task: str) -> None:
    result = run("--task", task, data=text.encode())
    assert isinstance(result.exception, SennaError)
    assert kind in result.exception.of_command()
