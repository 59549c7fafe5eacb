"""senna eval: options, standard error, exit status; what scores are is tested elsewhere."""

import json
import lzma
import shlex
from functools import partial
from pathlib import Path

import pytest

import senna as package
from senna.files import resource

GOLDEN = Path(__file__).parents[1] / "golden"
CONLLEVAL = [path.stem for path in sorted(GOLDEN.glob("conlleval/*.in"))]
SRLEVAL = [path.stem for path in sorted(GOLDEN.glob("srleval/*.gold"))]
NER, POS, SRL, PSG = (("eval", "--task", task) for task in ("ner", "pos", "srl", "psg"))


@pytest.mark.parametrize("case", CONLLEVAL)
def test_as_is_prints_the_recorded_outputs_of_conlleval(senna, case):
    path = GOLDEN / "conlleval" / case
    args = shlex.split(path.with_suffix(".args").read_text(encoding="utf-8"))
    done = senna(*NER, "--as-is", *args, data=path.with_suffix(".in").read_bytes())
    assert done.out == path.with_suffix(".out").read_bytes()
    assert (done.code == 0) == (not path.with_suffix(".rc").exists())
    if case == "27":
        assert (done.code, done.err) == (1, path.with_suffix(".err").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", SRLEVAL)
def test_the_recorded_outputs_of_srl_eval(senna, case):
    path = GOLDEN / "srleval" / case
    options = {"-latex": "--latex", "-C": "--confusion"}
    args = [options[word] for word in path.with_suffix(".args").read_text("utf-8").split()]
    done = senna(*SRL, *args, path.with_suffix(".gold"), path.with_suffix(".pred"))
    assert done.out == path.with_suffix(".out").read_bytes()
    failed = path.with_suffix(".rc").exists()
    assert done.code == 2 * failed
    if path.with_suffix(".err").exists() and not failed:
        assert done.err == path.with_suffix(".err").read_text(encoding="utf-8")


def test_bytes_that_are_not_utf_8_are_written_unchanged(senna, tmp_path):
    (tmp_path / "gold").write_bytes(b"go (V*)\n- (\xff*)\n")
    done = senna(*SRL, tmp_path / "gold", "-", data=(tmp_path / "gold").read_bytes())
    assert b"\n         \xff        1       0       0   100.00" in done.out
    (tmp_path / "gold").write_bytes(b"(S (NP (N \xff)) (V b))\n")
    done = senna(*PSG, tmp_path / "gold", "-", data=b"(S (NP (N \xfe)) (V b))\n")
    assert done.err == "1 : Words unmatch (\udcff|\udcfe)\n"
    same = senna(*PSG, tmp_path / "gold", tmp_path / "gold").out
    assert b"Number of Valid sentence  =      1\n" in same


def test_json_and_tables(senna):
    run = partial(senna, *NER, "--confusion", data=b"Ulm B-LOC B-ORG\n\xff B-\xff O\n")
    figures = json.loads(run("--json", "--errors", "1").out)
    assert (figures["task"], figures["phrases"], figures["f1"]) == ("ner", 2, 0.0)
    assert (len(figures["confusion"]), len(figures["errors"])) == (2, 1)
    text = run("--errors", "2").out
    assert b"\n\ngold  ORG  O\n" in text
    ends = [b"      1  \xff/\xff -> \xff/O", b"      1  Ulm/LOC -> Ulm/ORG"]
    assert sorted(text.splitlines()[-2:]) == sorted(ends)
    files = GOLDEN / "srleval" / "15.gold", GOLDEN / "srleval" / "15.pred"
    done = senna(*SRL, "--json", "--confusion", *files)  # no span is right
    assert done.code == 0
    assert json.loads(done.out)["unlabelled"]["label_accuracy"] is None


@pytest.mark.parametrize("case", ["22", "23"])
@pytest.mark.parametrize("task", ["ner", "pos"])
def test_an_empty_input_is_reported(senna, case, task):
    path = GOLDEN / "conlleval" / case
    args = shlex.split(path.with_suffix(".args").read_text(encoding="utf-8"))
    done = senna("eval", "--task", task, *args)
    if task == "ner" or args:
        assert done.out == path.with_suffix(".out").read_bytes()
    assert (done.code, done.err) == (0, "<stdin>: nothing in it to score\n")
    assert senna("eval", "--task", task, "--as-is", *args).err == ""


@pytest.mark.parametrize(
    ("args", "data", "message"),
    [
        ("ner", "a O O\nb O\n", "<stdin>:2: 2 columns, expected 3"),
        ("ner", "a\n", "<stdin>:1: 1 column, expected 2 or more"),
        ("ner", "a S-X O\nb [-X O\n", '<stdin>:2: tag "[-X" belongs to no known scheme'),
        ("ner", "He O O\nAnn O PER-B\n", '<stdin>:2: tag "PER-B" belongs to no known scheme'),
        ("ner", "Ann S-PER\nran O\n", 'tag "Ann" belongs to no known scheme. Both columns are'),
        ("ner", "Ann  S-PER  S-PER\n", "The column is empty. Is a separator doubled?"),
        ("ner absent.txt", "", "absent.txt: no such file"),
        ("ner -d (", "a O O\n", "is not a regular expression"),
        ("ner - -", "", "cannot both come from standard"),
        ("ner", '{"text": "Ann ran.", "tokens": []}\n', "JSON"),
        ("pos", "T1\tPER 0 3\tAnn\n", "a file of brat's annotations"),
        ("ner", "Ann B-PER B-PER met O O Bob B-PER B-PER\n", "all tokens are on one line"),
        ("ner", "Anna saw London.\n", "<stdin>: this is raw text, not columns."),
        ("pos --model pos", "Anna saw London.\n", "<stdin>: this is raw text, not columns."),
        ("ner --model ner ner/docred", "", "ner/docred: this is a corpus; its part is missing."),
        *((f"{task} --latex --json a b", "", "exclude each other") for task in ("srl", "psg")),
        *((f"{task} gold", "", f"--task {task} needs two files") for task in ("srl", "psg")),
        *((f"{task} - -", "", "cannot both come from standard") for task in ("srl", "psg")),
        *((f"{task} --model m a", "", "m: not a model folder") for task in ("srl", "psg")),
        ("psg --model m a b", "", "b: with --model, give only the gold file"),
        ("psg --latex a b", "", "--latex does not apply to --task psg without a --model. It takes"),
        ("ner --model m --raw", "", "--raw does not apply to --task ner and a"),
        *(
            (f"{task} {option} a b", "", f"{option.split()[0]} does not apply to --task {task}")
            for task in ("srl", "psg")
            for option in ("--raw", "--as-is", "--merge-to", "--errors 3", "--delimiter x")
        ),
        *(
            (
                f"psg {option} --model m a",
                "",
                f"{option.split()[0]} does not apply to --task psg and",
            )
            for option in ("--columns x", "--kinds n", "--predicates pos")
        ),
        *(
            (
                f"{task} {option}",
                "",
                f"{option.split()[0]} does not apply to --task {task[:3]} with",
            )
            for option in ("--predicates auto", "--kinds n", "--columns word,predicate")
            for task in ("srl x y", "ner x")
        ),
    ],
)
def test_bad_input_is_one_error(senna, args, data, message):
    done = senna("eval", "--task", *args.split(), data=data.encode())
    assert message in done.error
    assert done.out == b""


def test_a_split_of_a_corpus_is_named_without_its_folder(senna, tmp_path, monkeypatch):
    monkeypatch.setenv("SENNA_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    corpus = tmp_path / "pos" / "mine"
    corpus.mkdir(parents=True)
    (corpus / "test.xz").write_bytes(lzma.compress(b"a\tDT\tDT\nb\tNN\tVB\n\n"))
    assert b"accuracy:  50.00%" in senna(*POS, "pos/mine:test").out
    (corpus / "a:test").write_bytes(b"a\tDT\tDT\n\n")
    assert b"accuracy: 100.00%" in senna(*POS, "pos/mine/a:test").out, "a file is a file"
    assert senna(*POS, "pos/mine:tset").error == (
        f"{corpus}: the corpus has no split 'tset'. It has test."
    )
    assert "the corpus pos/ewt is not in" in senna(*POS, "pos/ewt:test").error
    trees = b"(TOP (S (NP (PRP She)) (VP (VBZ sings))))\n"
    (tmp_path / "trees" / "mine").mkdir(parents=True)
    (tmp_path / "trees" / "mine" / "test.mrg.xz").write_bytes(lzma.compress(trees))
    done = senna(*PSG, "trees/mine:test", "-", data=trees)
    assert b"Complete match            = 100.00\n" in done.out


DEMO = resource("data/demo") / "trees" / "test.mrg"


def test_a_parser_is_scored_as_in_python(senna):
    done = senna(*PSG, "--model", "psg", DEMO)
    assert (done.code, done.err) == (0, "")
    assert b"\n-- len<=40 --\n" in done.out
    scored = package.evaluate("psg", DEMO, model="psg")
    assert scored.report().encode() == done.out
    assert scored.figures["errors"] == scored.figures["skipped"] == 0
    assert scored.overall.f1 > 40
    assert scored.accuracy is not None and scored.accuracy > 80


def test_slips_in_parts_of_speech_leave_no_sentence_out(as_file):
    gold = as_file(
        "gold.mrg",
        "(TOP (S (NP (: She)) (VP (. sings)) (NN .)))\n" * 20
        + "(TOP (S (NP (NN :) (NN ,)) (VP (. .))))\n",
    )
    scored = package.evaluate("psg", gold, model="psg")
    assert (scored.figures["valid"], scored.figures["errors"], scored.status) == (21, 0, 0)
    assert scored.accuracy is not None and scored.accuracy < 50


def test_the_rules_of_values_are_scored(senna):
    gold = b"on O\n3 B-DATE\nMay I-DATE\n\n"
    done = senna("eval", "--task", "value", "--model", "ner", data=gold)
    assert b"found: 1 phrases; correct: 1." in done.out
