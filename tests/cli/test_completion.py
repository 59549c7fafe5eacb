"""Completion: what shells are told, and shells themselves, where they are installed."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.processes import ROOT


@pytest.fixture
def program(tmp_path, as_file) -> dict[str, str]:
    """An environment in which `senna` is this program."""
    path = as_file(
        "senna",
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from senna.__main__ import main\nmain()\n",
    )
    path.chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("senna t", ["tag", "train"]),
        ("senna data ", ["list", "get", "path"]),
        ("senna tag --format html --input co", ["columns", "conllu", "conll2012"]),
        ("senna tag some/fi", []),  # files: the shell's own
    ],
)
def test_commands_options_and_values_are_completed(senna, monkeypatch, line, known):
    """Bash is told what may come at the end of a line."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    for name, value in {**words, "_SENNA_COMPLETE": "complete_bash"}.items():
        monkeypatch.setenv(name, value)
    done = senna()
    assert (done.out.decode().split(), done.err) == (known, "")


@pytest.mark.parametrize(
    ("shell", "code"),
    [
        ("bash", "{script}\nCOMP_WORDS=(senna tag --format h); COMP_CWORD=3\n"
                 '_senna_completion senna; echo "${{COMPREPLY[@]}}"'),
        ("zsh", "compdef() {{ :; }}; _arguments() {{ print -r -- $* }}; {script}\n"
                "words=(senna tag --format h); CURRENT=4; _senna_completion"),
        ("fish", "{script}\ncomplete -C 'senna tag --format h'"),
    ],
)  # fmt: skip
def test_shells_take_their_scripts(program, shell, code):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    asked = {**program, "_SENNA_COMPLETE": f"source_{shell}"}
    script = subprocess.check_output(["senna"], env=asked, text=True)
    done = subprocess.run(
        [shell, "-c", code.format(script=script)], env=program, capture_output=True, text=True
    )
    assert "html" in done.stdout, done
    assert done.stderr == ""
