"""recipe/make_models.py: steps that are done, stale, interrupted or wrong; those of what ships."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import make_models
import pytest

from senna.corpora.catalogue import read_catalogue
from tests.processes import ENVIRONMENT, ROOT

# join.py OUT IN... joins files; it counts its calls in OUT.calls and fails for a file that says so.
JOIN = """
import pathlib, sys, time
out, *given = map(pathlib.Path, sys.argv[1:])
out.parent.mkdir(parents=True, exist_ok=True)
with open(f"{out}.calls", "a") as calls:
    calls.write("x")
text = "".join(path.read_text() for path in given)
if "wait" in text:
    print("waits", flush=True)
    time.sleep(60)
if "bad" in text:
    sys.exit("join: a bad file")
out.write_text(text)
"""
STEPS = """
[[step]]
name = "one"
run = ["python join.py runs/one configs/a.txt"]
outputs = ["runs/one"]

[[step]]
name = "other"
run = ["python join.py runs/other configs/b.txt"]
outputs = ["runs/other"]

[[step]]
name = "both"
run = ["python join.py runs/both runs/one runs/other", "python join.py runs/again runs/both"]
inputs = ["{data}/c.txt"]
outputs = ["runs/both", "runs/again"]
"""


Make = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    files = {"configs/a.txt": "a\n", "configs/b.txt": "b\n", "data/c.txt": "c\n"}
    write(tmp_path, {"join.py": JOIN, "steps.toml": STEPS, **files})
    return tmp_path


def write(place: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)


@pytest.fixture
def make(place, capsys, monkeypatch) -> Make:
    """A function of options that runs the program: exit status, lines of stdout, stderr."""
    monkeypatch.setattr(make_models, "STEPS", place / "steps.toml")

    def run(*options: str) -> tuple[int, list[str], str]:
        status = make_models.main([*options])
        said = capsys.readouterr()
        return status, said.out.splitlines(), said.err

    return run


def calls(place: Path, name: str) -> int:
    path = place / "runs" / f"{name}.calls"
    return len(path.read_text()) if path.exists() else 0


def change(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


def test_all_is_made_in_order_and_once(place, make):
    status, said, wrong = make()
    assert (status, wrong) == (0, "")
    assert said == [f"{n}: {s}" for n in ("one", "other", "both") for s in ("to do", "done now")]
    assert (place / "runs" / "again").read_text() == "a\nb\n"
    record = json.loads((place / "runs" / "steps" / "both.json").read_text())
    assert record["run"][1] == ["python", "join.py", "runs/again", "runs/both"]
    assert set(record["inputs"]) == {"runs/one", "runs/other", "{data}/c.txt"}
    assert set(record["outputs"]) == {"runs/both", "runs/again"}
    assert set(record["sources"]) == {*record["inputs"], "configs/a.txt", "configs/b.txt"}
    assert make() == (0, ["one: done", "other: done", "both: done"], "")
    assert [calls(place, name) for name in ("one", "other", "both")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("path", "old", "new", "again", "state"),
    [
        ("configs/a.txt", "a", "A", {"one", "both"}, "stale: configs/a.txt changed"),
        ("runs/one", "a", "A", {"one"}, "stale: runs/one is another or gone"),
        ("data/c.txt", "c", "C", {"both"}, ""),
        ("steps.toml", "runs/one configs/a", "runs/one configs/b", {"one", "both"}, "stale: its"),
        ("steps.toml", "runs/one configs/a", "  runs/one   configs/a", set(), ""),
    ],
)
def test_what_changed_is_made_again(place, make, path, old, new, again, state):
    make()
    change(place / path, old, new)
    listed = make("--list")
    assert listed[0] == 0 and listed[1][0].startswith(f"one: {state or 'done'}")
    assert calls(place, "one") == 1
    status, _, wrong = make()
    assert (status, wrong) == (0, "")
    assert {n for n in ("one", "other", "both") if calls(place, n) == 2} == again


def test_a_name_brings_what_it_needs_and_the_list_shows_states(place, make):
    assert make("one")[1] == ["one: to do", "one: done now"]
    assert (calls(place, "one"), calls(place, "other")) == (1, 0)
    status, said, _ = make("--list", "both")
    assert status == 0
    assert said == [
        *("one: done", "other: to do", "    python join.py runs/other configs/b.txt"),
        *("both: to do", "    python join.py runs/both runs/one runs/other"),
        "    python join.py runs/again runs/both",
    ]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_the_child_and_the_same_command_goes_on(place, make, sign):
    change(place / "configs" / "a.txt", "a", "wait")
    program = shutil.copy(make_models.__file__, place)  # with steps.toml beside it
    process = subprocess.Popen(
        [sys.executable, program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # not as in nohup
    )
    log = place / "runs" / "steps" / "one.log"
    wait_for(lambda: log.exists() and "waits\n" in log.read_text())
    process.send_signal(sign)
    _, wrong = process.communicate(timeout=30)
    assert process.returncode == 130
    assert wrong == "make_models: stopped; the same command continues\n"
    assert not (place / "runs" / "one").exists()
    assert make("--list", "one")[1][0] == "one: interrupted"
    change(place / "configs" / "a.txt", "wait", "a")
    assert make()[0] == 0


def test_a_step_goes_on_at_the_command_that_failed(place, make):
    change(place / "steps.toml", "runs/again runs/both", "runs/again runs/both {data}/d.txt")
    (place / "data" / "d.txt").write_text("bad")
    assert make()[0] == 2
    (place / "join.py").write_text(JOIN.replace('"bad"', '"worse"'))
    assert make() == (0, ["one: done", "other: done", "both: interrupted", "both: done now"], "")
    assert (calls(place, "both"), calls(place, "again")) == (1, 2)
    assert (place / "runs" / "again").read_text() == "a\nb\nbad"
    change(place / "data" / "d.txt", "bad", "worse")
    assert make()[0] == 2
    change(place / "data" / "d.txt", "worse", "d")  # it reads another, and so begins anew
    assert make()[0] == 0
    assert (calls(place, "both"), calls(place, "again")) == (3, 4)


def wait_for(ready: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_what_no_step_made_is_left_alone_or_accepted(place, make):
    (place / "runs").mkdir()
    (place / "runs" / "both").write_text("mine")
    remedy = "Move it away, or take it as it is: --accept both"
    wrong = f"make_models: runs/both: is there, but no step made it. {remedy}\n"
    assert make()[::2] == (2, wrong)
    assert (place / "runs" / "both").read_text() == "mine"
    missing = "make_models: runs/again: no such file or folder\n"
    assert make("--accept", "both")[::2] == (2, missing)
    (place / "runs" / "again").write_text("mine")
    # It needs no other step now.
    assert make("--accept", "both", "both") == (0, ["both: done"], "")
    assert make("both") == (0, ["both: done"], "")
    (place / "runs" / "again").write_text("other")
    assert make("both")[0] == 2  # and is still not ours to remove


@pytest.mark.parametrize(
    ("old", "new", "options", "told"),
    [
        ("", "", [], "{data}/c.txt: no such file or folder. It belongs into a data folder, as $S"),
        ("configs/a", "configs/z", [], "make_models: configs/z.txt: no such file or folder\n"),
        ("", "", ["zzz"], "no step 'zzz'. --list shows them."),
        ("", "", ["--accept", "zzz"], "no step 'zzz'. --list shows them."),
        ("outputs", "output", [], "unknown key 'step[0].output'; did you mean"),
        ('name = "other"', 'name = "one"', [], "two steps of one name, or one without"),
        ("runs/one configs/a.txt", "runs/one runs/other", [], "one reads what other writes, which"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(place, make, old, new, options, told):
    change(place / "steps.toml", old, new) if old else None
    (place / "data" / "c.txt").unlink()
    status, _, wrong = make(*options)
    assert status == 2
    assert wrong.startswith(f"make_models: {place / 'steps.toml'}: {told}") or told in wrong
    assert wrong.count("\n") == 1


# In place of senna: a training of two epochs, of which the first call does one.
SENNA = """
import pathlib, sys
run = pathlib.Path("runs/tiny")
if "--resume" not in sys.argv:
    run.mkdir()
    (run / "checkpoint.pt").write_text("half")
    sys.exit("stopped")
