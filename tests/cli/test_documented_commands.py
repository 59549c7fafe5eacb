"""Every command in README.md and docs runs, in a folder that has the files which they speak of.

* Fenced blocks and the cells of tables are run as they stand, a page in one folder, from its top to
  its end.
* Corpora are the demonstration corpus, a few sentences of it, under the names of the catalogue.
* `senna train` and `senna pretrain` resolve and check their options and configuration as they
  stand, and then take one epoch with a small network. Of several folds the first is trained, and
  the others are copies of it. Scripts, which need minutes, only read their options.
* In running text, and with `...` in it, a command is named in part: its options must exist.
  A cell that names a command alone is such a text.
* pip and pytest are left out.
"""

import argparse
import lzma
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from senna.cli import app
from senna.corpora.catalogue import read_catalogue
from senna.extras.classic.program import HELP
from senna.lab import repetition
from senna.model.folder import shipped
from senna.pretraining import config as pretraining_config
from senna.pretraining import run as pretraining
from senna.tasks import TASKS
from senna.training import run as training
from senna.training.config import Config, override, read_config
from tests.pretraining import toytext
from tests.processes import ROOT
from tests.program import Senna

PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])
OURS = re.compile(r"senna [a-z]|python (?:recipe|scripts)/")
LEFT_OUT = ("pip", "pytest")
SHORT_ENCODER = ("epochs=0.2", "held_out=5", "gated.units=16")
SHORT = ("train.epochs=1", "network.gated.units=16", "network.gated.pair=8", "export.rank=0")

Sentence = list[list[str]]

# --------------------------------------------------------------------------- what the pages say


def blocks(text: str, language: str = "") -> list[str]:
    """The fenced blocks of a page that are in a language."""
    found = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", text)
    return [block for own, block in found if own == language]


def cells(text: str) -> list[str]:
    """The code in the tables of a page."""
    return re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\|.*", text, re.MULTILINE)))


def unrolled(loop: re.Match[str]) -> str:
    name, values, body = loop.groups()
    return "".join(body.replace(f"${name}", value) for value in values.split())


def to_run(page: Path) -> list[str]:
    """The lines of a page that are run, in order."""
    text = page.read_text(encoding="utf-8")
    pattern = rf"(?m)^(pip.*|echo.*)?({OURS.pattern})"
    printed = [block for block, *_ in with_output(text)]
    whole = [block for block in blocks(text) if re.search(pattern, block) and block not in printed]
    joined = "".join(whole).replace("\\\n", " ")
    joined = re.sub(r"(?ms)^for (\w+) in (.*?); do\n(.*?)^done\n", unrolled, joined)
    told = [cell for cell in cells(text) if OURS.match(cell)]
    whole_ones = [cell for cell in told if cell.startswith("python") or command_of(cell)[1]]
    return [*joined.splitlines(), *dict.fromkeys(whole_ones)]


def with_output(text: str) -> list[tuple[str, str, str]]:
    """The blocks of a page that are a command and what it prints, these two after each."""
    pairs = [(block, *block.partition("\n")[::2]) for block in blocks(text)]
    return [
        (block, line, output)
        for block, line, output in pairs
        if re.match(rf"echo.*{OURS.pattern}", line) and output and not OURS.search(output)
    ]


def in_part(page: Path) -> list[str]:
    """The commands that running text names."""
    text = re.sub(r"(?ms)^```.*?^```$|^\|.*?$", "", page.read_text(encoding="utf-8"))
    found = [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text)]
    return [code for code in found if OURS.match(code)]


# --------------------------------------------------------------------------- the files it is about


def demo(task: str, part: str = "train") -> list[Sentence]:
    """Some sentences of the demonstration corpus, as rows of columns."""
    text = (ROOT / "data" / "demo" / task / f"{part}.txt").read_text(encoding="utf-8")
    sentences = [[row.split("\t") for row in block.split("\n")] for block in text.split("\n\n")]
    return [rows for rows in sentences if len(rows) > 3][: 24 if part == "train" else 8]


PARTS = {"testa": "dev", "testb": "test", "partial": "train"}
PARTS |= dict.fromkeys(["verbs", "nouns", "adjectives", "inventory.tsv"], "train")


def four_columns(part: str = "train") -> list[Sentence]:
    """Word, part of speech, chunk and entity."""
    pairs = zip(demo("chunk", part), demo("ner", part), strict=True)
    return [[[*row, name[1]] for row, name in zip(*pair, strict=True)] for pair in pairs]


def roles(*columns: int) -> list[Sentence]:
    """Columns before the roles, by their numbers, and the roles."""
    return [[[row[i] for i in columns] + row[6:] for row in rows] for rows in demo("srl")]


