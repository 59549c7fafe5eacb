"""Requests that wait together are answered as they would be alone."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.serve.conftest import http  # isort: skip  # skips where there is no server

import senna
from senna.serve.requests import ANSWERS
from senna.serve.tagging import Tagger
from senna.serve.work import VIEWS, Work

TEXTS = ["Ann Lee left Rome.", "Bob met\nAnn. He smiled.", "", "THE DOG BARKED", "<p>Eve sat.</p>"]
# Each changes an answer; None stands for an option that is not given.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "format": (None, *ANSWERS),
    "tasks": (None, ["ner"], ["pos", "chunk"], ["srl"], ["dep"], ["all"]),
    "input": (None, "text", "lines", "html", "tokens"),
    "scheme": (None, "bio", "iobes"),
    "scores": (None, True),
    "offsets": (None, True),
    "offset_unit": (None, "utf16"),
    "memory": (None, True, False),
    "document": (None, "file", "line", "blank"),
    "predicates": (None, "pos"),
    "gazetteer": (None, {"ORG": ["Rome"]}),
}


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger({})


def drawn(random_: random.Random) -> Work:
    """A request with options drawn at random, also wrong combinations."""
    text = [random_.choice(TEXTS)]
    if random_.random() < 0.1:
        view = random_.choice([view for view in VIEWS if view != "compare"])
        return Work(text, None, {"model": "senna"}, view=view, width=random_.choice([0, 360]))
    options = {name: random_.choice(values) for name, values in OPTIONS.items()}
    given = {k: v for k, v in options.items() if v is not None and random_.random() < 0.4}
    if random_.random() < 0.1:
        return Work([], [["Ann", "left"], ["Bob"]], given)
    return Work(text * random_.choice([1, 2]), None, given, several=random_.random() < 0.3)


def answers(tagger: Tagger, works: list[Work]) -> list[Any]:
    """Answers of requests that wait together, errors as text."""
    return tagger.answers(works)


def alone(tagger: Tagger, work: Work) -> Any:
    [answer] = answers(tagger, [work])
    return answer


@pytest.mark.parametrize("n", [12, pytest.param(None, marks=pytest.mark.slow)])
def test_pairs_of_formats(tagger: Tagger, n: int | None) -> None:
    """All of them, or some that are drawn."""
    works = [Work([TEXTS[0]], None, {"format": name}) for name in ANSWERS]
    expected = [alone(tagger, work) for work in works]
    assert answers(tagger, works) == expected
    pairs = list(combinations(range(len(works)), 2))
    for i, k in random.Random(7).sample(pairs, n or len(pairs)):
        assert answers(tagger, [works[i], works[k]]) == [expected[i], expected[k]]


@pytest.mark.parametrize("name", ANSWERS)
def test_all_tasks_in_each_format_are_answered_or_refused(tagger: Tagger, name: str) -> None:
    answer = alone(tagger, Work([TEXTS[0]], None, {"format": name, "tasks": ["all"]}))
    refused = {"tsv": "needs task label", "inline": "shows the phrases of one task"}
    assert refused[name] in answer if name in refused else isinstance(answer, bytes)


@pytest.mark.parametrize("n", [24, pytest.param(60, marks=pytest.mark.slow)])
def test_requests_at_random(tagger: Tagger, n: int) -> None:
    random_ = random.Random(7)
    works = [drawn(random_) for _ in range(n)]
    expected = [alone(tagger, work) for work in works]
    assert sum(isinstance(answer, bytes) for answer in expected) > 0.4 * n
    for _ in range(5):
        rows = random_.sample(range(n), n // 3)
        together = answers(tagger, [works[row] for row in rows])
        assert together == [expected[row] for row in rows]


def test_a_request_that_fails_alone_fails_alone(
    tagger: Tagger, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    together = tagger._written_together

    def fails(drafts: Any) -> Any:
        if any("BARKED" in text for plan, _ in drafts for text in plan.work.texts):
            raise ZeroDivisionError
        return together(drafts)

    works = [Work([text], None, {"tasks": ["ner"]}) for text in TEXTS]
    expected = [alone(tagger, work) for work in works]
    monkeypatch.setattr(tagger, "_written_together", fails)
    found = answers(tagger, works)
    assert found[3] is None and "ZeroDivisionError" in capfd.readouterr().err
    assert found[:3] + found[4:] == expected[:3] + expected[4:]


# "Hope" alone is a name by memory only.
HOPES = "Ann Hope was elected mayor of Boston.\nThen Hope left.\n\nThen Hope left."


@pytest.mark.parametrize("document", ["file", "line", "blank"])
@pytest.mark.parametrize("others", [0, 2])
def test_names_are_remembered_in_their_own_document_alone(
    tagger: Tagger, tmp_path: Path, document: str, others: int
) -> None:
    options: dict[str, Any] = {
        "tasks": ["ner"], "line_breaks": "sentence", "document": document, "format": "jsonl"
    }  # fmt: skip
    (tmp_path / "text").write_text(HOPES)
    expected = b"".join(senna.convert(tmp_path / "text", **options))
    plain = [json.loads(line)["tags"] for line in expected.splitlines()]
    works = [Work([HOPES], None, options | {"document": "line"}), Work([HOPES], None, options)]
    for answer in answers(tagger, [works[i % 2] for i in range(1, 2 + others)])[::2]:
        assert [json.loads(line)["tags"] for line in answer.splitlines()] == plain
    long = b"".join(tagger.parts(works[1]))
    assert [json.loads(line)["tags"] for line in long.splitlines()] == plain


def test_words_of_sentences_are_remembered_alike_in_short_and_long_requests(tagger: Tagger) -> None:
    words = [line.replace(".", " .").split() for line in HOPES.splitlines() if line]
    work = Work([], words, {"tasks": ["ner"], "memory": True})
    assert alone(tagger, work) == b"".join(tagger.parts(work))
    assert alone(tagger, work).count(b"S-PER") == 2


def test_formats_at_once_over_http(server: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def ask(name: str) -> tuple[int, str]:
        answer = http.post(f"{server}/v1/tag", json={"text": TEXTS[0], "format": name})
        return answer.status_code, answer.text

    names = ("json", "conllu", "trees", "columns")
    expected = {name: ask(name) for name in names}
    assert {status for status, _ in expected.values()} == {200}
    with ThreadPoolExecutor(16) as pool:
        asked = list(names) * 10
        for name, answer in zip(asked, pool.map(ask, asked), strict=True):
            assert answer == expected[name]


@pytest.mark.parametrize("together", [True, False])
def test_places_in_utf16_units(tagger: Tagger, together: bool) -> None:
    options = {"tasks": ["value"], "offset_unit": "utf16"}
    texts, words = ["😀 met 5 😀.", "A 😀 left."], [["😀"], [], ["5", "😀"]]
    works = [Work(texts, None, options, several=True), Work([], words, options)]
    found = [
        json.loads(alone(tagger, work) if together else b"".join(tagger.parts(work)))
        for work in works
    ]
    for text, answer in zip(texts, found[0]["texts"], strict=True):
        for token in answer["sentences"][0]["tokens"]:
            part = text.encode("utf-16-le")[2 * token["start"] : 2 * token["end"]]
            assert part.decode("utf-16-le") == token["text"]
    sentences = found[1]["sentences"]
    assert [sentence["start"] for sentence in sentences] == [0, 3, 4]
    assert [(t["start"], t["end"]) for t in sentences[2]["tokens"]] == [(4, 5), (6, 8)]