(run / "model").mkdir()
(run / "model" / "words.txt").write_text("whole")
"""
TRAINED = """
[[step]]
name = "tiny"
run = ["senna train --config configs/tiny.toml --name tiny --set train.epochs=2"]
"""
TINY = """
# words alone
extends = ""
tasks = ["pos"]
[data.pos]
train = ["runs/words.txt"]
dev = ["pos/ewt"]
[features.word]
size = 4
"""


def test_a_training_is_a_step_that_goes_on(place, make, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(place / "own"))
    write(place, {"own/senna/__init__.py": "", "own/senna/__main__.py": SENNA})
    write(place, {"steps.toml": TRAINED, "configs/tiny.toml": TINY, "runs/words.txt": "a\tDT\n"})
    write(place, {"data/pos/ewt/dev.xz": ""})
    log = place / "runs" / "steps" / "tiny.log"
    first = "senna train --config configs/tiny.toml --name tiny --set train.epochs=2"
    assert make()[2].endswith("ended with 1: stopped\n")
    assert make() == (0, ["tiny: interrupted", "tiny: done now"], "")
    begun = [line for line in log.read_text().splitlines() if line.startswith("$")]
    assert begun == [f"$ {first}", "$ senna train --resume runs/tiny"]
    record = json.loads((place / "runs" / "steps" / "tiny.json").read_text())
    assert set(record["inputs"]) == {"configs/tiny.toml", "runs/words.txt", "{data}/pos/ewt"}
    assert set(record["outputs"]) == {"runs/tiny/model"}
    change(place / "configs" / "tiny.toml", "# words alone", "# words, no more")
    assert make()[1] == ["tiny: done"]
    # Another configuration: another run in its place.
    change(place / "configs" / "tiny.toml", "size = 4", "size = 3")
    assert make()[0] == 2 and not (place / "runs" / "tiny" / "model").exists()
    assert make() == (0, ["tiny: interrupted", "tiny: done now"], "")


# --------------------------------------------------------------------------- what ships


def test_every_step_of_what_ships_reads_what_there_is(monkeypatch):
    monkeypatch.chdir(ROOT)
    data, recipe = make_models.DATA, make_models.Recipe(make_models.STEPS)
    got = {path.removeprefix(data) for path in recipe.makers if path.startswith(data)}
    assert got <= {*read_catalogue(), "text", "gazetteers"}  # these two the builders make
    for step in recipe.steps.values():
        assert step.commands and step.products, step.name
        recipe.needs(step)  # none comes later
        for path in recipe.inputs(step):
            name = path.removeprefix(data)
            known = got if path.startswith(data) else recipe.makers
            is_known = any(name == one or name.startswith(f"{one}/") for one in known)
            is_file = path.startswith("configs/") and (ROOT / path).is_file()
            assert is_known or is_file, f"{step.name}: {path}"
        for words in step.commands:
            if words[:2] == ["python", "-m"]:
                assert importlib.util.find_spec(words[2]), step.name
            elif words[0] == "python":
                text = (ROOT / words[1]).read_text()
                options = {word for word in words if word.startswith("--")}
                assert all(f'"{option}"' in text for option in options), step.name
            else:
                senna_commands = [
                    ["senna", x] for x in ("train", "pretrain", "data", "vectors", "tag")
                ]
                assert words[:2] in (*senna_commands, ["git", "archive"])
