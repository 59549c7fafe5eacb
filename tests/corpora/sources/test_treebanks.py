"""Treebanks: skeletons, the two joined from two sources each, and those without roles."""

import re
from pathlib import Path

import pytest

from senna.corpora import tagged
from senna.corpora.catalogue import Corpus
from senna.corpora.convert import convert
from senna.corpora.sources import treebanks
from senna.corpora.sources.treebanks import PropBankPredicate, predicates_of, read_skeleton
from senna.corpora.tagged import fingerprint
from senna.errors import SennaError
from tests.corpora.made import conllu, written

# --------------------------------------------------------------------------- skeletons


def skeleton(*rows: str) -> str:
    """Lines "tag brackets roleset role..." as PropBank has them."""
    lines = []
    for number, row in enumerate(rows):
        tag, brackets, *rest = row.split()
        lines.append(f"a/b/doc 0 {number} [WORD] {tag} {brackets} lemma {' '.join(rest)}")
    return "\n".join(lines) + "\n\n"


def predicates_in(*rows: str, kept: list[int] | None = None) -> list[str]:
    """ "sing.01/v A0:0-1 V:1-2" for each predicate."""

    def show(predicate: PropBankPredicate) -> str:
        roles = [f"{role.label}:{role.start}-{role.end}" for role in predicate.roles]
        return " ".join([f"{predicate.roleset}/{predicate.kind}@{predicate.position}", *roles])

    (words,) = read_skeleton(skeleton(*rows), "doc")
    return [show(p) for p in predicates_of(words, list(range(len(rows))) if kept is None else kept)]


# Of each rule an example: its predicates, and below them the rows of its words.
EXAMPLES = """\
the names of CoNLL-2005: sing.01/v@3 A0:0-1 AM-TMP:1-2 R-A1:2-3 V:3-4 A1:4-6 C-A1:6-7 AA:7-8
    PRP * - (ARG0*) / RB * - (ARGM-TMP*) / WDT * - (R-ARG1*) / VBZ * sing.01 (V*)
    / NN * - (ARG1-DSP* / NN * - *) / NN * - (C-ARG1*) / NN * - (ARGA*)
a verb of several words becomes one: stand_up.01/v@0 V:0-1 C-V:1-2 A1:2-3
    VB * stand_up.01 (V* / RP * - *) / NN * - (ARG1*)
its first word is not the verb: stand_up.01/v@1 V:1-2
    RB * - (V* / VB * stand_up.01 *)
a light verb has the roleset of its noun: remark.01/lv@0 V:0-1 C-V:2-3
    VBD * - (V*) / DT * - * / NN * remark.01 (C-V*)
a verb without a roleset is left out:
    VB * - (V*) / NN * - (ARG1*)
a roleset without a verb is left out:
    VB * sing.01 (ARG0*)
two verbs in a column are left out:
    VB * sing.01 (V*) / VB * sing.01 (V*)
roles within roles go, and a part needs a beginning: sing.01/v@0 V:0-1 A1:1-3 A0:3-4
    VB * sing.01 (V*) / NN * - (ARG1* / NN * - (ARG2*)) / NN * - (C-ARG0*)
predicates are in order and once a word: sing.01/v@0 V:0-1; hum.01/v@1 V:1-2
    VB * sing.01 * (V*) (V*) / VB * hum.01 (V*) * (ARG1*)
"""
CASES = re.findall(r"(?m)^(\S.*)\n((?:    .*\n)+)", EXAMPLES)


@pytest.mark.parametrize(("rule", "rows"), CASES, ids=[rule for rule, _ in CASES])
def test_predicates_of_a_skeleton(rule, rows):
    found = predicates_in(*" ".join(rows.split()).split(" / "))
    assert "; ".join(found) == rule.partition(":")[2].strip()


KINDS = """
VBZ sing.01 v | VBZ be.02 be | VBD do.01 aux | VBG go.04 aux | VBG go.01 v | VB take.LV lv
NN song.01 n | JJ old.01 a | IN off.01 -
"""


