"""The description of the interface, made from the options of requests and the kinds of output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from senna.serve.options import ANSWERS, OPTIONS, schema_of_option
from senna.serve.requests import media_type
from senna.version import __version__

ERRORS = {
    "400": "The text or an option cannot be used.",
    "403": "The host or the origin is not allowed.",
    "406": "No accepted type is known.",
    "413": "The request is too long.",
    "415": "The content is of a type that is not read.",
    "500": "The process that tagged the text has ended.",
    "503": "Too many requests wait; try again after Retry-After seconds.",
    "504": "The request took too long.",
}


def description(types: Mapping[str, Any]) -> dict[str, Any]:
    """OpenAPI 3.1; `types`: what each task adds to a sentence."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "senna", "version": __version__, "summary": "Tags English text."},
        "servers": [{"url": "."}],  # beside this description, whatever a proxy puts before it
        "paths": {
            "/v1/tag": {"post": _tag()},
            "/v1/models": {"get": _get("The published models.", "Models")},
            "/health": {"get": _get("Whether texts can be tagged.", "Health")},
        },
        "components": {"schemas": _schemas(types)},
    }


def _tag() -> dict[str, Any]:
    parameters = [
        {"name": option.name, "in": "query", "schema": schema_of_option(option), "explode": False}
        for option in OPTIONS.values()
        if option.kind is not dict
    ]
    text = {"schema": {"type": "string"}}
    answers: dict[str, Any] = {media_type(name).partition(";")[0]: text for name in ANSWERS}
    answers["application/json"] = {"schema": {"oneOf": [_ref("Tagged"), _ref("TaggedTexts")]}}
    return {
        "summary": "Tag text.",
        "operationId": "tag",
        "parameters": parameters,
        "requestBody": {
            "required": True,
            "content": {
                "text/plain": text,
                "text/html": text,
                "application/json": {"schema": _ref("Request")},
            },
        },
        "responses": {
            "200": {"description": "The tagged text.", "content": answers},
            **{status: _failure(about) for status, about in ERRORS.items()},
        },
    }


def _get(summary: str, schema: str) -> dict[str, Any]:
    content = {"application/json": {"schema": _ref(schema)}}
    return {"summary": summary, "responses": {"200": {"description": summary, "content": content}}}


def _failure(about: str) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": _ref("Error")}}}


def _schemas(types: Mapping[str, Any]) -> dict[str, Any]:
    texts = {"type": "array", "items": {"type": "string"}}
    body = {
        "text": {"oneOf": [{"type": "string"}, texts], "description": "A text or several."},
        "tokens": {"type": "array", "items": texts, "description": "Sentences as lists of words."},
        **{option.name: schema_of_option(option) for option in OPTIONS.values()},
    }
    sentence: dict[str, Any] = {
        "text": str,
        "start": int,
        "row": int,
        "line": int,
        "tokens": [{"text": str, "start": int, "end": int}],
    }
    schema = schema_of(sentence)
    for of_task in types.values():
        _merge(schema["properties"], schema_of(of_task)["properties"])
    # What depends on options and tasks is not required, and a tree is nested as deep as it likes.
    schema["properties"] |= {"tree": {"type": "object"}, "scores": {"type": "object"}}
    schema["properties"]["nbest"] = {"type": "object"}
    schema["required"] = ["text", "start", "tokens", "tags", "spans"]
    return {
        "Request": {"type": "object", "properties": body, "additionalProperties": False},
        "Sentence": schema,
        "Tagged": _object(sentences={"type": "array", "items": _ref("Sentence")}),
        "TaggedTexts": _object(texts={"type": "array", "items": _ref("Tagged")}),
        "Error": _object(error={"type": "string"}),
        "Models": _object(
            models={"type": "array", "items": schema_of({"name": str, "tasks": [str]})}
        ),
        "Health": schema_of({"status": str, "waiting": int, "running": int, "workers": int}),
    }


def schema_of(types: Any) -> dict[str, Any]:
    """The schema of types as `Output.types` has them: str, int, float, [type], {name: type}."""
    if isinstance(types, dict):
        schema = _object(**{name: schema_of(inner) for name, inner in types.items()})
        if {"first", "last"} <= {*types}:  # a span, with its probability where that is asked for
            schema["properties"]["score"] = {"type": "number"}
        return schema
    if isinstance(types, list):
        return {"type": "array", "items": schema_of(types[0])}
    return {"type": {str: "string", int: "integer", float: "number"}[types]}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    """Add properties; objects that both have get the properties of both, none of them required."""
    for name, schema in more.items():
        if name in into and "properties" in schema:
            _merge(into[name]["properties"], schema["properties"])
            into[name].pop("required", None)
        else:
            into[name] = dict(schema)
            if name in ("tags", "spans"):
                into[name].pop("required", None)


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}
