"""No file ends in another exception than SennaError, whatever its bytes: files of all formats.

Each is a whole one first, and then one with some changes.
"""

import random
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import senna
from senna.errors import SennaError
from senna.files import open_text
from senna.formats.gold import read_gold
from senna.kinds import output_of
from senna.kinds.answer import GoldOptions
from senna.pipeline.files import options_for, output
from senna.pipeline.pipeline import Pipeline

ROW = "{}\t{}\ta\tNOUN\tNN\t_\t{}\tobj\t_\tner=B-PER|srl=2:B-A0\n"
CONLLU = (
    "# newdoc\n# text = Ann saw it\n"
    + ROW.format(1, "Ann", 2)
    + "2-3\tsawit\t_\t_\t_\t_\t_\t_\t_\t_\n"
)
CONLLU += ROW.format(2, "saw", 0) + ROW.format(3, "it", 2) + "3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
CONLL2012 = (
    "#begin document (a/b); part 000\na/b 0 0 Ann NNP (S(NP*) - - - - (PERSON) (ARG0*) (1)\n"
)
CONLL2012 += "a/b 0 1 ran VBD (VP*)) run 01 1 - * (V*) -\n\n#end document\n"
TAGGED = (
    '{"line": 1, "text": "Ann ran.", "start": 0, "tokens": [{"text": "Ann", "start": 0, "end": 3}, '
    '{"text": "ran", "start": 4, "end": 7}, {"text": ".", "start": 7, "end": 8}], '
    '"tags": {"pos": ["NNP", "VBD", "."], "ner": ["S-PER", "O", "O"]}, '
    '"spans": {"ner": [{"label": "PER", "text": "Ann", "start": 0, "end": 3, '
    '"first": 0, "last": 1}]}}\n'
)
STUDIO = (
    '[{"data": {"text": "Ann \U0001f600 ran."}, "annotations": [{"result": [{"type": "labels", '
    '"value": {"start": 0, "end": 3, "text": "Ann", "labels": ["PER"]}}]}]}]\n'
)
FILES = {  # by the names of files; what reads them as input, and the tasks that they have gold for
    "a.txt": (
        "Ann saw Rome, e. g. at 5 p.m. \u201cStop!\u201d said Bob.\n\n> She left.\n",
        "text",
        "",
    ),
    "b.txt": ("Ann ran .\nBob slept .\n", "tokens", ""),
    "a.html": (
        "<html><body><p>Ann &amp; <b>Bob</b> ran.<br>It &#8217;s late.</p><script>x",
        "html",
        "",
    ),
    "c.txt": (
        "-DOCSTART- O\n\nAnn NNP S-PER\nran VBD O\n\nthe DT O\nsea NN S-LOC\n\n",
        "columns",
        "ner",
    ),
    "d.txt": ("Ann\tNNP\nran\tVBD\n\n", "columns", "pos"),
    "a.conllu": (CONLLU * 2, "conllu", "pos,dep,ner,srl,lemma,feats"),
    "a.conllup": (
        "# global.columns = ID FORM SENNA:NER\n1\tAnn\tB-PER\n2\tran\t*\n\n",
        "conllu",
        "ner",
    ),
    "e.txt": (CONLL2012 * 2, "conll2012", "pos,ner,srl,psg"),
    "a.csv": ('id,text\n1,"Ann ""ran"".\nIt rained."\n2,Bob slept.\n', "csv", ""),
    "a.jsonl": ('{"id": 1, "text": "Ann ran."}\n{"id": 2, "text": null}\n' * 2, "jsonl", ""),
    "b.jsonl": (TAGGED * 2, "", ""),
    "c.jsonl": (
        '{"text": "Ann ran to Rome.", "label": [[0, 3, "PER"], [11, 15, "LOC"]]}\n' * 2,
        "",
        "ner",
    ),
    "d.jsonl": ('["Ann ran.", {"entities": [[0, 3, "PER"]]}]\n' * 2, "", "ner"),
    "e.jsonl": ('{"tokens": ["Ann", "ran"], "ner_tags": ["B-PER", "O"]}\n' * 2, "", "ner"),
    "a.json": (STUDIO, "", "ner"),
    "a.ann": ("T1\tPER 0 3\tAnn\nT2\tLOC 8 12;13 14\tRome ,\nR1\tx Arg1:T1 Arg2:T2\n", "", "ner"),
    "f.txt": ("(TOP (S (NP (NNP Ann)) (VP (VBD ran)) (. .)))\n" * 2, "", "psg"),
    "a.tsv": ("good\tAnn ran.\nbad\tBob slept. It rained.\n", "", "label"),
    "g.txt": ("Ann - (A0*)\nran ran (V*)\nhome - (AM-DIR*)\n\n" * 2, "", "srl,predicates"),
}
BITS = (
    b"\x00 \xff \xc3 \xef\xbb\xbf \t \n \r\n \xe2\x80\xa8 \" ' { } [ ] ( ) , : * | = _ - -1 0 "
    b"1e999 99999999 null true NaN [[[[ ((( B- S-X -DOCSTART- #begin # \\ \\ud800 \xf0\x9f"
).split(b" ")


