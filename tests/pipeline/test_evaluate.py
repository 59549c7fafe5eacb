"""senna.evaluate, and scores of tags that a training loop has in its hands."""

import contextlib
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import senna
from senna.annotation.predicates import Predicate, regular
from senna.annotation.schemes import phrases_of
from senna.cli.app import app
from senna.errors import SennaError
from senna.formats.props import props_of
from senna.kinds import output_of
from senna.pipeline.files import read_files
from senna.pipeline.options import Options
from senna.scoring import srleval
from tests import toys
from tests.pipeline.pieces import tag_pieces
from tests.processes import ROOT

NER = "Ann\tS-PER\tS-PER\nof\tO\tS-LOC\nUlm\tS-LOC\tS-ORG\n\nBo\tS-PER\tS-PER\n\n"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, args)])


@pytest.fixture
def columns(as_file) -> Path:
    path = as_file("tagged.txt", NER)
    return path


def test_the_example_of_the_documentation(monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    [example] = re.findall(
        r"```python\n(import senna\n\nresult = senna.evaluate.*?)```", text, re.S
    )
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(example, {})
    figures, report = out.getvalue().split("\n", 1)
    assert report == run("--task", "ner", "--model", "ner", "data/demo/ner/test.txt").stdout + "\n"
    f1, recall = (float(number) for number in re.findall(r"\d+\.\d+", figures))
    assert f"FB1: {f1:6.2f}\n" in report.splitlines(keepends=True)[1]
    assert re.search(rf"LOC: .*recall: +{recall:.2f}%", report)


def test_figures_overall_and_by_type(columns):
    found = senna.evaluate("ner", columns)
    assert (found.overall.precision, found.overall.recall) == (50, pytest.approx(200 / 3))
    assert found.types["PER"].f1 == 100
    assert found.types.keys() == {"LOC", "ORG", "PER"}
    assert found.accuracy == 50
    assert found.notes == ()
    as_words = senna.evaluate("pos", columns)
    assert as_words.accuracy == as_words.overall.f1 == 50
    assert as_words.types["S-PER"].recall == 100


@pytest.mark.parametrize(
    "flags",
    [
        {},
        {"latex": True},
        {"as_is": True, "delimiter": "\t"},
        {"confusion": True, "errors": 2},
        {"raw": True, "outside": "S-LOC"},
    ],
)
def test_report_and_json_are_the_commands(columns, flags):
    options: list[str] = []
    for name, value in flags.items():
        options += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    for task in ("ner", "pos"):
        found = senna.evaluate(task, str(columns), **flags)
        assert found.report() == run("--task", task, *options, columns).stdout
        if "latex" not in flags:
            assert found.json() == run("--task", task, *options, "--json", columns).stdout


def test_words_in_another_case_are_those_of_a_file_so_written(as_file):
    gold = ROOT / "data" / "demo" / "ner" / "test.txt"
    lines = gold.read_text(encoding="utf-8").split("\n")
    rows = [line.split("\t") for line in lines]
    upper = ["\t".join([cells[0].upper(), *cells[1:]]) for cells in rows]
    cased = as_file("upper.txt", "\n".join(upper))
    expected = run("--task", "ner", "--model", "ner", cased).stdout
    assert run("--task", "ner", "--model", "ner", "--case", "upper", gold).stdout == expected
    assert run("--task", "ner", "--model", "ner", gold).stdout != expected


@pytest.mark.parametrize("memory", [True, False])
def test_a_model_remembers_names_as_it_does_where_it_tags(tmp_path, as_file, memory):
    model = toys.model(tmp_path / "model", "ner", seed=8)
    words = "Anna Weber walked with The iPod .".split()
    document = [" ".join(words[i::k]) for k in (1, 2, 3, 5) for i in range(k)]
    mark = "-DOCSTART-\tO\n\n"
    sentences = ["".join(f"{w}\tB-PER\n" for w in text.split()) + "\n" for text in document]
    gold = as_file("gold.txt", (mark + "".join(sentences)) * 2 + mark + sentences[1])
    reading = Options("ner", model, input="columns", memory=memory, scheme="iob2")
    pieces = read_files([str(gold)], reading)
    tagged = "".join(out for _, out in tag_pieces(pieces, reading, 1))
    columns = as_file("tagged.txt", re.sub("-DOCSTART-.*\n\n", "", tagged))
    options = [] if memory else ["--no-memory"]
    evaluation = senna.evaluate("ner", gold, model=model, memory=memory)
    assert evaluation.types == senna.evaluate("ner", columns).types
    assert evaluation.report() == run("--task", "ner", "--model", model, *options, gold).stdout
    other = senna.evaluate("ner", gold, model=model, memory=not memory)
    assert evaluation.types != other.types


@pytest.mark.parametrize(
    ("task", "more", "message"),
    [
        ("depp", {}, "unknown task 'depp'"),
        ("srl", {"model": "srl", "merge_to": True}, "merge_to does not apply to task srl and"),
        ("ner", {"model": "ner", "kinds": "n"}, "kinds does not apply to task ner and"),
        ("ner", {"memory": False}, "memory does not apply to task ner without a model"),
        ("pos", {"model": "pos", "memory": False}, "memory does not apply to task pos and"),
        ("pos", {"model": "pos", "from_text": True}, "from_text does not apply to task pos"),
        (
            "dep",
            {"model": "pos", "from_text": True, "case": "upper"},
            "case does not apply to task dep",
        ),
        ("dep", {"predicted": "y", "from_text": True}, "from_text does not apply"),
        # Once scored as if they were not there.
        (
            "ner",
            {"model": "ner", "case": "lowre"},
            "case: 'lowre' is not one of upper, lower, title",
        ),
        ("ner", {"cofusion": False}, "cofusion: unknown option. Known: as_is, raw,"),
    ],
)
def test_what_cannot_be_evaluated(columns, task, more, message):
    with pytest.raises(SennaError, match=message):
        senna.evaluate(task, columns, **more)


def test_an_empty_gold_file_is_refused_unless_a_reference_scorer_reads_it(as_file):
    gold = as_file("gold", "\n")
    for task in ("ner", "srl"):
        with pytest.raises(SennaError, match=f"^{re.escape(str(gold))}: the file has no sentences"):
            senna.evaluate(task, gold, model=task)
        predicted = gold if task == "srl" else None
        notes = senna.evaluate(task, gold, predicted).notes
        assert notes == (f"{gold}: nothing in it to score",)
    with pytest.raises(SennaError, match="the file has no sentences"):
        senna.evaluate("label", gold, gold)


def score(task: str, gold: Sequence[Any], predicted: Sequence[Any]) -> float:
    return output_of(task).measure(gold, predicted).percent


odd_iobes = st.sampled_from(["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in "XY")])


def sides(draw: st.DrawFn, tags: st.SearchStrategy[str]) -> tuple[list[str], list[str]]:
    n = draw(st.integers(0, 9))
    gold = draw(st.lists(tags, min_size=n, max_size=n))
    kept = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return gold, [tag if keep else draw(tags) for tag, keep in zip(gold, kept, strict=True)]


@st.composite
def corpora(draw: st.DrawFn, tags: st.SearchStrategy[str]) -> list[list[list[str]]]:
    """Gold and predicted tags of some sentences."""
    pairs = [sides(draw, tags) for _ in range(draw(st.integers(0, 4)))]
    return [[gold for gold, _ in pairs], [predicted for _, predicted in pairs]]


def f1(gold: set[object], found: set[object]) -> float:
    """F1 of sets, in percent."""
    return 200 * len(gold & found) / max(len(gold) + len(found), 1)


def phrases(sentences: Sequence[Sequence[str]]) -> set[object]:
    return {(i, *own) for i, tags in enumerate(sentences) for own in phrases_of(tags, "iobes")}


@given(corpora(odd_iobes))
def test_score_of_phrases_is_f1_also_where_iobes_is_broken(both):
    expected = pytest.approx(f1(phrases(both[0]), phrases(both[1])))
    assert score("ner", *both) == score("predicates", *both) == expected


@given(corpora(st.sampled_from(["NN", "VB", "", "-1"])))
def test_score_of_words_is_accuracy(both):
    pairs = [pair for own in zip(*both, strict=True) for pair in zip(*own, strict=True)]
    right = [one == other for one, other in pairs]
    assert score("pos", *both) == pytest.approx(100 * sum(right) / max(len(right), 1))


@given(
    st.lists(
        st.lists(odd_iobes, min_size=6, max_size=6).flatmap(
            lambda gold: st.tuples(
                st.just(gold), st.lists(odd_iobes, min_size=6, max_size=6), st.booleans()
            )
        ),
        max_size=4,
    )
)
def test_score_of_roles_is_that_of_their_props(rows):
    """A sentence has two predicates; of some, a different one is found."""
    swapped = {"X": "A1", "Y": "C-A1"}

    def predicate(place: int, tags: list[str]) -> Predicate:
        named = [tag if tag == "O" else tag[:2] + swapped[tag[2:]] for tag in tags]
        return regular(place, named)

    gold = [[predicate(0, one), predicate(3, other)] for one, other, _ in rows]
    found = [[predicate(0, one), predicate(3 if same else 4, one)] for one, _, same in rows]
    words = ["w"] * 6
    pairs = srleval.pairs_of(
        [props_of(words, own) for own in gold], [props_of(words, own) for own in found], str
    )
    assert score("srl", gold, found) == srleval.score(pairs).overall.f1
    assert score("srl", gold, gold) in (0, 100)


def test_a_reading_of_tags_is_noted_only_where_it_changes_the_score(tmp_path):
    gold = [[("Anna", "S-PER"), ("ran", "O")]]
    assert senna.evaluate("ner", gold, gold).notes == ()
    one = [[("Anna", "S-PER"), ("Bob", "S-PER"), ("ran", "O")]]
    [note] = senna.evaluate("ner", one, one).notes
    assert note.startswith("gold and predicted read as IOBES")


def test_a_file_of_words_and_tags_alone_has_a_note(tmp_path):
    (tmp_path / "a.txt").write_text("Ann NNP\nran VBD\n", encoding="utf-8")
    [note] = senna.evaluate("pos", tmp_path / "a.txt").notes
    assert note == "no tag is right: the last two columns are gold and predicted"


def test_notes_do_not_name_the_files_that_sentences_are_written_to():
    assert senna.evaluate("ner", [], []).notes == ("gold: nothing in it to score",)


TREES = """\
# newdoc id = a
# text = I don't go.
1\tI\tI\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# text = Stay here.
1\tStay\tstay\tVERB\tVB\t_\t0\troot\t_\t_
2\there\there\tADV\tRB\t_\t1\tadvmod\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_

# newdoc id = b
# text = Yes
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_

"""


def test_trees_are_scored_on_gold_words_and_on_text_that_is_split(tmp_path):
    network, gold = toys.TREES.network, tmp_path / "gold.conllu"
    model = toys.model(tmp_path / "model", "upos", "dep", network=network)
    gold.write_text(TREES, encoding="utf-8")
    given = senna.evaluate("dep", gold, model=model)
    split = senna.evaluate("dep", gold, model=model, from_text=True)
    for report in (given.report(), split.report()):
        rows = {row.split("|")[0].strip(): row.split("|")[1:] for row in report.splitlines()}
        for metric in ("Tokens", "Sentences", "Words"):
            assert [cell.strip() for cell in rows[metric]] == ["100.00"] * 3 + [""]
        assert float(rows["XPOS"][0]) > 80  # by the package's model
    gold.write_text(TREES.replace("Stay here.", "Stayhere."), encoding="utf-8")
    other = senna.evaluate("dep", gold, model=model, from_text=True)
    assert "Words      |    100.00 |" not in other.report()
