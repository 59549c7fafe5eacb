"""What the pages promise: links, paths, lists and versions that are right, an sdist with all."""

import ast
import inspect
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import senna
from scripts import make_docs
from senna.inference.kernel.library import OFF, PROCESSOR_LEVELS
from senna.kinds.scores import ScoreOptions
from senna.model.schema import FORMAT_VERSION
from senna.pipeline.format import format_of
from senna.pipeline.options import DEFAULT
from senna.registry import FORMATS, INPUTS
from senna.scoring.reports import REPORTS
from senna.tasks import TASKS, in_task_order
from senna.training.criteria import CRITERIA
from tests.processes import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")

pytestmark = pytest.mark.skipif(
    not (ROOT / "pyproject.toml").exists(), reason="the tests do not stand in a checkout"
)


def without_code(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)


def anchors(page: Path) -> set[str]:
    """The names by which the headings of a page are linked."""
    headings = re.findall(r"^#+ (.*)$", without_code(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in LINK.findall(without_code(page)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.resolve().is_relative_to(ROOT) and target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link


def test_the_version_stands_in_one_place():
    for name in ("CITATION.cff", "pyproject.toml", "README.md", "docs/serve.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(rf"(?<!>=){re.escape(senna.__version__)}", text), name


def test_the_changelog_begins_with_this_version():
    """Its heading has the date of the release, or says that there is none yet."""
    heading = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    number, dev, _ = senna.__version__.partition(".dev")
    date = "unreleased" if dev else r"\d{4}-\d\d-\d\d"
    assert heading and re.fullmatch(rf"{re.escape(number)} \({date}\)", heading[1])


def test_promised_versions_are_those_of_the_package():
    text = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    assert f"format {FORMAT_VERSION} |" in text
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = project["requires-python"].removeprefix(">=")
    assert f"Python {least} to" in text
    versions = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert least == versions[0] and f"Python {least} to {versions[-1]}." in text


@pytest.mark.slow
def test_the_sdist_has_what_the_checkout_has(tmp_path):
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [path] = tmp_path.iterdir()
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    try:
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        pytest.skip("not a clone, or there is no git")
    apart = (".ci/", ".git")  # of the repository, not of the package
    assert {name for name in listed.splitlines() if not name.startswith(apart)} <= held


def test_no_pattern_repeats_a_group_possessively():
    """Python 3.11.0 to 3.11.4 find other matches of these: sentences ended elsewhere there."""
    deterministic = {"phrases.py"}  # no part of its group can match in two ways
    group = re.compile(r"""\)(?:[*+?]|\{[0-9,]+\})\+""")
    for path in (ROOT / "senna").rglob("*.py"):
        assert path.name in deterministic or not group.search(path.read_text(encoding="utf-8"))


NAMING = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")])
FOLDERS = {path.name for path in (ROOT / "senna").iterdir() if path.is_dir()}
FOLDERS |= {"senna", "recipe", "scripts", "configs", "data", "tests", "docs"}
FOLDERS -= {"models", "vectors", "text"}  # what users call their own folders, too
# A folder or a module of the project, with names in capitals and stars for any one.
NAMED = re.compile(r"[a-z_]+/[\w./*-]*|[a-z_]+\.py")


def named(page: Path) -> Iterator[str]:
    """The paths between backticks that are of this project."""
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for code in re.findall(r"`([^`\n]+)`", text):
        for word in code.split():
            if NAMED.fullmatch(word) and (word.partition("/")[0] in FOLDERS or word[-3:] == ".py"):
                yield word


def exists(name: str) -> bool:
    """Whether a path from the project or the package is there, or a module of that name."""
    pattern = re.sub(r"[A-Z]+", "*", name).rstrip("/")
    places = (
        ("", "senna/") if "/" in name else ("", "senna/", "senna/**/", "scripts/**/", "recipe/**/")
    )
    return any(any(ROOT.glob(place + pattern)) for place in places)


@pytest.mark.parametrize("page", NAMING, ids=lambda page: page.stem)
def test_paths_that_are_named_exist(page):
    assert [name for name in named(page) if not exists(name)] == []


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