def trees(part: str = "train") -> str:
    """Some trees of the demonstration corpus, one a line."""
    text = (ROOT / "data" / "demo" / "trees" / f"{part}.mrg").read_text(encoding="utf-8")
    return "".join(text.splitlines(keepends=True)[: 24 if part == "train" else 8])


def as_text(sentences: list[Sentence]) -> str:
    return "".join("".join("\t".join(row) + "\n" for row in rows) + "\n" for rows in sentences)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(lzma.compress(data) if path.suffix == ".xz" else data)


def prepare(folder: Path) -> None:
    """The files that the pages speak of, and the folders that lie beside them."""
    for name in ("configs", "data", "recipe", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    sample = (ROOT / "data" / "sample.txt").read_text(encoding="utf-8")
    lines = "".join(" ".join(row[0] for row in rows) + "\n" for rows in demo("pos"))
    news = (lines + "France has a reddish xbox .\n" * 20) * 5
    words = sorted({row[0].lower() for rows in demo("pos") for row in rows})
    vectors = "".join(f"{word} {i % 7}.5 {i % 5}.0 -1.5\n" for i, word in enumerate(words))
    treebank = (ROOT / "data" / "demo" / "ud" / "dev.conllu").read_text(encoding="utf-8")
    known = "france spain king queen car truck".split()
    pairs = "".join(f"{a}\t{b}\t{i}\n" for i, (a, b) in enumerate(pairwise(known)))
    contents = {
        **dict.fromkeys(("text.txt", "text1.txt", "text2.txt.xz"), sample),
        **dict.fromkeys(("news.txt.xz", "blogs.txt"), news),
        **dict.fromkeys(("tokenised.txt", "sentences.txt"), lines),
        **dict.fromkeys(("train.txt", "dev.txt", "test.txt"), as_text(four_columns())),
        **dict.fromkeys(("corpus.txt", "gold.txt"), as_text(four_columns("test"))),
        **{f"{part}.mrg": trees(part) for part in ("train", "dev", "test")},
        **dict.fromkeys(("mine.tsv", "dev.tsv", "test.tsv"), "good\tNot bad.\nbad\tNot good.\n"),
        "reviews.txt": "Bad from start to end. Not good.\n",
        "eng.train": as_text(four_columns()).replace("\n", "\r\n"),
        "all.txt": as_text(roles(1, 2, 3, 5, 4)),
        **dict.fromkeys(("train.props", "dev.props"), as_text(roles(1, 4))),
        **dict.fromkeys(("gold.props", "predicted.props"), as_text(roles(4))),
        **dict.fromkeys(("glove.6B.100d.txt", "ours", "skipgram"), vectors),
        **dict.fromkeys(("wordsim353.tsv", "simlex999.tsv"), pairs),
        "questions-words.txt": ": royal\nfrance spain king queen\n",
        **dict.fromkeys(("mine.conllu", "dev.conllu", "test.conllu"), treebank),
        **dict.fromkeys(("gold.conllu", "system.conllu"), treebank),
        "lists/per.txt": "Anna\n",
        "corpora/gazetteers/per.txt": "Anna\n",
        "corpora/research/pt0_wsj/train.xz": as_text(demo("pt0")),
    }
    for name, text in contents.items():
        write(folder / name, text)
    multitask = (ROOT / "configs" / "multitask.toml").read_text(encoding="utf-8")
    used = "".join(f'[data.{task}]\ntrain = ["{task}/ewt"]\n' for task in ("pos", "chunk"))
    write(folder / "mine.toml", f'{multitask}\n{used}[data.ner]\ntrain = ["ner/docred"]\n')
    for name, corpus in catalogue().items():
        for split in corpus.splits:
            task = name.partition("/")[0]
            part = PARTS.get(split, split.partition(".")[0])
            part = part if part in ("train", "dev", "test") else "train"
            rows = demo(task, part) if (ROOT / "data/demo" / task / "dev.txt").exists() else None
            if split.endswith(".levels") and rows:  # all of them like the lowest
                rows = [[[*row, *row[2:] * 4] for row in sentence] for sentence in rows]
            whole = treebank if task == "ud" else as_text(rows or four_columns(part))
            whole = trees(part) if task == "trees" else whole
            write(folder / "corpora" / name / f"{split}.xz", whole)


# --------------------------------------------------------------------------- running


def expanded(word: str) -> list[str]:
    """The files that a pattern such as text*.txt names; other words as they are."""
    return sorted(map(str, Path().glob(word))) if word.endswith("*.txt") else [word]


class Shell:
    """As much of a shell as the pages need, with the program in this process."""

    def __init__(self, senna: Senna, monkeypatch: pytest.MonkeyPatch) -> None:
        self.senna = senna
        self.monkeypatch = monkeypatch

    def run(self, line: str) -> bytes:
        """What commands print that are joined by && and |, with their files."""
        words = shlex.shlex(line, posix=True, punctuation_chars="<>|&")
        words.whitespace_split = True
        data = b""
        for joins, group in groupby(words, lambda word: word in ("&&", "|")):
            command = list(group)
            if not joins:
                data = self.command(command, data)
            elif command == ["&&"]:
                data = b""
        return data

    def command(self, words: list[str], data: bytes) -> bytes:
        """What a command prints; it must end well."""
        out = None
        while len(words) > 2 and words[-2] in ("<", ">"):
            *words, sign, file = words
            if sign == "<":
                data = Path(file).read_bytes()
            else:
                out = Path(file)
        program, *arguments = [name for word in words for name in expanded(word)]
        if program in LEFT_OUT:
            return b""
        if words[:2] == ["senna", "serve"]:  # which goes on until it is stopped
            check_options(shlex.join(words))
            return b""
        if program == "senna":
            done = self.senna(*arguments, data=data)
            assert done.code == 0 or "pip install matplotlib" in done.err, done.err
            printed = done.out
        elif program == "python":
            printed = self.script(*arguments)
        else:
            done = subprocess.run(words, input=data, stdout=subprocess.PIPE, check=True)
            printed = done.stdout
        if out is not None:
            out.write_bytes(printed)
        return printed

    def script(self, path: str, *arguments: str) -> bytes:
        """Have a script read its options, and no more."""
        read = argparse.ArgumentParser.parse_args

        def only_read(parser: argparse.ArgumentParser, *given: Any) -> None:
            read(parser, *given)
            sys.exit(0)

        with self.monkeypatch.context() as patch:
            patch.setattr(argparse.ArgumentParser, "parse_args", only_read)
            patch.setattr(sys, "argv", [path, *arguments])
            patch.syspath_prepend(str((ROOT / path).parent))
            with pytest.raises(SystemExit) as end:
                runpy.run_path(str(ROOT / path), run_name="__main__")
        assert end.value.code == 0, arguments
        return b""


def command_of(code: str) -> tuple[Any, list[str]]:
    """What a line's first words name, and the words after them."""
    command: Any = get_command(app.app)
    words = shlex.split(code)[1:]
    while words and hasattr(command, "list_commands"):
        command = command.get_command(None, words.pop(0))
        assert command is not None, code
    return command, words


def check_options(code: str) -> None:
    """A command that is named in part: it exists, and so do its options."""
    command, words = command_of(code)
    known = {name for own in command.params for name in (*own.opts, *own.secondary_opts)}
    if command.name == "classic":  # the original's, which the program reads by itself
        known |= set(re.findall(r"(?<= )-\w+", HELP))
    assert {word for word in words if word.startswith("-") and word != "-"} <= known, code


catalogue = cache(read_catalogue)  # its lists are long, and read for each corpus that is named


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    """A folder with the files that the pages speak of."""
    folder = tmp_path_factory.mktemp("prepared")
    prepare(folder)
    return folder


@pytest.fixture
def shell(senna, prepared, tmp_path, monkeypatch) -> Shell:
    """A shell in a folder with the files, where training is short."""
    train, pretrain = training.train, pretraining.pretrain
    folds: dict[str, Path] = {}  # a model by its configuration, whatever the number of its fold

    def train_shortly(config: Config, run: training.Run, *others: Any, **named: Any) -> Path:
        as_they_are = config.train.model or config.train.encoder in TASKS  # a network's sizes
        short = [s for s in SHORT if s.startswith("train.")] if as_they_are else SHORT
        config = override(config, short)
        for task, data in config.data.items():
            sources = tuple(replace(source, sentences="") for source in data.train)
            small = replace(data, train=sources, size=min(data.size, 8))
            config = replace(config, data={**config.data, task: small})
        word = config.features.word
        given = config.train.model or config.train.encoder
        if word.embeddings == "base" and not given:  # which takes its time
            config = override(config, ["features.word.embeddings=", "features.word.size=8"])
        key = re.sub(r"fold='\d+/", "fold='/", repr(config))
        if key in folds:
            shutil.copytree(folds[key].parent, run.out)
            return run.out / "model"
        model = train(config, run, *others, **named)
        if any(data.fold for data in config.data.values()):
            folds[key] = model
        return model

    def pretrain_shortly(config: Any, job: Any, *others: Any, **named: Any) -> Path:
        more = toytext.RECURRENT if config.objective == "recurrent" else ()
        settings = [*toytext.SMALL, *more] if config.objective != "encoder" else SHORT_ENCODER
        small = pretraining_config.override(config, settings, {})
        return pretrain(small, replace(job, jobs=1), *others, **named)

    train_each = repetition._train_each  # in processes, which would train for longer

    monkeypatch.setattr(repetition, "_train_each", lambda runs, jobs, say: train_each(runs, 1, say))
    monkeypatch.setattr(repetition, "read_corpora", lambda *of_largest: None)  # the files are small
    monkeypatch.setattr(training, "train", train_shortly)
    monkeypatch.setattr(pretraining, "pretrain", pretrain_shortly)
    for module in [module for name, module in sys.modules.items() if name.startswith("senna.")]:
        if getattr(module, "read_catalogue", None) is read_catalogue:
            monkeypatch.setattr(module, "read_catalogue", catalogue)
    for path in prepared.iterdir():  # corpora are only read, the other files are a page's own
        if path.is_symlink() or path.name == "corpora":
            (tmp_path / path.name).symlink_to(path.resolve())
        elif path.is_dir():
            shutil.copytree(path, tmp_path / path.name)
        else:
            shutil.copy(path, tmp_path)
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "corpora"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return Shell(senna, monkeypatch)


# Packages that the commands and lines of a page need.
READERS = ("pandas", "polars", "duckdb", "pyarrow", "nltk", "conllu")
NEEDED = {"scorers": ("seqeval",), "elsewhere": READERS}
WITH_COMMANDS = [page for page in PAGES if to_run(page)]
QUICK = ("classic", "confidence", "corpora", "output", "tags")  # others train, or score


def test_the_pages_with_commands_are_found():
    assert {"README", "training", "results", "cli", "classic"} <= {p.stem for p in WITH_COMMANDS}


def test_a_name_of_a_run_is_given_on_one_page():
    """So a reader of several pages finds no run of that name in the way."""
    named: dict[str, set[str]] = {}
    for page in WITH_COMMANDS:
        for line in to_run(page):
            for name in re.findall(r"senna train .*--name (\S+)", line):
                named.setdefault(name, set()).add(page.name)
    assert {"mine", "parser", "chunks"} <= set(named)
    assert {name: pages for name, pages in named.items() if len(pages) > 1} == {}


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_commands_have_their_options(senna, monkeypatch, page):
    """All of them, also where a page is too slow to run each time."""
    seen: list[list[str]] = []
    monkeypatch.setattr(Shell, "command", lambda shell, words, data: seen.append(words) or b"")
    for line in to_run(page):
        Shell(senna, monkeypatch).run(line)
    assert seen
    for words in seen:
        if words[0] == "senna":
            check_options(shlex.join(words))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[] if page.stem in QUICK else pytest.mark.slow)
        for page in WITH_COMMANDS
    ],
)
def test_commands_run(shell, page):
    failed = []
    for package in NEEDED.get(page.stem, ()):
        pytest.importorskip(package)
    if page.stem == "results":  # they come from another page
        for name in ("runs/pt0-1/model", *(f"pt0-folds/fold-{k}" for k in range(3))):
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).symlink_to(shipped()["pt0"])
    if page.stem == "cli":
        shell.run("senna pretrain news.txt.xz --objective recurrent --out runs/lm")
    for line in to_run(page):
        if page.stem == "teacher" and not line.startswith("senna"):
            continue  # it needs a download
        try:
            named = "..." in line or page.stem == "teacher"
            check_options(line.partition(" < ")[0]) if named else shell.run(line)
        except (AssertionError, OSError, subprocess.CalledProcessError) as error:
            failed.append(f"{line}\n    {error}")
    assert not failed, "\n".join(["", *failed])


def test_commands_print_what_stands_below_them(shell):
    found = [pair for page in PAGES for pair in with_output(page.read_text(encoding="utf-8"))]
    assert found
    for _, line, output in found:
        assert shell.run(line).decode().rstrip("\n") == output.rstrip("\n")


def test_configurations_are_read(tmp_path):
    file, found = tmp_path / "config.toml", 0
    for page in PAGES:
        for block in blocks(page.read_text(encoding="utf-8"), "toml"):
            file.write_text(block, encoding="utf-8")
            found += 1
            assert read_config(file).tasks
    assert found >= 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_that_are_named_exist(page):
    for code in in_part(page):
        if code.startswith("python"):
            assert (ROOT / code.split()[1]).is_file(), code
        else:
            check_options(code)


# Pages whose examples want more packages have tests of their own.
@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if p.stem not in ("README", "api", "spark")],
    ids=lambda page: page.stem,
)
def test_python_runs(page, capsys):
    for package in NEEDED.get(page.stem, ()):
        pytest.importorskip(package)
    names: dict[str, Any] = {}
    for code in blocks(page.read_text(encoding="utf-8"), "python"):
        if "->" not in code:  # a signature
            exec(compile(code, str(page), "exec"), names)
