"""scripts/check_kernels.py: which kernels are run, and with which tests."""

import re
import subprocess
import sys

import check_kernels
import pytest

from tests.processes import ROOT


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


def test_each_kernel_is_run_once_and_has_a_line(monkeypatch, capsys):
    cores = {"Haswell": "Haswell", "Zen": "Haswell", "Prescott": "Katmai"}
    monkeypatch.setattr(check_kernels, "taken", lambda kernel: cores.get(kernel, ""))
    monkeypatch.setattr(check_kernels, "check", lambda kernel, _: (kernel != "Prescott", "done"))
    monkeypatch.setattr(sys, "argv", ["check_kernels.py"])
    assert check_kernels.main() == 1
    lines = dict(line.split(": ") for line in capsys.readouterr().out.splitlines())
    assert list(lines) == list(check_kernels.KERNELS)
    assert (lines["Haswell"], lines["Prescott"]) == ("done", "done")
    assert lines["Zen"] == "here the same as Haswell"
    assert lines["SkylakeX"] == "left out, this machine cannot run it"


@pytest.mark.parametrize("name", ["kernels", "versions", "sanitizers"])
def test_the_tests_that_are_run_are_there(name):
    text = (ROOT / "scripts" / f"check_{name}.py").read_text(encoding="utf-8")
    named = re.findall(r'"(tests/[\w/.]+)"', text)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