@pytest.mark.parametrize("word", re.split(r" \| |\n", KINDS.strip()))
def test_kinds_of_predicates(word):
    tag, roleset, kind = word.split()
    assert predicates_in(f"{tag} * {roleset} (V*)") == [f"{roleset}/{kind}@0 V:0-1"]


def test_words_that_are_not_kept():
    rows = ("CODE * - (ARGM-DIS*) (ARG0*", "PRP * - (ARG0*) *)", "VBZ * hum.01 (V*) *")
    assert predicates_in(*rows, "CODE * go.01 * (V*)", kept=[1, 2]) == ["hum.01/v@1 A0:0-1 V:1-2"]


def test_skeletons_of_too_few_columns_are_refused():
    with pytest.raises(SennaError, match="doc:3: 3 columns, expected 8 or more"):
        read_skeleton(skeleton("UH * -") + "a b c\n", "doc")[0]
    with pytest.raises(SennaError, match="have different numbers of columns"):
        predicates_in("UH * - *", "UH * -")


# --------------------------------------------------------------------------- corpora

SINGS = ("PRP (TOP(S(NP*) - (ARG0*)", "VBZ (VP*) sing.01 (V*)", ". *)) - *")
OH = ("UH (TOP(INTJ*)) -",)


def corpus(view: str, converter: str, *splits: str) -> Corpus:
    return Corpus(f"{view}/x", (view,), splits, "CC0", "Us.", converter, False, ())


@pytest.fixture
def ewt(tmp_path) -> dict[str, Path]:
    """Two documents; the second has no skeleton. A sentence of the first was retokenized."""
    text = conllu("She|PRP", "sings|VBZ", ".|.")
    first = text + conllu("can|MD", "not|RB") + conllu("(|UH")
    rows = (SINGS, ("MD (TOP(S* -", "RB * -", "VB * -", "NN *)) -"), OH)
    mail = "data/google/ewt/mail/00"
    files = {
        "train": f"# newdoc id = mail-a-b_1\n{first}# newdoc id = mail-c\n{text}",
        "dev": f"# newdoc id = mail-d\n{conllu('Oh|UH')}",
        "test": "",
        f"{mail}/a-b_1.xml.gold_skel": "".join(skeleton(*own) for own in rows),
        f"{mail}/d.xml.gold_skel": skeleton(*OH),
    }
    return written(tmp_path, files)


def test_sentences_of_ewt_are_told_by_place_and_length(ewt):
    splits = convert(corpus("trees", "ewt_trees", "train.mrg", "train.ids", "dev.mrg"), ewt)
    assert splits == {
        "train.mrg": "(TOP (S (NP (PRP She)) (VP (VBZ sings)) (. .)))\n(TOP (INTJ (UH -LRB-)))\n",
        "train.ids": "mail-a-b_1-0001\nmail-a-b_1-0003\n",
        "dev.mrg": "(TOP (INTJ (UH Oh)))\n",
    }


def test_chunks_pt0_and_roles_of_a_treebank(ewt):
    assert convert(corpus("chunk", "ewt_trees", "train", "test"), ewt) == {
        "train": "She\tPRP\tB-NP\nsings\tVBZ\tB-VP\n.\t.\tO\n\n(\tUH\tB-INTJ\n",
        "test": "",
    }
    pt0 = convert(corpus("pt0", "ewt_trees", "dev", "dev.levels"), ewt)
    assert pt0 == {"dev": "Oh\tUH\tS-INTJ\n", "dev.levels": "Oh\tUH\tS-INTJ\tO\tO\tO\tO\n"}
    assert convert(corpus("srl", "ewt_trees", "train"), ewt)["train"] == (
        "1\tShe\tPRP\tS-NP\t-\t-\t(A0*)\n2\tsings\tVBZ\tS-VP\tsing.01\tv\t(V*)\n3\t.\t.\tO\t-\t-\t*\n"
        "\n1\t(\tUH\tS-INTJ\t-\t-\n"
    )


