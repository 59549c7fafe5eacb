"""scripts/check_kernels.py: which kernels are run, and what is said of each."""

import re
import subprocess
import sys

import check_kernels
import pytest

from tests.processes import ROOT

CORES = {"Haswell": "Haswell", "Zen": "Haswell", "Prescott": "Katmai"}


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """The kernels that tests were run under; they fail under Prescott."""
    requested: list[str] = []

    def check(kernel: str, tests: list[str]) -> tuple[bool, str]:
        requested.append(kernel)
        return kernel != "Prescott", "3 passed"

    monkeypatch.setattr(check_kernels, "check", check)
    monkeypatch.setattr(check_kernels, "taken", lambda kernel: CORES.get(kernel, ""))
    monkeypatch.setattr(sys, "argv", ["check_kernels.py"])
    return requested


def test_each_kernel_is_run_once_and_has_a_line(asked, capsys):
    assert check_kernels.main() == 1
    assert sorted(asked) == ["Haswell", "Prescott"]
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(check_kernels.KERNELS)
    assert lines[:3] == [
        "Haswell: 3 passed",
        "Zen: here the same as Haswell",
        "SkylakeX: left out, this machine cannot run it",
    ]


@pytest.mark.parametrize(
    ("status", "said", "core"),
    [
        (0, "Core: Nehalem\n", "Nehalem"),
        (0, "Core not found: Nehalem\nCore: SkylakeX\n", ""),
        (-4, "Core: Nehalem\n", ""),  # an illegal instruction
        (0, "", ""),  # NumPy with another BLAS
    ],
)
def test_what_the_machine_cannot_run_is_seen(monkeypatch, status, said, core):
    done = subprocess.CompletedProcess([], status, "", said)
    monkeypatch.setattr(check_kernels, "run", lambda *arguments: done)
    assert check_kernels.taken("Nehalem") == core


@pytest.mark.parametrize("name", ["kernels", "versions", "sanitizers"])
def test_the_tests_that_are_run_are_there(name):
    text = (ROOT / "scripts" / f"check_{name}.py").read_text(encoding="utf-8")
    named = re.findall(r'"(tests/[\w/.]+)"', text)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
