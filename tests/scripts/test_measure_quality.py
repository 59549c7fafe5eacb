"""scripts/measure_quality.py, and the texts of tests/quality that it measures on."""

import re
from collections.abc import Callable
from typing import Any

import measure_quality as script
import pytest

from senna import SennaError
from senna.annotation.dependencies import Arc
from senna.annotation.predicates import Predicate
from senna.annotation.schemes import Phrase, convert
from senna.model.folder import shipped
from tests.processes import ROOT
from tests.script import run

TEXTS = sorted((ROOT / "tests" / "quality").glob("*.txt"))
SMALL = """\
# kind: notes

# document: one
# text: Ann likes Bern. It
# text:
# text: rains

Ann\tNNP\tB-PER
likes\tVBZ\tO
Bern\tNNP\tB-LOC
.\t.\tO

It\tPRP\tO

rains\tVBZ\tO
"""


# --------------------------------------------------------------------------- the commands

KINDS = {
    "--spans": ["roles", "names"],
    "--arcs": ["root", "subject", "object", "clause", "all", "sentences"],
    "--frames": [*sorted(path.stem for path in TEXTS[0].parent.glob("frames/*.txt")), "all"],
}


@pytest.mark.parametrize(
    "option",
    ["--spans", *(pytest.param(o, marks=pytest.mark.slow) for o in ("--arcs", "--frames"))],
)
def test_the_command_scores_all_kinds(option):
    done = run("scripts/measure_quality.py", option)
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines()[2:]]
    assert rows == KINDS[option], done.stderr


def test_the_shipped_models_are_measured_on_texts():
    nlp = script.tagger(("pos", "ner"), [])
    kinds = [line.split(" | ")[0] for line in script.texts(nlp, True, TEXTS[:2])][1:4]
    assert kinds == [f"| {path.stem}" for path in TEXTS[:2]] + ["| all"]


def test_a_refusal_is_one_line():
    done = run("scripts/measure_quality.py", "--model", "psg")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "measure_quality: --model psg: it tags no pos or ner\n"


# --------------------------------------------------------------------------- the texts


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_texts_are_well_formed(path):
    documents = script.read_texts(path)
    assert len(documents) == len({document.name for document in documents}) == 3
    assert {document.kind for document in documents} == {path.stem}
    parts = set((shipped()["pos"] / "pos.tags.txt").read_text(encoding="utf-8").split("\n"))
    for document in documents:
        assert 60 <= len(document.text.split()) <= 150, document.name
        words = [word for sentence in document.sentences for word in sentence.words]
        assert "".join(words) == "".join(document.text.split()), document.name
        for sentence in document.sentences:
            assert set(sentence.pos) <= parts
            assert convert(sentence.ner, "iob2", "iob2") == sentence.ner
            names = {tag[2:] for tag in sentence.ner if tag != "O"}
            assert names <= {*script.SPANS["names"][1]}


def test_sentences_are_as_many_as_the_readme_says():
    spans = script.read_spans(script.TEXTS / "spans/roles.txt", script.SPANS["roles"][1])
    arcs = script.read_arcs(script.TEXTS / "arcs/clauses.txt")
    frames = [script.read_frames(path) for path in script.TEXTS.glob("frames/*.txt")]
    assert len(frames) == 12 and all(16 <= len(kind) <= 17 for kind in frames)
    every = {"spans": spans, "arcs": arcs, "frames": [one for kind in frames for one in kind]}
    sizes = {name: len({tuple(words) for words, _ in rows}) for name, rows in every.items()}
    assert sizes == {"spans": 300, "arcs": 300, "frames": 200}
    kinds = [script.lines_of(path) for path in script.TEXTS.glob("constructions/*.txt")]
    items = [[script.item(line, where) for where, line in lines] for lines in kinds]
    assert len(items) == 19 and sum(map(len, items)) == 1480
    assert all(len({*map(str, kind)}) == len(kind) >= 30 for kind in items)


RIGHT_CUTS = """
addresses 36 | biology-and-law 18 | citations 45 | files 54 | headings 13 | measures 41 | office 28
quotations 78 | quoted-mail 23 | real-ends 16 | thanks 16 | tokens 32 | with 36 | wrapped-lines 58
"""


def test_each_kind_of_cuts_is_as_right_as_it_was():
    rows = [line.split(" | ") for line in script.cuts(None, False)][1:]
    right = {kind.strip("| "): int(number.strip("| ")) for kind, _, number in rows}
    least = dict(pair.split() for pair in re.split(r" \| |\n", RIGHT_CUTS.strip()))
    assert right.keys() == least.keys()
    assert all(right[kind] >= int(n) for kind, n in least.items()), right