def test_sentences_whose_tags_agree_only_when_shifted_are_left_out(tmp_path):
    rows = [f"{tag} {cell} -" for tag, cell in zip("ABCDE", ["(TOP*", *"***", "*)"], strict=True)]
    texts = {"train": "# newdoc id = x-y\n" + conllu("v|B", "w|C", "x|D", "y|E", "z|F")}
    texts |= {"dev": "", "test": "", "data/google/ewt/x/00/y.xml.gold_skel": skeleton(*rows)}
    assert treebanks.ewt(written(tmp_path, texts))["train"] == []


def test_masc_has_its_own_trees(tmp_path, monkeypatch):
    documents = ["spoken/00/talk-NEW train", "written/00/note dev"]
    monkeypatch.setattr(treebanks, "resource_lines", lambda name: documents)
    sings = "(S\u00a0(CODE B) (NP-SBJ-1 (PRP She)) (VP (VBZ sings) (NP (-NONE- *))) (. .))"
    rows = (("CODE (CODE*) -",), ("CODE (S* - *", *SINGS), OH)
    masc = "data/oanc/masc"
    files = {
        f"{masc}/spoken/00/talk-NEW.gold_skel": "".join(skeleton(*own) for own in rows),
        "trees/talk-UTF16.mrg": f"( (CODE (CODE A.1)))( {sings})( (INTJ (UU Oh)))",
        f"{masc}/written/00/note.gold_skel": skeleton("UH (TOP*) -"),
        "trees/note.mrg.txt": "(TOP (UH -LSB-))",
    }
    sources = written(tmp_path, files)
    splits = ("train.mrg", "train.functions.mrg", "train.ids", "dev.mrg", "test.ids")
    assert convert(corpus("trees", "masc_trees", *splits), sources) == {
        "train.mrg": "(TOP (S (NP (PRP She)) (VP (VBZ sings)) (. .)))\n",
        "train.functions.mrg": "(TOP (S (NP-SBJ (PRP She)) (VP (VBZ sings)) (. .)))\n",
        "train.ids": "talk-NEW-0002\n",
        "dev.mrg": "(TOP (UH [))\n",
        "test.ids": "",
    }
    roles = convert(corpus("srl", "masc_trees", "train"), sources)["train"].split("\n")
    assert roles[0] == "1\tShe\tPRP\tS-NP\t-\t-\t(A0*)"


# --------------------------------------------------------------------------- without roles


def test_gum_has_a_nameless_root_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(treebanks, "resource_lines", lambda name: ["GUM_bio_a train"])
    text = "(ROOT\n  (S\n    (NP-SBJ (PRP She))\n    (VP (VBZ sings) (NP (NN x  2)))))\n\n"
    text += "(ROOT (FRAG (UH Oh)))\n"
    sources = written(tmp_path, {"const/GUM_bio_a.ptb": text})
    assert convert(corpus("trees", "gum_trees", "train.mrg", "train.ids"), sources) == {
        "train.mrg": "(TOP (S (NP (PRP She)) (VP (VBZ sings) (NP (NN x2)))))\n"
        "(TOP (FRAG (UH Oh)))\n",
        "train.ids": "GUM_bio_a-0001\nGUM_bio_a-0002\n",
    }


def test_all_views_leave_out_the_sentences_that_the_trees_do(tmp_path, monkeypatch):
    words = "She sings of mice and men".split()
    line = f"trees/x train {fingerprint(words)}"
    monkeypatch.setattr(tagged, "resource_lines", lambda name: [line])
    monkeypatch.setattr(treebanks, "resource_lines", lambda name: ["GUM_bio_a train"])
    leaves = " ".join(f"(NN {word})" for word in words)
    sources = written(tmp_path, {"const/GUM_bio_a.ptb": f"(ROOT (NP {leaves}))(ROOT (UH Oh))"})
    assert convert(corpus("trees", "gum_trees", "train.ids"), sources) == {
        "train.ids": "GUM_bio_a-0002\n"
    }
    assert convert(corpus("chunk", "gum_trees", "train"), sources) == {"train": "Oh\tUH\tO\n"}