def damaged(rng: random.Random, whole: bytes) -> bytes:
    """The bytes after up to three changes."""
    data = whole
    for _ in range(rng.randint(1, 3)):
        start = rng.randint(0, len(data))
        end = min(start + rng.choice((0, 0, 1, 1, 2, 9, len(data))), len(data))
        part = rng.choice((rng.choice(BITS), rng.choice(BITS), b"", data[start:end] * 2))
        data = data[:start] + part + data[end:]
    lines = data.splitlines(keepends=True)
    if rng.random() < 0.2 and lines:
        data = b"".join(rng.sample(lines, rng.randint(0, len(lines))))
    return data


def converted(path: Path, input: str, pipeline: Pipeline) -> None:
    reading = options_for([str(path)], {"format": "jsonl", "input": input, "tasks": "pos"})
    for _ in output([str(path)], reading, load=lambda: pipeline):
        pass


def gold(path: Path, task: str) -> None:
    with open_text(path) as lines:
        how = GoldOptions("", ("v",), True, tell=lambda line: None)
        found = list(read_gold(task, lines, str(path), how))
    output_of(task).learnable(found, str(path))


def compared(path: Path, task: str) -> None:
    senna.evaluate(task, path, path)


def readings(path: Path, input: str, tasks: str, pipeline: Pipeline) -> Iterator[Any]:
    """All ways in which a file is read, those that fit it first."""
    if input:
        yield partial(converted, path, input, pipeline)
    for task in filter(None, tasks.split(",")):
        yield partial(gold, path, task)
    yield None
    yield lambda: list(senna.read(path))
    yield lambda: list(senna.search("<ner=PER>", path)) if not input else None
    for task in filter(None, tasks.split(",")):
        yield partial(compared, path, task)


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("n", [3, pytest.param(120, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FILES)
def test_damaged_files_are_read_or_refused_in_one_line(name, n, tmp_path):
    content, input, tasks = FILES[name]
    path, rng = tmp_path / name, random.Random(name)
    path.with_suffix(".txt").write_text("Ann saw Rome , far .\n", encoding="utf-8")  # of a.ann
    pipeline = Pipeline.load(["pos"])
    for k in range(n):
        data = damaged(rng, content.encode()) if k else content.encode()
        path.write_bytes(data)
        fits = not k  # a whole file, read as what it is
        for read in readings(path, input, tasks, pipeline):
            fits = fits and read is not None
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    warnings.simplefilter("ignore", UserWarning)  # of spans that are left out
                    (read or list)()
            except SennaError as error:
                if fits or "\n" in str(error):
                    pytest.fail(f"{error} for {data!r}")
            except Exception as error:
                pytest.fail(f"{type(error).__name__}: {error} for {data!r}")
