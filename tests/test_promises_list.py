"""tests/promises.toml lists what must stay; each entry has proofs, and each proof holds."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.processes import ENVIRONMENT, ROOT, python

PROMISES = tomllib.loads((ROOT / "tests" / "promises.toml").read_text(encoding="utf-8"))
OPTIONS: dict[str, str] = PROMISES.pop("options")
ENTRIES = {
    f"{table} {name}": [entries] if isinstance(entries, str) else entries[table == "rows" :]
    for table, named in PROMISES.items()
    for name, entries in named.items()
}
PROOFS = [proof for proofs in ENTRIES.values() for proof in proofs]
TEXT = "Marie Curie was born in Warsaw. She moved to Paris in 1891 and studied physics.\n"
# Runs one command line after the other in one process, which loads PyTorch once.
EACH = """
import contextlib, io, json, sys
from senna.__main__ import main
for line in json.load(sys.stdin):
    said = io.StringIO()
    sys.argv = ["senna", *line]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit:
            pass
    print(json.dumps(said.getvalue()), flush=True)
"""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory) -> Path:
    """A folder in which the commands of the list are run."""
    folder = tmp_path_factory.mktemp("promises")
    for name in ("data", "recipe", "scripts", "docs"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    (folder / "paths.txt").write_text(
        "00\tthe\t9\n01\tof\t8\n10\ta\t7\n11\tin\t6\n", encoding="utf-8"
    )
    (folder / "lists").mkdir()
    (folder / "lists" / "PER.txt").write_text("Ada Penrose\n", encoding="utf-8")
    return folder


def each(lines: list[list[str]], scratch: Path) -> list[str]:
    """What each of these command lines of senna prints."""
    ended = python("-c", EACH, data=json.dumps(lines).encode(), cwd=scratch)
    said = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith(b'"')]
    assert len(said) == len(lines), ended.stderr.decode()
    return said


def test_every_proof_is_of_a_kind():
    for proof in PROOFS:
        assert re.match(r"test_\w+(\[.*\])?$|set \w|.* => .", proof), proof


@pytest.mark.slow
def test_tests_of_the_list_are_collected():
    pytest.importorskip("torch")
    ended = python("-m", "pytest", "-o", "addopts=", "--collect-only", "-q", "tests", cwd=ROOT)
    nodes = [line.partition("::")[2] for line in ended.stdout.decode().splitlines()]
    missing = []
    for proof in PROOFS:
        name, _, case = proof.removesuffix("]").partition("[")
        if name.startswith("test_") and not any(
            node.partition("[")[0].rpartition("::")[2] == name and case in node for node in nodes
        ):
            missing.append(proof)
    assert not missing


@pytest.mark.slow
def test_options_are_in_the_help(scratch):
    said = each([[*name.split(), "--help"] for name in OPTIONS], scratch)
    for (name, options), text in zip(OPTIONS.items(), said, strict=True):
        for option in options.split():
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", text), f"senna {name}: {option}"


@pytest.mark.slow
def test_settings_are_accepted(scratch):
    """What a run cannot have is only its device, of which it is told last."""
    pytest.importorskip("torch")
    settings = [proof.split()[1:] for proof in PROOFS if proof.startswith("set ")]
    lines = []
    for task, *values in settings:
        train = ["train", "--task", task, "--corpus", "demo", "--name", "settings"]
        start = ["pretrain", "data/sample.txt", "--out", "vectors"] if task == "pretrain" else train
        sets = [part for value in values for part in ("--set", value)]
        if task == "pretrain" and values[0].startswith("objective="):
            sets[:2] = ["--objective", values[0].partition("=")[2]]
        lines.append([*start, *sets, "--device", "nowhere"])
    refused = [
        f"{shlex.join(line)}: {text}"
        for line, text in zip(lines, each(lines, scratch), strict=True)
        if "device" not in text
    ]
    assert not refused, "\n".join(refused)


@cache
def printed(command: str, scratch: Path) -> str:
    """What a command prints on both streams."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ended = subprocess.run(
        ["sh", "-c", f'senna() {{ python -m senna "$@"; }}\n{command}'],
        cwd=scratch,
        env={**ENVIRONMENT, "PATH": path},
        capture_output=True,
    )
    return (ended.stdout + ended.stderr).decode(errors="replace")


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(name, marks=pytest.mark.exhaustive if i % 8 else pytest.mark.slow)
        for i, name in enumerate(n for n, p in ENTRIES.items() if " => " in "".join(p))
    ],
)
def test_commands_print_what_was_promised(entry, scratch):
    for proof in ENTRIES[entry]:
        command, arrow, text = proof.partition(" => ")
        if arrow:
            assert text in printed(command, scratch), command
