"""The interface over HTTP, against a server in a process of its own."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest

import senna
from senna.document.document import Document
from tests.processes import ROOT, python
from tests.serve.conftest import NAME, http

from senna.serve.requests import OPTIONS  # isort: skip  # after what it needs was found

TEXT = "Anna Weber flew to Rome. She\nlikes it, and <b>so</b> does Bob."
PLAIN = {"content-type": "text/plain"}
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def nlp() -> senna.Nlp:
    return senna.load()


def tag(server: str, **body: Any) -> Any:
    answer = http.post(f"{server}/v1/tag", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def records(doc: Document) -> Any:
    """Its sentences as the command writes them, but for their lines."""
    return json.loads(doc.to_json())["sentences"]


def without_lines(answer: Any) -> Any:
    """An answer without the lines that its sentences begin in, which documents do not know."""
    for text in answer.get("texts", [answer]):
        for sentence in text["sentences"]:
            assert sentence.pop("line") >= 1
    return answer


# --------------------------------------------------------------------------- answers


def test_json_is_what_the_command_writes_as_json_lines(server, nlp):
    assert without_lines(tag(server, text=TEXT)) == {"sentences": records(nlp(TEXT))}


def test_a_list_of_texts_and_no_text(server, nlp):
    texts = [TEXT, "", "Bob sat."]
    answer = without_lines(tag(server, text=texts))
    assert answer == {"texts": [{"sentences": records(nlp(text))} for text in texts]}
    assert tag(server, text=[]) == {"texts": []}
    assert tag(server, text="") == {"sentences": []}


def test_words(server):
    words = [["Anna", "Weber", "flew", "."], [], ["So", "did", "New York"]]
    answer = tag(server, tokens=words, tasks="ner,pos")
    sentences = [[token["text"] for token in own["tokens"]] for own in answer["sentences"]]
    assert sentences == words
    assert answer["sentences"][2]["start"] == len("Anna Weber flew .\n\n")
    answer = http.post(
        f"{server}/v1/tag", json={"tokens": words, "tasks": "pos", "format": "conll"}
    )
    assert answer.text.count("\n\n") == 2


def test_a_list_comes_with_commas_or_one_by_one(server):
    query = "?tasks=pos&tasks=ner&format=columns"
    answer = http.post(f"{server}/v1/tag{query}", content="Bob sat", headers=PLAIN)
    assert answer.text == "Bob\tNNP\tS-PER\nsat\tVBD\tO\n\n"


def test_scores_and_several_taggings(server):
    [sentence] = tag(server, text="Bob sat.", tasks="ner", scores=True, n_best=2)["sentences"]
    assert len(sentence["scores"]["ner"]) == 3
    assert len(sentence["nbest"]["ner"]) == 2


def test_phrases_of_a_user(server):
    body = {"text": "The plumbus works.", "tasks": "ner", "gazetteer": {"MISC": ["plumbus"]}}
    [sentence] = tag(server, **body, force=True)["sentences"]
    assert [span["text"] for span in sentence["spans"]["ner"]] == ["plumbus"]


def test_a_page_of_html(server):
    headers = {"content-type": "text/html; charset=utf-8"}
    answer = http.post(f"{server}/v1/tag?tasks=ner", content="<p>AT&amp;T rose.", headers=headers)
    [sentence] = answer.json()["sentences"]
    assert sentence["tokens"][0] == {"text": "AT&T", "start": 3, "end": 11}


def test_columns_that_are_read_are_kept(server):
    query = "?tasks=ner&input=columns&format=columns"
    answer = http.post(f"{server}/v1/tag{query}", content="Bob\tX\nsat\tY\n", headers=PLAIN)
    assert answer.text == "Bob\tX\tS-PER\nsat\tY\tO\n\n"


def test_documents_of_columns_are_those_that_the_command_sees(server, tmp_path):
    file = tmp_path / "names.txt"
    words = (
        "Mr. Frank Washington spoke . | Washington left . | -DOCSTART- | They met in Washington ."
    )
    file.write_text(words.replace("|", "").replace(" ", "\n"), encoding="utf-8")
    seen = set()
    for document in ("file", "docstart"):
        query = f"?tasks=ner&input=columns&format=columns&document={document}"
        answer = http.post(f"{server}/v1/tag{query}", content=file.read_bytes(), headers=PLAIN)
        of_command = senna.convert(file, tasks="ner", input="columns", document=document)
        assert answer.text == b"".join(of_command).decode()
        seen.add(answer.text)
    assert len(seen) == 2


def test_a_long_text_gets_what_the_command_writes(server):
    text = (TEXT + "\n\n") * 700
    query = "?tasks=ner&format=conllu"
    answer = http.post(f"{server}/v1/tag{query}", content=text, headers=PLAIN)
    options = ("--task", "ner", "--format", "conllu")
    done = python("-m", "senna", "tag", *options, data=text.encode(), check=True)
    assert answer.text == done.stdout.decode()
    again = http.post(f"{server}/v1/tag", json={"text": [text, "Bob."], "tasks": "ner"}).json()
    assert [len(own["sentences"]) for own in again["texts"]] == [1_400, 1]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/html;q=0.1, application/json", "application/json"),
        ("application/json;q=0, text/html", "text/html; charset=utf-8"),
        ("application/json;q=0, */*", "application/x-ndjson"),
        ("text/html; level=1; q=0.5, text/csv;q=0.7", "text/csv; charset=utf-8"),
        ("text/html;q=many, text/csv;q=0.7", "text/html; charset=utf-8"),
    ],
)
def test_the_format_that_a_client_accepts(server, accept, kind):
    headers = {**PLAIN, "accept": accept}
    answer = http.post(f"{server}/v1/tag?tasks=ner", content="Bob sat.", headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)


def test_requests_at_once_get_their_own_answers(server, nlp):
    texts = [f"{'Well, ' * (i % 4)}Anna met Bob{i} in Rome." for i in range(24)]
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda text: without_lines(tag(server, text=text)), texts))
    assert answers == [{"sentences": records(doc)} for doc in nlp.pipe(texts)]


def test_one_bad_request_among_others_fails_alone(server):
    def ask(i: int) -> int:
        text = "Bob sat.\n" if i % 3 else "Bob\tsat\tX\nY\n"
        query = "?tasks=ner&input=tokens" if i % 3 else "?tasks=ner&input=columns"
        return int(http.post(f"{server}/v1/tag{query}", content=text, headers=PLAIN).status_code)

    with ThreadPoolExecutor(9) as pool:
        assert list(pool.map(ask, range(18))) == [200 if i % 3 else 400 for i in range(18)]


def test_half_a_character_and_control_characters(server):
    body = b'{"text": "a \\ud800 \\u0000 b", "tasks": "ner"}'
    answer = http.post(f"{server}/v1/tag", content=body, headers=JSON)
    assert answer.json()["sentences"][0]["text"] == "a \ud800 \0 b"


# --------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("query", "headers", "body", "status", "said"),
    [
        ("", JSON, b'{"text": ', 400, "request: not valid JSON"),
        ("", JSON, b"[" * 100_000, 400, "not valid JSON: maximum recursion depth"),
        ("", JSON, b"[]", 400, "a JSON object is expected"),
        ("", JSON, b"{}", 400, '"text" or "tokens"'),
        ("", JSON, b'{"text": "a", "tokens": []}', 400, '"text" or "tokens"'),
        ("", JSON, b'{"text": 3}', 400, "is a text or a list of texts"),
        ("", JSON, b'{"text": ["a", 1]}', 400, "is a text or a list of texts"),
        ("", JSON, b'{"tokens": ["a"]}', 400, "a list of lists of words"),
        ("", JSON, b'{"text": "a", "task": "ner"}', 400, "did you mean 'tasks'?"),
        ("", JSON, b'{"text": "a", "scores": "yes"}', 400, "scores = 'yes'"),
        ("", JSON, b'{"text": "a", "n_best": 1.5}', 400, "n_best = 1.5"),
        ("", JSON, b'{"text": "a", "n_best": 1000}', 400, "from 1 to 100"),
        ("", JSON, b'{"text": "a", "n_best": 1%s}' % (b"0" * 400), 400, "from 1 to 100"),
        ("", JSON, b'{"text": "a", "gazetteer": {"PER": "Bob"}}', 400, "a list of texts"),
        ("", JSON, b'{"text": "a", "keep": 3}', 400, "keep = 3 is not a list"),
        ("", JSON, b'{"text": "a", "gazetteer": "people.txt"}', 400, "not phrases by type"),
        ("", JSON, b'{"text": "a", "tasks": ["nex"]}', 400, "unknown task 'nex'"),
        ("", JSON, b'{"text": "a", "model": "/etc/passwd"}', 400, "is not one of senna"),
        ("", JSON, b'{"text": "a", "predicates": "/tmp"}', 400, "is not one of auto, pos"),
        ("?output=x", PLAIN, b"a", 400, "unknown key 'output'"),
        ("?format=csv&format=conll", PLAIN, b"a", 400, "format: the option is given twice"),
        ("?tasks=", PLAIN, b"a", 400, "tasks = '' names no task"),
        (f"?model={NAME}&tasks=pos", PLAIN, b"a", 400, f"{NAME}: there is no model for task 'pos'"),
        ("?jobs=3", PLAIN, b"a", 400, "unknown key 'jobs'"),
        ("?input=parquet", PLAIN, b"a", 400, "input = 'parquet' is not one of"),
        ("?format=svg", PLAIN, b"a", 400, "format = 'svg' is not one of"),
        ("?format=trees&tasks=ner", PLAIN, b"a", 400, "format trees: needs task psg"),
        ("?format=html&scores=true", PLAIN, b"a", 400, "scores: html has no place for this"),
        ("?input=columns", PLAIN, b"a b\nc\n\n", 400, "request:2"),
        ("", PLAIN, b"ab\n\xff\xfe", 400, "request:2: not valid UTF-8 (byte 0xff)"),
        ("", PLAIN, b"a" * 1_000_001, 413, "more than 1000000 bytes"),
        ("", {"content-type": "application/x-www-form-urlencoded"}, b"a", 415, "Send text/plain"),
        ("", {"content-type": "text/plain; charset=latin-1"}, b"a", 415, "Send UTF-8"),
        ("", {"content-type": 'application/json; Charset="UTF-16"'}, b"{}", 415, "Send UTF-8"),
        ("", {**PLAIN, "content-encoding": "gzip"}, b"\x1f\x8b", 415, "'gzip' is not read"),
        ("", {**PLAIN, "accept": "image/png"}, b"a", 406, "no accepted type"),
    ],
)
def test_what_a_client_can_mend_is_one_line(server, query, headers, body, status, said):
    answer = http.post(f"{server}/v1/tag{query}", content=body, headers=headers)
    [(name, line)] = answer.json().items()
    assert (answer.status_code, name) == (status, "error")
    assert said in line and "\n" not in line


def test_paths_and_methods_that_are_not_there(server):
    answer = http.get(f"{server}/v1/tag")
    assert answer.status_code == 405
    assert answer.json() == {"error": "GET is not answered here. Send POST."}
    assert http.get(f"{server}/nothing").json() == {"error": "Not Found"}
    assert http.get(f"{server}/%2e%2e/pyproject.toml").status_code == 404


# --------------------------------------------------------------------------- what it says of itself


def test_models_by_name(server):
    models = http.get(f"{server}/v1/models").json()["models"]
    assert [model["name"] for model in models] == ["senna", NAME]
    assert models[1] == {"name": NAME, "tasks": ["ner"]}
    [sentence] = tag(server, text="Bob sat.", model=NAME)["sentences"]
    assert list(sentence["tags"]) == ["ner"]


def fits(value: Any, schema: Any, schemas: Any) -> bool:
    """Whether a value is as a schema says, of which only what the description uses is known."""
    if "$ref" in schema:
        return fits(value, schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "oneOf" in schema:
        return sum(fits(value, one, schemas) for one in schema["oneOf"]) == 1
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds: Any = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
    if schema["type"] == "array":
        return isinstance(value, list) and all(fits(one, schema["items"], schemas) for one in value)
    if schema["type"] != "object":
        return isinstance(value, kinds[schema["type"]])
    if not isinstance(value, dict) or not {*schema.get("required", ())} <= {*value}:
        return False
    known = schema.get("properties")
    for name, one in value.items():
        of_name = known.get(name, False) if known else schema.get("additionalProperties", True)
        if of_name is False or (of_name is not True and not fits(one, of_name, schemas)):
            return False
    return True


def test_the_description_says_what_is_asked_and_answered(server):
    about = http.get(f"{server}/openapi.json").json()
    assert about["servers"] == [{"url": "."}]  # relative to the description: right behind a proxy
    schemas = about["components"]["schemas"]
    body = {"text": [TEXT], "tasks": ["pos", "chunk", "ner", "srl", "psg"], "scores": True}
    assert fits(body, schemas["Request"], schemas)
    assert not fits({**body, "output": "x"}, schemas["Request"], schemas)
    answer = tag(server, **body)
    assert fits(answer, schemas["TaggedTexts"], schemas)
    assert not fits(answer, schemas["Tagged"], schemas)
    del answer["texts"][0]["sentences"][0]["predicates"][0]["index"]
    assert not fits(answer, schemas["TaggedTexts"], schemas)
    assert fits(http.post(f"{server}/v1/tag", json={}).json(), schemas["Error"], schemas)
    assert fits(http.get(f"{server}/health").json(), schemas["Health"], schemas)
    assert fits(http.get(f"{server}/v1/models").json(), schemas["Models"], schemas)


def test_every_option_of_the_description_is_taken(server):
    about = http.get(f"{server}/openapi.json").json()
    parameters = about["paths"]["/v1/tag"]["post"]["parameters"]
    assert {own["name"] for own in parameters} == set(OPTIONS) - {"gazetteer"}
    values = {"tasks": "ner", "format": "columns", "memory": "false"}
    for own in parameters:
        name, schema = own["name"], own["schema"]
        value = values.get(name, schema.get("default", schema.get("enum", [""])[0]))
        query = {"tasks": "ner", "format": "columns", name: str(value)}
        answer = http.post(f"{server}/v1/tag", params=query, content="Bob sat.", headers=PLAIN)
        assert answer.status_code == 200, answer.text


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
def test_the_requests_of_the_page_are_answered(server, tmp_path):
    (tmp_path / "chapter.txt").write_text(TEXT, encoding="utf-8")
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    lines = re.findall(r"(?m)^curl .*localhost:8080/v1.*", page)
    assert len(lines) == 2
    for line in lines:
        command = shlex.split(line.replace("localhost:8080", urlsplit(server).netloc))
        done = subprocess.run([*command, "--fail"], capture_output=True, cwd=tmp_path)
        assert done.returncode == 0 and b"Anna" in done.stdout
