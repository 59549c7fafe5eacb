"""What all scripts do: they are found from recipe/, have help, and end with one line."""

from importlib.machinery import PathFinder
from importlib.util import module_from_spec

import pytest

from tests import script
from tests.processes import ROOT

WITHOUT_OPTIONS = ("check_prose", "compare_scorers", "measure_tokenizer")
OF_NAMES = (
    "check_install", "check_kernels", "check_sanitizers", "compare_readers", "dependency_contexts"
)  # fmt: skip


def test_recipes_find_scripts_where_the_checkout_is_not_on_the_path():
    found = PathFinder.find_spec("scripts", [str(ROOT / "recipe")])
    assert found is not None and found.loader is not None
    package = module_from_spec(found)
    found.loader.exec_module(package)
    common = PathFinder.find_spec("scripts.common", package.__path__)
    assert common is not None and common.origin == str(ROOT / "scripts" / "common.py")


@pytest.mark.parametrize("name", WITHOUT_OPTIONS + OF_NAMES)
def test_help_does_not_run_the_script(name):
    done = script.run(f"scripts/{name}.py", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage:") and "--help" in done.stdout


def test_missing_data_is_one_line(monkeypatch, tmp_path):
    monkeypatch.delenv("SENNA_DATA", raising=False)
    done = script.run("scripts/measure_tokenizer.py")
    what = "measure_tokenizer: $SENNA_DATA: the variable is not set."
    assert (done.returncode, done.stderr) == (2, f"{what} Set it to the folder of your corpora.\n")
    monkeypatch.setenv("SENNA_DATA", str(tmp_path))
    done = script.run("scripts/measure_tokenizer.py")
    file = tmp_path / "tokenization" / "ewt-dev.jsonl.xz"
    assert done.returncode == 2
    assert done.stderr.startswith(f"measure_tokenizer: {file}: no such file. Write these documents")


def test_a_missing_package_is_one_line(monkeypatch):
    import compare_scorers

    monkeypatch.setattr(compare_scorers, "PACKAGES", ["senna-of-nobody"])
    monkeypatch.setattr("sys.argv", ["compare_scorers.py"])
    assert compare_scorers.main() == 2


def test_a_missing_file_is_one_line():
    done = script.run("scripts/dependency_contexts.py", "missing.conllu")
    assert done.returncode == 2
    assert done.stderr == "dependency_contexts: missing.conllu: no such file. Check the path.\n"