# --------------------------------------------------------------------------- formats

WORDS = "He said he left early .".split()
FRAMES = {
    1: [Phrase(0, 1, "A0"), Phrase(2, 5, "A1")],
    3: [Phrase(2, 3, "A0"), Phrase(4, 5, "AM-TMP")],
}
ARC_LINE = "I saw what I saw . | saw nsubj=I ccomp=saw#2 ; saw#2 nsubj=I#2 obj=what"
ARCS = {
    1: Arc(0, "root"),
    0: Arc(2, "nsubj"),
    4: Arc(2, "ccomp"),
    3: Arc(5, "nsubj"),
    2: Arc(5, "obj"),
}


@pytest.fixture
def read() -> dict[str, Callable[[str], Any]]:
    """By kind, a function from a line of a file to what it holds."""
    return {
        "spans": lambda line: script.marked(line, ("A0", "A1", "V"), "here"),
        "arcs": lambda line: script.expected(line, "here"),
        "frames": lambda line: script.frame(line, WORDS, "here"),
        "constructions": lambda line: script.item(f"was the king killed ? | {line}", "here"),
    }


def test_lines_are_read(read):
    line = "[A0 The dog] [V barks] at [A1 me] ."
    words, spans = read["spans"](line)
    assert spans == [Phrase(0, 2, "A0"), Phrase(2, 3, "V"), Phrase(4, 5, "A1")]
    assert script.bracketed(words, spans) == line
    assert read["arcs"](ARC_LINE) == ("I saw what I saw .".split(), ARCS)
    assert read["frames"]("said: A1 he left early | A0 He") == (1, FRAMES[1])
    assert script.cut("It rained. He left.") == "It rained. | He left."
    assert script.cut("A title\\n\\nSome text") == "A title |\\n\\nSome text"
    assert script.cut("It's.\tno") == "It's.\tIt 's ."


@pytest.mark.parametrize(
    ("kind", "line", "what"),
    [
        ("spans", "[A0 The dog barks", "a mark that cannot be read"),
        ("spans", "[A9 The dog]", "a mark that cannot be read"),
        ("arcs", "He left", "no bar between words and arcs"),
        ("arcs", "He left | ran", "the sentence has no ran"),
        ("arcs", "He left | left nsubj", "nsubj is no relation=word"),
        ("arcs", "He left | left nsubj=He ; left obj=He", "two heads of He"),
        ("frames", "said A0 He", "no colon after the predicate"),
        ("frames", "ran: A0 He", "the sentence has no ran"),
        ("frames", "said: A0 He | A1", "a role without its phrase"),
        ("frames", "said: A1 he left | AM-TMP left early", "A1 and AM-TMP overlap"),
        ("constructions", "frame kings", "'kings' is no decision"),
        ("constructions", "arc king nsubj he", "'he' is no decision"),
    ],
)
def test_lines_of_another_format_are_refused(kind, line, what, read):
    with pytest.raises(SennaError, match=re.escape(f"here: {what}")):
        read[kind](line)


