"""The description of the interface has what the options and the kinds of answers declare."""

from __future__ import annotations

import re
from typing import Any

import pytest

from senna.formats.stored import types_of
from senna.serve.page import KINDS, description
from senna.serve.requests import ANSWERS, OPTIONS, Work
from senna.tasks import TASKS

ABOUT = description()
SCHEMAS = ABOUT["components"]["schemas"]


def test_each_option_is_described():
    given = {own["name"]: own["schema"] for own in tag()["parameters"]}
    body = SCHEMAS["Request"]["properties"]
    assert set(body) == {"text", "tokens", *OPTIONS}
    assert given == {name: body[name] for name in OPTIONS if name != "gazetteer"}
    assert body["n_best"] == {
        "type": "integer", "minimum": 1, "maximum": 100, "default": 1,
        "description": OPTIONS["n_best"].help,
    }  # fmt: skip
    assert given["format"]["default"] == "json" and "conllu" in given["format"]["enum"]
    assert "ner" in given["tasks"]["items"]["enum"]


@pytest.mark.parametrize("name", [name for name in OPTIONS if OPTIONS[name].kind is not bool])
def test_no_option_is_described_by_what_only_the_command_has(name):
    described = SCHEMAS["Request"]["properties"][name]["description"]
    assert not re.search(r"--|FILE|DIR|columns, but tsv", described)


def test_each_format_has_its_type_of_content():
    from senna.serve.requests import media_type

    described = set(tag()["responses"]["200"]["content"])
    works = [Work(options={"format": name}) for name in ANSWERS]
    assert described == {media_type(work).partition(";")[0] for work in works}


def tag() -> dict[str, Any]:
    operation: dict[str, Any] = ABOUT["paths"]["/v1/tag"]["post"]
    return operation


def has(schema: dict[str, Any], types: Any) -> bool:
    """Whether a schema has types as answers declare them: str, int, float, [type], {name: type}."""
    if isinstance(types, dict):
        known = schema.get("properties", {})
        return all(name in known and has(known[name], own) for name, own in types.items())
    if isinstance(types, list):
        return has(schema["items"], types[0])
    return bool(schema["type"] == KINDS[types])


def test_each_kind_of_answer_is_described():
    known = dict(SCHEMAS["Sentence"]["properties"])
    assert known.pop("tree") == {"type": "object"}
    for task in TASKS:
        declared = types_of(task).items()  # scores and trees are nested as deep as they like
        types = {name: own for name, own in declared if name not in ("scores", "tree")}
        assert has({"properties": known}, types), task
        for name in types:
            if name not in ("tags", "spans"):
                del known[name]
    always = {"text", "start", "row", "line", "tokens", "tags", "spans", "scores", "nbest"}
    assert known.keys() == always
