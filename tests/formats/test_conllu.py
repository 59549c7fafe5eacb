"""Gold of CoNLL-U: what was written is read back, in fields and in MISC."""

from pathlib import Path
from typing import Any

import pytest

import senna
from senna.errors import SennaError
from senna.formats.gold import read_gold
from senna.kinds.answer import GoldOptions

TEXT = (
    "Anna Weber didn't buy books in Paris. She's gonna leave IBM, and John can't wait.\n\n"
    "The U.S. company sold it. Why?\n"
)
IN_MISC = ("pt0", "chunk", "ner", "predicates", "srl", "psg")


@pytest.fixture(scope="module")
def tagged(tmp_path_factory) -> Path:
    """A text with contractions that was tagged with all tasks."""
    folder = tmp_path_factory.mktemp("conllu")
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    made = folder / "a.conllu"
    made.write_bytes(b"".join(senna.convert(folder / "a.txt", "conllu", tasks="all")))
    assert made.read_text(encoding="utf-8").count("\n3-4\tdidn't\t") == 1
    return made


def gold_of(task: str, path: Path) -> list[Any]:
    with path.open(encoding="utf-8") as lines:
        return list(read_gold(task, lines, "x", GoldOptions()))


@pytest.mark.parametrize("task", IN_MISC)
def test_what_was_tagged_is_gold(task, tagged):
    assert senna.evaluate(task, tagged, model=task).overall.f1 == 100
    [doc] = senna.read(tagged)
    gold = gold_of(task, tagged)
    assert [sentence.answer for sentence in gold] == doc.answers[task]
    assert [sentence.opens for sentence in gold] == [True, False, False, False]


@pytest.mark.parametrize("scheme", ["iob2", "bilou", "bracket"])
def test_gold_is_read_in_any_scheme(scheme, tagged, as_file):
    [doc] = senna.read(tagged)
    path = as_file("a.conllu", doc.to("conllu", scheme=scheme))
    assert path.read_text(encoding="utf-8") != tagged.read_text(encoding="utf-8")
    for task in ("chunk", "ner", "srl"):
        expected = [sentence.answer for sentence in gold_of(task, tagged)]
        assert [sentence.answer for sentence in gold_of(task, path)] == expected


@pytest.mark.parametrize("head", ["_", "0"])
def test_a_file_without_relations_and_heads_has_no_trees(head, tmp_path):
    """Some tools write 0 where a file that was tagged without trees has an underscore."""
    path, fields = tmp_path / "a.conllu", f"_\t_\tNNP\t_\t{head}\t_\t_\tner"
    path.write_text(f"1\tAnna\t{fields}=B-PER\n2\tLee\t{fields}=E-PER\n\n", encoding="utf-8")
    [doc] = senna.read(path)
    assert doc.spans("ner")[0].text == "Anna Lee" and "dep" not in doc.answers
    assert senna.evaluate("ner", path, model="ner").overall.f1 == 100
    if head == "0":
        with pytest.raises(SennaError, match="2 roots"):
            senna.evaluate("dep", path, path)


def row(number: int, misc: str, xpos: str = "_") -> str:
    return f"{number}\tw\t_\t_\t{xpos}\t_\t_\t_\t_\t{misc}\n"


@pytest.mark.parametrize(
    ("task", "misc", "message"),
    [
        ("ner", "chunk=S-NP", "x: no names in this file of CoNLL-U. `senna tag --task ner "),
        ("srl", "predicates=S-V", "x: no roles of predicates in this file"),
        ("psg", "psg=(S1*)", "x: no parse trees in this file of CoNLL-U. .*--task pos,psg"),
        ("label", "label=a", "x: CoNLL-U has nothing for task label. It has pos, "),
        ("ner", "ner=PER", "x:2: the tag 'PER' in MISC belongs to no known scheme"),
        ("ner", "ner=(PER*", "x: .* is never closed"),
        ("srl", "srl=A0", "x:2: 'A0' is no role"),
        ("srl", "srl=3:S-A0", "x:2: a role of a word that is not there"),
        ("srl", "srl=0:S-A0", "x:2: a role of a word that is not there"),
        ("srl", "srl=1:A0", "x:1: tag .A0. belongs to no known scheme"),
    ],
)
def test_what_is_not_there_or_no_answer_is_told(task, misc, message):
    lines = [row(1, "_"), row(2, misc), "\n"]
    with pytest.raises(SennaError, match=message):
        list(read_gold(task, lines, "x", GoldOptions()))


def test_a_sentence_without_a_tree_beside_others_is_told():
    lines = [row(1, "psg=(S1(NP*))", "NN"), "\n", row(1, "_", "NN"), "\n"]
    with pytest.raises(SennaError, match=r"x:3: '\*' does not fit a column of brackets"):
        list(read_gold("psg", lines, "x", GoldOptions()))


def test_predicates_are_those_with_roles():
    lines = [row(1, "srl=2:S-A0"), row(2, "srl=2:S-V"), "\n"]
    [gold] = read_gold("predicates", lines, "x", GoldOptions())
    assert gold.answer == ["O", "S-V"]
