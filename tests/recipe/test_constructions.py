"""Sentences made from pieces of labelled ones: questions, and seldom constructions with trees."""

import lzma
import random
from itertools import pairwise
from pathlib import Path

import make_names
import make_questions
import pytest

from senna.annotation.schemes import phrases_of
from tests.script import run

# Of each word: universal tag, Penn tag, head, relation, and its role of the predicate.
KING = """
The|DET|DT|2|det|(A1* king|NOUN|NN|4|nsubj:pass|*) was|AUX|VBD|4|aux:pass|*
killed|VERB|VBN|0|root|(V*) in|ADP|IN|6|case|(AM-TMP* 1649|NUM|CD|4|obl|*) .|PUNCT|.|4|punct|*
"""
# All kinds of piece: noun phrases, an infinitive, a gerund, a clause, a relative clause, and so on.
OTHERS = """
The|DET|DT|2|det men|NOUN|NNS|3|nsubj liked|VERB|VBD|0|root to|PART|TO|5|mark
talk|VERB|VB|3|xcomp to|ADP|IN|8|case the|DET|DT|8|det girls|NOUN|NNS|5|obl .|PUNCT|.|3|punct

The|DET|DT|2|det dog|NOUN|NN|6|nsubj that|PRON|WDT|4|nsubj bit|VERB|VBD|2|acl:relcl
me|PRON|PRP|4|obj died|VERB|VBD|0|root .|PUNCT|.|6|punct

We|PRON|PRP|2|nsubj heard|VERB|VBD|0|root Ann|PROPN|NNP|4|nsubj left|VERB|VBD|2|ccomp
running|VERB|VBG|4|advcl .|PUNCT|.|2|punct

The|DET|DT|2|det choir|NOUN|NN|3|nsubj sings|VERB|VBZ|0|root .|PUNCT|.|3|punct

The|DET|DT|2|det man|NOUN|NN|3|nsubj read|VERB|VBD|0|root books|NOUN|NNS|3|obj .|PUNCT|.|3|punct

They|PRON|PRP|2|nsubj went|VERB|VBD|0|root to|ADP|IN|5|case the|DET|DT|5|det
station|NOUN|NN|2|obl .|PUNCT|.|2|punct
"""


def save(folder: Path, sentences: str) -> None:
    """Files of trees and roles, as a teacher's are."""
    with (
        lzma.open(folder / "dep.xz", "wt", encoding="utf-8") as tree,
        lzma.open(folder / "srl.xz", "wt", encoding="utf-8") as roles,
    ):
        for sentence in sentences.strip().split("\n\n"):
            rows = [word.split("|") for word in sentence.split()]
            for i, (form, upos, xpos, head, relation, *role) in enumerate(rows, start=1):
                tree.write(f"{i}\t{form}\t_\t{upos}\t{xpos}\t_\t{head}\t{relation}\t_\t_\n")
                verb = form if role == ["(V*)"] else "-"
                roles.write("\t".join([form, verb, *role]) + "\n")
            tree.write("\n")
            roles.write("\n")


