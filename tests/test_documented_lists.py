"""The lists of options, formats and tasks in README.md and docs are those of the code."""

import ast
import inspect
import re
from typing import Any

import pytest

import senna
from scripts import make_docs
from senna.inference.kernel.library import OFF, PROCESSOR_LEVELS
from senna.kinds.scores import ScoreOptions
from senna.pipeline.format import format_of
from senna.pipeline.options import DEFAULT
from senna.registry import FORMATS, INPUTS
from senna.scoring.reports import REPORTS
from senna.tasks import TASKS, in_task_order
from senna.training.criteria import CRITERIA
from tests.processes import ROOT


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def between(text: str, start: str, end: str) -> str:
    """The part of a text between two others."""
    return text.partition(start)[2].partition(end)[0]


def coded(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`\n]+)`", text)


def test_the_readme_counts_the_formats():
    assert f"writes [{len(FORMATS)} formats](docs/output.md)" in page("README.md")


def test_the_readme_lists_the_tasks():
    rows = re.findall(r"(?m)^\| `(.*)` \|", page("README.md"))
    assert sorted(", ".join(rows).replace("`", "").split(", ")) == sorted(TASKS)


def test_the_page_of_output_describes_each_format():
    named = set(coded(page("docs/output.md"))) | {"columns", "jsonl"}
    assert set(FORMATS) <= named


def test_the_page_of_output_says_which_tasks_run():
    rows = re.findall(r"(?m)^\| `(\w[\w-]+)` \|.*\| ([\w, ]+) \|$", page("docs/output.md"))
    assert {name for name, _ in rows} == set(FORMATS) - {"columns", "jsonl"}
    for name, tasks in rows:
        form = format_of(name)
        run = form.tasks or in_task_order([*DEFAULT.split(","), *form.more])
        assert tasks.split(", ") == list(run), name


def test_the_page_of_commands_lists_the_levels_of_the_kernel():
    listed = between(page("docs/cli.md"), "a level of the compiled kernel (", ")")
    assert coded(listed) == [OFF, *PROCESSOR_LEVELS]


def test_the_help_names_what_files_may_hold():
    commands = dict(make_docs.commands())
    train, evaluate = (
        " ".join(make_docs.help_of(name, commands[name]).split())
        for name in ("senna train", "senna eval")
    )
    assert "CoNLL-U" in between(train, "--train FILE A training file:", ".")
    second = between(evaluate, "PRED For ", ":")
    kinds = [kind for kind, own in REPORTS.items() if "two_files" in inspect.getsource(type(own))]
    pairs = [name for name, task in TASKS.items() if task.output in kinds]
    assert set(re.findall(r"\w+", second)) - {"and"} == set(pairs)


def test_the_page_of_input_lists_what_is_read():
    listed = between(page("docs/input.md"), "names the kind of input:", ". Compressed")
    assert coded(listed) == list(INPUTS)


Parameters = dict[str, object]


def documented(text: str, name: str) -> Parameters:
    """The parameters of the signature on a page, with their defaults; ... is any default."""
    found = re.search(rf"(?s)```python\n{re.escape(name)}(\(.*?\)) -> \w+\n```", text)
    assert found, name
    [function] = ast.parse(f"def function{found[1]}: pass").body
    assert isinstance(function, ast.FunctionDef)
    own = function.args
    before: list[ast.expr | None] = [None] * (len(own.args) - len(own.defaults))
    defaults = [*before, *own.defaults, *own.kw_defaults]
    pairs = zip([*own.args, *own.kwonlyargs], defaults, strict=True)
    return {arg.arg: REQUIRED if value is None else ast.literal_eval(value) for arg, value in pairs}


def real(function: Any) -> Parameters:
    """The parameters of a function, with their defaults."""
    known = inspect.signature(function).parameters.values()
    return {own.name: own.default for own in known if own.kind is not own.VAR_KEYWORD}


REQUIRED = inspect.Parameter.empty


@pytest.mark.parametrize("name", ["load", "train", "evaluate"])
def test_signatures_of_the_api_page(name):
    shown, known = documented(page("docs/api.md"), f"senna.{name}"), real(getattr(senna, name))
    assert list(shown) == list(known)
    assert all(value in (..., known[own]) for own, value in shown.items())


def test_options_of_an_evaluation_are_those_of_the_command():
    section = make_docs.help_of("senna eval", dict(make_docs.commands())["senna eval"])
    flags = {f"--{name.replace('_', '-')}" for name in ScoreOptions.__annotations__}
    assert flags <= set(re.findall(r"--[a-z-]+", section))


def test_settings_of_the_component_for_spacy():
    pytest.importorskip("spacy")
    from senna.spacy import create

    found = between(page("docs/api.md"), "Settings are passed", "\n## ")
    without, more = {"input", "convention"}, {"document", "overwrite"}
    settings = set(inspect.signature(create).parameters) - {"nlp", "name"}
    assert settings == set(real(senna.load)) - without | more
    assert without | more <= set(coded(found))


def test_the_page_of_training_names_each_criterion():
    named = coded(between(page("docs/training.md"), "**Criteria**", "\n## "))
    assert set(CRITERIA) <= set(named)
