"""Requests are answered as `nlp` and the command answer them."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest

from tests.serve.conftest import http  # isort: skip  # skips where there is no server

import senna
from senna.errors import SennaError
from senna.serve.requests import ANSWERS, Work
from senna.serve.tagging import Tagger

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
    return Tagger({"senna": None})


def drawn(random_: random.Random) -> tuple[str, dict[str, Any]]:
    """A text, and options drawn at random, also wrong combinations."""
    options = {name: random_.choice(values) for name, values in OPTIONS.items()}
    given = {k: v for k, v in options.items() if v is not None and random_.random() < 0.4}
    return random_.choice([*TEXTS, HOPES]), given


def expected_of(text: str, options: dict[str, Any]) -> bytes:
    """What `senna.convert` writes of the text; in JSON, with commas."""
    name = options.get("format", "json")
    options = {"input": "text", **options, "format": "jsonl" if name == "json" else name}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        written = b"".join(senna.convert("-", **options))
    if name != "json":
        return written
    return b'{"sentences": [' + b",".join(b"\n" + line for line in written.splitlines()) + b"]}\n"


@pytest.mark.parametrize("name", ANSWERS)
def test_all_tasks_in_each_format_are_answered_or_refused(tagger, name):
    work = Work([TEXTS[0]], None, {"format": name, "tasks": ["all"]})
    refused = {"tsv": "needs task label"}
    if name in refused:
        with pytest.raises(SennaError, match=refused[name]):
            tagger.answer(work)
    else:
        assert tagger.answer(work)


@pytest.mark.parametrize("n", [12, pytest.param(400, marks=pytest.mark.exhaustive)])
def test_each_request_equals_nlp_with_the_same_options(tagger, n):
    """What `senna.convert` writes of a file, and in JSON what `nlp` finds, or the same refusal."""
    random_ = random.Random(7)
    tagged = 0
    while tagged < n:
        text, options = drawn(random_)
        work = Work([text], None, options)
        try:
            answer = tagger.answer(work)
        except SennaError:
            with pytest.raises(SennaError):
                expected_of(text, options)
            continue
        tagged += 1
        assert answer == expected_of(text, options), options


def test_texts_of_a_list_are_tagged_as_each_alone(tagger):
    texts = TEXTS * 80
    for options in ({"tasks": ["ner"]}, {"tasks": ["pos"], "format": "conll"}, {"memory": False}):
        answer = tagger.answer(Work(texts, None, options, several=True))
        if "format" in options:
            parts = [tagger.answer(Work([text], None, options)) for text in texts]
            assert answer == b"".join(parts)
            continue
        alone = [json.loads(tagger.answer(Work([text], None, options))) for text in TEXTS]
        assert json.loads(answer) == {"texts": alone * 80}


@pytest.mark.parametrize("input", ["text", "tokens"])
def test_a_long_text_is_tagged_in_parts_until_it_is_to_stop(tagger, input):
    asked = list[int]()

    def stopped() -> bool:
        asked.append(0)
        return len(asked) == 3

    work = Work(["Ann Lee met Bob in Rome .\n" * 1_000], None, {"tasks": ["ner"], "input": input})
    with pytest.raises(TimeoutError):
        tagger.answer(work, stopped)
    assert len(asked) == 3
    assert tagger.answer(work).count(b'"text": "Ann Lee"') > 900


# "Hope" alone is a name by memory only.
HOPES = "Ann Hope was elected mayor of Boston.\nThen Hope left.\n\nThen Hope left."


@pytest.mark.parametrize("document", ["file", "line", "blank"])
@pytest.mark.parametrize("n", [1, 200])
def test_names_are_remembered_in_their_own_document_alone(tagger, document, n):
    options = {"tasks": ["ner"], "line_breaks": "sentence", "document": document, "format": "jsonl"}
    text = "\n\n".join([HOPES] * n)
    answer = tagger.answer(Work([text], None, options))
    assert answer == expected_of(text, options)
    assert (answer.count(b"S-PER") > 0) == (document != "line")


def test_words_are_remembered_too(tagger):
    words = [line.replace(".", " .").split() for line in HOPES.splitlines() if line]
    answer = tagger.answer(Work([""], words, {"tasks": ["ner"], "memory": True}))
    assert answer.count(b"S-PER") == 2


def test_formats_at_once_over_http(server):
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


def test_places_in_utf16_units(tagger):
    options = {"tasks": ["value"], "offset_unit": "utf16"}
    texts, words = ["😀 met 5 😀.", "A 😀 left."], [["😀"], [], ["5", "😀"]]
    works = [Work(texts, None, options, several=True), Work([""], words, options)]
    found = [json.loads(tagger.answer(work)) for work in works]
    for text, answer in zip(texts, found[0]["texts"], strict=True):
        for token in answer["sentences"][0]["tokens"]:
            part = text.encode("utf-16-le")[2 * token["start"] : 2 * token["end"]]
            assert part.decode("utf-16-le") == token["text"]
    sentences = found[1]["sentences"]
    assert [sentence["start"] for sentence in sentences] == [0, 3, 4]
    assert [(t["start"], t["end"]) for t in sentences[2]["tokens"]] == [(4, 5), (6, 8)]