def test_frames_of_a_file(tmp_path):
    path = tmp_path / "kind.txt"
    text = (
        f"{' '.join(WORDS)}\nsaid: A0 He | A1 he left early\nleft: A0 he | AM-TMP early\n\nNo !\n"
    )
    path.write_text(text, encoding="utf-8")
    assert script.read_frames(path) == [(WORDS, FRAMES), (["No", "!"], {})]
    path.write_text(f"{' '.join(WORDS)}\nsaid:\nsaid:\n", encoding="utf-8")
    with pytest.raises(SennaError, match="kind.txt:3: two frames of said"):
        script.read_frames(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Bern\tNNP\tB-LOC", "Bern\tNNP", "notes.txt:10: "),
        ("Bern\tNNP", "Basel\tNNP", 'notes.txt:8: the text does not go on with "Basel"'),
        ("likes\tVBZ\tO\n", "", 'notes.txt:8: the text does not go on with "Bern"'),
        ("# kind: notes\n", "", "notes.txt:7: "),
    ],
)
def test_texts_of_another_format_are_refused(old, new, message, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(SennaError, match=re.escape(message)):
        script.read_texts(path)


# --------------------------------------------------------------------------- figures by hand


def test_figures_of_texts(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(SMALL, encoding="utf-8")
    (document,) = script.read_texts(path)
    assert document.text == "Ann likes Bern. It\n\nrains"
    assert [sentence.cut for sentence in document.sentences] == [(0, 15), (16, 18), (20, 25)]
    assert document.sentences[0].cuts == [(0, 3), (4, 9), (10, 14), (14, 15)]
    pos = [["NNP", "VBZ", "NNP", "."], ["PRP"], ["NNS"]]
    ner = [["B-ORG", "I-ORG", "B-LOC", "O"], ["B-MISC"], ["O"]]
    cuts = {cut for sentence in document.sentences[1:] for cut in sentence.cuts}
    result = script.Result(document, pos, ner, {(16, 18)}, {*cuts, (10, 14), (14, 15)})
    # 5 of 6 words; 1 of 3 found names and of 2 gold ones; 1 of 3 sentences; 4 of 6 tokens
    assert script.text_row("notes", [result]) == (
        "| notes | 6 | 83.3 | 2 | 33.3 | 50.0 | 40.0 | 33.3 | 66.7 |"
    )
    assert list(script.text_errors(result)) == [
        "sentence not cut: Ann likes Bern.",
        "token not cut: Ann",
        "token not cut: likes",
        "[PER Ann] likes [LOC Bern] .  tagged  [ORG Ann likes] [LOC Bern] .",
        "It  tagged  [MISC It]",
        "sentence not cut: rains",
        "[VBZ:NNS rains]",
    ]


def test_figures_of_arcs():
    sentence = script.expected("He was seen . | seen nsubj:pass=He aux:pass=was", "here")
    found = [[Arc(3, "nsubj"), Arc(1, "aux:pass"), Arc(0, "root"), Arc(3, "punct")]]
    assert list(script.arc_rows([sentence], found))[1:] == [
        "| root | 1 | 1 | 100.0 |",
        "| subject | 1 | 1 | 100.0 |",
        "| object | 0 | 0 | 0.0 |",
        "| clause | 0 | 0 | 0.0 |",
        "| all | 3 | 2 | 66.7 |",
        "| sentences | 1 | 0 | 0.0 |",
    ]
    assert list(script.wrong_arcs([sentence], found)) == [
        "  was: aux:pass of seen, found as aux:pass of He: He was seen ."
    ]


def test_figures_of_frames():
    framed = (WORDS, FRAMES)
    assert script.frame_row("one", [framed], [FRAMES]) == (
        "| one | 1 | 1 | 100.0 | 100.0 | 100.0 | 100.0 |"
    )
    # One argument right, one of another extent, one predicate missed, and one where none is.
    answer = {1: [Phrase(0, 1, "A0"), Phrase(2, 4, "A1")], 4: [Phrase(2, 3, "A0")]}
    assert script.frame_row("two", [framed, framed], [FRAMES, answer]) == (
        "| two | 2 | 1 | 50.0 | 71.4 | 62.5 | 66.7 |"
    )
    assert list(script.wrong_frames([framed, framed], [FRAMES, answer])) == [
        "[A0 He] [V said] [A1 he left early] .  tagged  [A0 He] [V said] [A1 he left] early .",
        "He said [A0 he] [V left] [AM-TMP early] .  tagged  He said he left early .",
        "He said he left early .  tagged  He said [A0 he] left [V early] .",
    ]


ANSWERS = {
    "pos": ["VBD", "DT", "NN", "VBN", "."],
    "ner": ["O", "B-PER", "E-PER", "O", "O"],
    "dep": [Arc(4, "aux:pass"), Arc(3, "det"), Arc(4, "nsubj:pass"), Arc(0, "root"), Arc(4, "p")],
    "srl": [Predicate(3, ["O", "B-A1", "E-A1", "S-V", "O"])],
}


def test_decisions_are_right_or_wrong(read):
    right = "frame killed|role killed A1 the king|arc king nsubj killed|arc killed root"
    right += "|pos killed VBN|name PER the king"
    wrong = "frame was|role killed A0 the king|pos killed VBD|name ORG the king"
    for decisions, is_right in ((right, True), (wrong, False)):
        for decision in decisions.split("|"):
            assert script.right(read["constructions"](decision), ANSWERS) is is_right, decision


# --------------------------------------------------------------------------- values


def test_three_hundred_values_of_all_labels_are_found():
    rows = [*script.values(script.tagger(("value",), []), False)]
    row = rows[rows.index("") - 1]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[0] == "all" and int(cells[1]) >= 300
    assert min(map(float, cells[2:])) >= 90


@pytest.mark.parametrize("line", ["[DAY||today]", "[DATE|today]", "a [b"])
def test_a_mark_of_a_value_that_cannot_be_read_is_refused(tmp_path, line):
    path = tmp_path / "values.txt"
    path.write_text(f"It rained.\n{line}\n", encoding="utf-8")
    with pytest.raises(SennaError, match="mark") as error:
        script.read_values(path)
    assert error.value.where == f"{path}:2"
