"""What reaches a terminal: what the input holds is shown, never obeyed."""

import io

import pytest

from senna.cli import terminal as terminal_module
from senna.cli.terminal import Terminal, summing
from senna.errors import SennaError, plain

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\x9b31m\x7f"


def obeyed(text: str) -> set[str]:
    return {c for c in text if c != "\n" and (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0)}


def test_an_error_is_one_line_that_a_terminal_only_shows():
    error = SennaError(f"tag {EVIL}\n", where=f"a\r\t{EVIL}.txt:1", remedy=f"Not {EVIL}.")
    assert str(error) == rf"a\r\t{SHOWN}.txt:1: tag {SHOWN}\n. Not {SHOWN}."
    assert plain("naïve 日本 \xa0") == "naïve 日本 \xa0"


@pytest.mark.parametrize("format_", ["columns", "conllu", "jsonl", "ansi"])
def test_tags_of_a_text(senna, shipped, terminal, monkeypatch, format_):
    monkeypatch.delenv("NO_COLOR", raising=False)
    data = f"Anna{EVIL} flew to {EVIL} Marburgh\r.\n".encode()
    task = ("--task", "pos" if format_ == "ansi" else "ner")
    options = ("tag", *task, "--input", "lines", "--format", format_)
    piped = senna(*options, data=data)
    assert piped.code == 0, piped.err
    terminal("stdout")
    done = senna(*options, data=data)
    assert done.code == 0
    text = done.out.decode()
    if format_ == "ansi":
        assert done.out == piped.out, "it has none but its own"
        assert "\x1b[" in text
    else:
        assert not obeyed(text.replace("\t", ""))
    if format_ == "columns":
        assert obeyed(piped.out.decode().replace("\t", "")), "programs get the words as they are"


def test_only_a_writer_of_colours_may_use_them():
    raw = io.BytesIO()
    stream = Terminal(raw)
    stream.write(b"\x1b[31ma\x1b[0m\t\xc3\xa9\r\nb\rc\xc2\x9b\n")
    stream.colours = True
    stream.write(b"\x1b[31ma\x1b[0m\x1b[2J\x1b]0;x\x07\n")
    plain_, coloured = raw.getvalue().splitlines(True)[:2], raw.getvalue().splitlines(True)[2:]
    assert plain_ == [b"\\x1b[31ma\\x1b[0m\t\xc3\xa9\r\n", b"b\\rc\\x9b\n"]
    assert coloured == [b"\x1b[31ma\x1b[0m\\x1b[2J\\x1b]0;x\\x07\n"]


def test_a_log_gets_a_line_of_progress_every_half_minute(monkeypatch, capsys):
    seconds = iter([0.0, 10.0, 31.0, 50.0, 62.0, 100.0])
    monkeypatch.setattr(terminal_module.time, "monotonic", lambda: next(seconds))
    with terminal_module.progress(True, 4000) as lines:
        for _ in range(5):
            lines.update(800)
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "senna: 1,600 characters (40%) after 31 s",
        "senna: 3,200 characters (80%) after 62 s",
    ]


def test_a_missing_kernel_is_reported_where_text_is_tagged(senna, tmp_path, monkeypatch):
    text, tagged = b"Bob slept.\n", tmp_path / "a.jsonl"
    tagged.write_bytes(senna("tag", "--task", "pos", "--format", "jsonl", data=text).out)
    monkeypatch.setattr("senna.inference.kernel.library.level", lambda: "off")
    monkeypatch.delenv("SENNA_KERNEL", raising=False)
    loud = [("tag", "--task", "pos"), ("match", "Bob"), ("classic", "-usrtokens", "-pos")]
    for command in loud:
        line = senna(*command, data=text).err
        assert line.startswith("senna: the compiled kernel is missing") and line.count("\n") == 1
        assert "pip install -e" in line  # these are the sources
    for command in (("match", "Bob", "--quiet"), ("match", "Bob", tagged), ("classic", "-h")):
        assert senna(*command, data=text).err == ""
    monkeypatch.setenv("SENNA_KERNEL", "off")
    assert [senna(*command, data=text).err for command in loud] == [""] * 3


def test_a_run_that_is_stopped_says_how_to_go_on(capsys):
    def run(error, *counts):
        with summing(quiet=False) as done:
            done.files, done.left, done.words, done.remedy = counts
            raise error

    with pytest.raises(KeyboardInterrupt):
        run(KeyboardInterrupt(), 2, 1, 1_500, "Go on with --resume.")
    shown = "senna: stopped after 2 of 3 files, 1,500 words in 0 s."
    assert capsys.readouterr().err == f"{shown} Go on with --resume.\n"
    with pytest.raises(KeyboardInterrupt):
        run(KeyboardInterrupt(), 0, 1, 0, "")
    assert capsys.readouterr().err.strip() == "senna: stopped after 0 of 1 file, 0 words in 0 s."
    with pytest.raises(SennaError):
        run(SennaError("no such file"), 2, 1, 1_500, "")
    with summing(quiet=False):
        pass
    assert not capsys.readouterr().err
