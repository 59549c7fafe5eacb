"""senna tag and senna eval with semantic roles: predicates from everywhere, output, bad input."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from senna.files import open_text, resource
from senna.formats.props import read_roles
from tests.cli.test_tag import sentences
from tests.tiny import made_once, train_small

GOLD = str(resource("data/demo/srl/test.txt"))
GATED = (
    "features.tags.pt0.size=0", "network.gated.units=24", "network.gated.pair=24",
    "network.gated.dilations=[1,2]", "train.dropout_input=0", "train.dropout_hidden=0",
    "train.epochs=7",
)  # fmt: skip
TEXT = "The large guide approved our state cut .\n\nResults\nHenrik wants to leave Marburgh .\n"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small models: predicates, pt0, and srl that reads the latter."""

    def make(folder: Path, new_run: Callable[[], Path]) -> None:
        for task in ("predicates", "pt0"):
            few = ("features.tags.pt0.size=0", f"data.{task}.size=150")
            train_small(task, new_run(), *few).rename(folder / task)
        own = (
            "data.srl.size=150",
            "features.tags.pt0.size=5",
            f"features.tags.pt0.model={folder / 'pt0'}",
        )
        train_small("srl", new_run(), *GATED, *own).rename(folder / "srl")

    return made_once(tmp_path_factory, "roles", make)


def options(trained: Path, *more: object) -> tuple[object, ...]:
    return ("--task", "srl", "--model", trained / "srl", *more)


def forms_and_predicates() -> tuple[str, str]:
    """The demonstration corpus' test part as tokens, and its predicates (kind v) as a list."""
    with open_text(GOLD) as stream:
        read = list(read_roles(stream, name=GOLD))
    tokens = "".join(" ".join(s.forms) + "\n" for s in read)
    own = [s.of_kinds(("v",)) for s in read]
    return tokens, "".join(" ".join(str(p.position + 1) for p in s) + "\n" for s in own)


def test_a_list_of_predicates(senna, trained, as_file):
    listed = as_file("predicates", "4\n\n2 4\n")
    done = senna(
        "tag", *options(trained, "--predicates", listed, "--input", "tokens"), data=TEXT.encode()
    )
    assert done.code == 0, done.err
    first, second, third = sentences(done.out)
    assert [row[1] for row in first] == ["-", "-", "-", "approved", "-", "-", "-", "-"]
    assert {len(row) for row in first} == {3}
    assert second == [["Results", "-"]]
    assert [row[1] for row in third] == ["-", "wants", "-", "leave", "-", "-"]
    assert (third[1][2], third[3][3]) == ("S-V", "S-V")


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        ("4\n\n", "p: ends before the input does: too few sentences"),
        ("4\n\n2\n2\n", "p:4: the input has no more sentences"),
        ("4\n2\n2\n", "p:2: predicate 2, but the sentence of the input has 1. The sentence "),
        ("", "p: ends before the input does"),
    ],
)
def test_lists_that_do_not_fit(senna, trained, tmp_path, monkeypatch, listed, message):
    monkeypatch.chdir(tmp_path)
    Path("p").write_text(listed, encoding="utf-8")
    done = senna(
        "tag", *options(trained, "--predicates", "p", "--input", "tokens"), data=TEXT.encode()
    )
    assert done.error.startswith(message)


def test_what_cannot_be_done(senna, trained, as_file):
    listed = as_file("predicates", "1\n")
    error = senna("tag", *options(trained, "--predicates", listed), data=b"x").error
    assert "--predicates: a list of predicates needs sentences that are separated already" in error
    error = senna("tag", *options(trained, "--predicates", "nowhere"), data=b"x").error
    assert error.startswith("--predicates nowhere: no such file or folder")
    error = senna("tag", *options(trained, "--predicates", trained / "pt0"), data=b"x").error
    assert "no model for task 'predicates'" in error