def printed(script: str, *options: object) -> str:
    done = run(f"recipe/{script}", *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sentences(path: Path) -> list[list[list[str]]]:
    """The rows of each sentence of a file."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [
            [row.split("\t") for row in s.split("\n")] for s in file.read().strip().split("\n\n")
        ]


def test_a_statement_becomes_a_question_whose_roles_go_with_their_words(tmp_path):
    save(tmp_path, KING)
    [statement] = make_questions.statements(tmp_path)
    questions = [make_questions.question(statement, random.Random(seed)) for seed in range(200)]
    seen = {" ".join(row[0] for row in rows): rows for rows in questions}
    assert {"Was the king killed ?", "When was the king killed ?"} <= set(seen)
    roles = ["|".join(row[1:]) for row in seen["Why was the king killed in 1649 ?"]]
    assert roles == "-|(AM-CAU*) -|* -|(A1* -|*) killed|(V*) -|(AM-TMP* -|*) -|*".split()


def test_a_sentence_without_subject_and_auxiliary_gives_no_question(tmp_path):
    save(tmp_path, OTHERS)
    assert "0 questions" in printed(
        "make_questions.py", "--labels", tmp_path, "--out", tmp_path / "q.xz"
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder of constructions, twenty of each kind."""
    folder = tmp_path_factory.mktemp("constructions")
    save(folder, OTHERS)
    printed("make_constructions.py", "--labels", folder, "--out", folder, "--each", 20)
    return folder


@pytest.fixture(scope="module")
def web(made, tmp_path_factory) -> Path:
    """A folder of constructions of web text, twenty of each kind."""
    folder = tmp_path_factory.mktemp("web") / "new"
    options = ("--kinds", "web", "--each", 20)
    printed("make_constructions.py", "--labels", made, "--out", folder, *options)
    return folder


def test_every_construction_is_a_tree(made, web):
    rare, other = (sentences(folder / "constructions-dep.xz") for folder in (made, web))
    assert (len(rare), len(other)) == (6 * 20, 4 * 20)
    for rows in [*rare, *other]:
        heads = [int(row[6]) for row in rows]
        assert heads.count(0) == 1
        for word in range(1, len(rows) + 1):
            steps, at = 0, word
            while at and steps <= len(rows):
                steps, at = steps + 1, heads[at - 1]
            assert at == 0, rows


def test_constructions_are_those_that_the_pieces_allow(made):
    texts = {" ".join(row[1] for row in rows) for rows in sentences(made / "constructions-dep.xz")}
    assert texts & {"Talk to the girls .", "Talk to girls", "Talk to the girls"}
    assert any(
        text.startswith(("Who did", "What did", "Which")) and text.endswith("to ?")
        for text in texts
    )
    assert "The dog that bit me died ." in texts
    assert any(" to and from the station ." in text for text in texts)


def test_better_is_an_adverb_after_a_verb_and_an_adjective_after_a_copula(web):
    degrees = {"better", "harder", "faster", "worse", "louder", "longer", "earlier"}
    seen = set()
    for rows in sentences(web / "constructions-pos.xz"):
        for (before, _), (word, tag) in pairwise(rows):
            if word in degrees:
                assert (tag == "JJR") == (before in ("is", "was")), rows
                seen.add(tag)
    assert seen == {"RBR", "JJR"}


def test_the_three_files_hold_the_same_words(made):
    trees = sentences(made / "constructions-dep.xz")
    tags = sentences(made / "constructions-pos.xz")
    verbs = sentences(made / "constructions-predicates.xz")
    for rows, tagged, marked in zip(trees, tags, verbs, strict=True):
        assert [[row[1], row[4]] for row in rows] == tagged
        assert [row[1] if row[3] == "VERB" else "-" for row in rows] == [row[1] for row in marked]
        assert len(marked[0]) == 2 + sum(row[3] == "VERB" for row in rows)


NAMED = """
Anna|B-PER Stone|I-PER left|O Shell|B-ORG .|O

Moved|O to|O Acme|B-ORG by|O Anna|B-PER Stone|I-PER in|O Rome|B-LOC .|O
"""
TAGGED = "the|DT old|JJ wolf|NN sat|VBD\n\nthe|DT wolf|NN the|DT rock|NN"


def test_replaced_names_keep_their_ends_and_those_of_the_names_around(tmp_path):
    for name, text in (("ner", NAMED), ("pos", TAGGED)):
        columns = text.strip().replace(" ", "\n").replace("|", " ") + "\n"
        (tmp_path / f"{name}.xz").write_bytes(lzma.compress(columns.encode()))
    out = tmp_path / "made.xz"
    options = ("--labels", tmp_path, "--out", out, "--each", 20, "--least", 1)
    assert "80 sentences" in printed("make_names.py", *options)
    found = {
        (name.label, " ".join(row[0] for row in rows[name.start : name.end]))
        for rows in sentences(out)
        for name in phrases_of([row[1] for row in rows], "iob2")
    }
    assert {("ORG", "Wolf"), ("PER", "Anna Stone"), ("LOC", "Rome")} <= found
    assert any(label == "PER" and "the wolf" in name for label, name in found)
    assert {("PER", f"{day} Stone") for day in make_names.DAYS} & found
    assert not any(set(make_names.TITLES) & set(name.split()) for _, name in found)
    assert any(set(make_names.TITLES) & {row[0] for row in rows} for rows in sentences(out))
    assert not any("rock" in name.lower() for _, name in found)
