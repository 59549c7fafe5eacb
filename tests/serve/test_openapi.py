"""The description of the interface has what the options and the kinds of answers declare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import senna.serve
from senna.kinds import output_of
from senna.pipeline.options import Option
from senna.serve.requests import ANSWERS, KINDS, OPTIONS
from senna.serve.work import Work
from senna.tasks import TASKS

ABOUT = json.loads(Path(senna.serve.__path__[0], "openapi.json").read_text(encoding="utf-8"))
SCHEMAS = ABOUT["components"]["schemas"]


def schema_of_option(option: Option) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": KINDS[option.kind]}
    choices = [*option.choices]
    if option.kind is list:
        schema["items"] = {"type": "string", "enum": choices}
    elif option.kind is dict:
        schema["additionalProperties"] = {"type": "array", "items": {"type": "string"}}
    elif choices:
        schema["enum"] = choices
    if option.kind in (int, float):
        schema |= {"minimum": option.least, "maximum": option.most}
    if option.default is not None:
        schema["default"] = option.default
    about = "; ".join(f"{name}: {text}" for name, text in option.abouts.items())
    return {**schema, "description": f"{option.help} {about}".strip()}


def test_each_option_is_described() -> None:
    given = {own["name"]: own["schema"] for own in tag()["parameters"]}
    body = SCHEMAS["Request"]["properties"]
    expected = {name: schema_of_option(option) for name, option in OPTIONS.items()}
    assert {name: body[name] for name in body if name not in ("text", "tokens")} == expected
    assert given == {name: own for name, own in expected.items() if OPTIONS[name].kind is not dict}


def test_each_format_has_its_type_of_content() -> None:
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


def test_each_kind_of_answer_is_described() -> None:
    known = dict(SCHEMAS["Sentence"]["properties"])
    assert known.pop("tree") == {"type": "object"}  # it is nested as deep as it likes
    for task in TASKS:
        types = {name: own for name, own in output_of(task).types(task).items() if name != "tree"}
        assert has({"properties": known}, types), task
        for name in types:
            if name not in ("tags", "spans"):
                del known[name]
    always = {"text", "start", "row", "line", "tokens", "tags", "spans", "scores", "nbest"}
    assert known.keys() == always