def gold_props(path: Path) -> Path:
    """The props of the demonstration corpus' test part, kind v."""
    from senna.formats.props import props_of as of_sentence

    with open_text(GOLD) as stream:
        made = [
            of_sentence(s.forms, s.of_kinds(("v",))) for s in read_roles(stream, name=GOLD)
        ]  # fmt: skip
    path.write_text(
        "".join("".join("\t".join(row) + "\n" for row in s.rows) + "\n" for s in made),
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("form", [(), ("--latex",), ("--json", "--confusion"), ("--confusion",)])
def test_a_model_is_scored_as_its_props_are(senna, trained, tmp_path, as_file, form):
    tokens, listed = forms_and_predicates()
    places = as_file("places", listed)
    own = options(trained, "--predicates", places, "--input", "tokens", "--format", "props")
    predicted = tmp_path / "pred"
    assert senna("tag", *own, "-o", predicted, data=tokens.encode()).code == 0
    gold = gold_props(tmp_path / "gold")
    expected = senna("eval", "--task", "srl", gold, predicted, *form)
    assert senna("eval", *options(trained), GOLD, *form).out == expected.out
    listed_too = senna("eval", *options(trained, "--predicates", places), GOLD, *form)
    if "--json" in form:
        figures = json.loads(listed_too.out)
        assert figures.pop("excess_predicates")["f1"] == figures["f1"]
        assert figures == json.loads(expected.out)
    else:
        assert listed_too.out == expected.out
    assert "predicates: precision 100.00, recall 100.00, F1 100.00" in listed_too.err


def test_predicted_predicates_are_told_on_standard_error(senna, trained):
    finder = trained / "predicates"
    done = senna("eval", *options(trained, "--predicates", finder), GOLD)
    assert done.err.startswith("predicates: precision ")
    assert done.out.startswith(b"Number of Sentences    :          79")
    scored = senna("eval", "--task", "predicates", "--model", finder, GOLD).out.decode()
    f1 = done.err.splitlines()[0].split("F1 ")[1]
    assert f"FB1: {float(f1):6.2f}" in scored


def test_arguments_of_excess_predicates_count(senna, trained, tmp_path, monkeypatch):
    """Once they were left out, so that a finder of too many predicates lost nothing."""
    monkeypatch.chdir(tmp_path)
    # Predicates: a gold one, one of another kind, and a word that is none.
    rows = ["1 Ann x x - - (A0*) (A0*)", "2 goes x x go v (V*) *", "3 trips x x trip n * (V*)"]
    Path("gold").write_text("\n".join([*rows, "4 home x x - - (A1*) *", ""]), encoding="utf-8")
    counts = {}
    for places in ("2", "2 3", "2 3 4"):
        Path("places").write_text(places + "\n", encoding="utf-8")
        done = senna("eval", *options(trained, "--predicates", "places", "--json"), "gold")
        figures = json.loads(done.out)
        counts[places] = figures["correct"] + figures["excess"]
        excess = figures["excess_predicates"]
        assert excess["f1"] == figures["f1"]
        assert f"roles: F1 {excess['f1']:.2f} with " in done.err
        report = senna("eval", *options(trained, "--predicates", "places"), "gold").out.decode()
        [line] = [line.split() for line in report.splitlines() if "Overall" in line]
        assert (int(line[2]), float(line[-1])) == (figures["excess"], figures["f1"])
    tags = senna(
        "tag", *options(trained, "--predicates", "places", "--input", "tokens"),
        data=b"Ann goes trips home\n",
    ).out.decode().split("\n")[:4]  # fmt: skip
    columns = [[line.split("\t")[k][2:] for line in tags] for k in (2, 3, 4)]
    numbers = [len({*column} - {"", "V"}) for column in columns]
    assert list(counts.values()) == [sum(numbers[:k]) for k in (1, 2, 3)]
    assert counts["2"] < counts["2 3 4"]


def test_a_list_of_predicates_for_more_sentences_than_gold_has(senna, trained, as_file):
    """Once a file that is shifted by a sentence gave a figure."""
    listed = forms_and_predicates()[1]
    places = as_file("places", listed + "1\n")
    error = senna("eval", *options(trained, "--predicates", places), GOLD).error
    assert error == f"{places}:{listed.count(chr(10)) + 1}: the gold file has no more sentences"
    places.write_text(listed.rsplit("\n", 2)[0] + "\n", encoding="utf-8")
    error = senna("eval", *options(trained, "--predicates", places), GOLD).error
    assert error == f"{places}: ends before the sentences do"


def test_gold_in_other_columns_and_roles_that_the_model_does_not_know(senna, trained, as_file):
    gold = as_file("gold", "x - Ann (A9*)\nx go goes (V*)\n")
    done = senna("eval", *options(trained, "--columns", "-,predicate,word"), gold)
    [line] = [line for line in done.out.decode().splitlines() if line.split()[:1] == ["A9"]]
    assert line.split()[1:4] == ["0", "0", "1"]
