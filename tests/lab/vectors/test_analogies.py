"""Analogies against a search word by word."""

from math import sqrt

import numpy as np
import pytest

from senna.errors import SennaError
from senna.formats.vectors import Vectors
from senna.lab.vectors import evaluation
from senna.lab.vectors.evaluation import Answers, answer, nearest_to, read_questions


def cosine(a: list[float], b: list[float]) -> float:
    lengths = sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def slow_answer(table: list[list[float]], a: int, b: int, c: int) -> int:
    """3CosAdd, a word at a time."""

    def score(row: int) -> float:
        cosines = [cosine(table[row], table[word]) for word in (a, b, c)]
        return cosines[1] - cosines[0] + cosines[2]

    return max((row for row in range(len(table)) if row not in (a, b, c)), key=score)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_every_answer_is_that_of_a_search(monkeypatch, dtype):
    random = np.random.default_rng(1)
    table = random.normal(size=(40, 5)).astype(dtype)
    table[7] = 0
    vectors = Vectors([f"w{i}" for i in range(40)], table)
    questions = random.integers(0, 40, (60, 3))
    expected = [slow_answer(table.tolist(), *question) for question in questions.tolist()]
    assert nearest_to(vectors, questions).tolist() == expected
    monkeypatch.setattr(evaluation, "BLOCK", 7)
    monkeypatch.setattr(evaluation, "QUESTIONS", 11)
    assert nearest_to(vectors, questions).tolist() == expected
    assert len(set(expected)) > 10


QUESTIONS = """man woman king queen
: capitals of countries
Paris France Rome Italy
Paris France Oslo Norway

: grammar
king kings man men
"""
WORDS = {
    "man": (0, 1, 0), "woman": (1, 1, 0), "king": (0, 1, 5), "queen": (1, 1, 5),
    "paris": (3, 0, 0), "france": (3, 0, 1), "rome": (5, 2, 0), "italy": (5, 2, 2),
}  # fmt: skip


def test_sections(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(QUESTIONS, encoding="utf-8")
    sections = read_questions(path)
    assert {name: len(questions) for name, questions in sections.items()} == {
        "questions": 1,
        "capitals of countries": 2,
        "grammar": 1,
    }
    assert sections["capitals of countries"][1] == ("Paris", "France", "Oslo", "Norway")
    vectors = Vectors(list(WORDS), np.array(list(WORDS.values()), np.float32))
    assert answer(vectors, sections) == {
        "questions": Answers(1, 1, 1),
        "capitals of countries": Answers(1, 1, 2),
        "grammar": Answers(0, 0, 1),
    }
    assert [a.accuracy for a in (Answers(2, 3, 5), Answers(0, 0, 1))] == ["66.67", "-"]
    wrong = {"wrong": [("man", "woman", "king", "paris"), ("king", "queen", "man", "woman")]}
    assert answer(vectors, wrong) == {"wrong": Answers(1, 2, 2)}


EXPECTED = "words, expected four, or a section, for example ': name'"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a b c d\na b c\n", ":2", f"3 {EXPECTED}"),
        (": x\na b c d e\n", ":2", f"5 {EXPECTED}"),
        (":\n", ":1", f"1 {EXPECTED}"),
        (": x\n\n", "", "the file has no questions"),
        ("", "", "the file has no questions"),
    ],
)
def test_bad_files(tmp_path, text, where, what):
    path = tmp_path / "questions.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SennaError) as error:
        read_questions(path)
    assert (error.value.where, error.value.what) == (f"{path}{where}", what)
