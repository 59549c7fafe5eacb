"""The page: page.html with the style of drawings, the models, and what its form asked for."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from senna.drawing.html import style
from senna.drawing.svg import safe
from senna.errors import as_arguments
from senna.serve.requests import ANSWERS, KINDS, OPTIONS
from senna.serve.settings import PACKAGE
from senna.serve.views import VIEWS
from senna.settings import Option
from senna.version import __version__

EXAMPLE = (  # of a text, which the page opens with
    "Marie Curie was born in Warsaw. She moved to Paris in 1891, and the University of Paris gave "
    "her the chair that her husband had held."
)
ASKED = {"text": "Anna flew to Rome.", "tasks": ["ner"]}  # an example of a request
OPENAPI = Path(__file__).with_name("openapi.json")
API = Path(__file__).with_name("api.html").read_text(encoding="utf-8")
PAGE = Path(__file__).with_name("page.html").read_text(encoding="utf-8").replace(
    "/* drawings */", style()
)  # fmt: skip


def _digest(tag: str) -> str:
    [inner] = re.findall(f"<{tag}>(.*?)</{tag}>", PAGE, re.DOTALL)
    return f"'sha256-{b64encode(sha256(inner.encode()).digest()).decode()}'"


# Nothing but the script and the style that stand in the page, and requests to its own server.
POLICY = (
    f"default-src 'none'; script-src {_digest('script')}; style-src {_digest('style')}; "
    "img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def page(
    models: Mapping[str, Sequence[str]], fields: Mapping[str, str], drawn: str, error: str
) -> str:
    """The page for some models, with the fields of its form as they were sent."""
    model, view = fields.get("model", PACKAGE), fields.get("view", "names")
    other = fields.get("other") or next((name for name in models if name != model), "")
    known = _views({task for tasks in models.values() for task in tasks})
    views = "".join(
        f'<label><input type="radio" name="view" value="{name}"{" checked" * (name == view)}>'
        f"<span>{safe(own.called)}</span><small>{safe(own.about)}</small></label>"
        for name, own in VIEWS.items()
        if name in known and (name != "compare" or len(models) > 1)
    )
    formats = "".join(f"<option>{name}</option>" for name in ANSWERS if name != "ansi")
    values = {
        "example": safe(EXAMPLE),
        "models": _choices(models, model),
        "others": _choices(models, other),
        "views": views,
        "formats": formats,
        "text": safe(fields.get("text", "")),
        "error": safe(error),
        "view": view if view in VIEWS else "",
        "result": drawn,
    }
    return _filled(PAGE, values)


def _choices(models: Mapping[str, Sequence[str]], chosen: str) -> str:
    """The models, each with the views that it has an answer for."""
    return "".join(
        f'<option value="{safe(name)}" data-views="{" ".join(_views(tasks))}"'
        f"{' selected' * (name == chosen)}>{safe(name)}</option>"
        for name, tasks in models.items()
    )


def _views(tasks: Collection[str]) -> list[str]:
    return [name for name, view in VIEWS.items() if set(view.tasks).intersection(tasks)]


# --------------------------------------------------------------------------- programs


def description() -> dict[str, Any]:
    """The interface as OpenAPI describes it: openapi.json with the options."""
    about: dict[str, Any] = json.loads(OPENAPI.read_text(encoding="utf-8"))
    about["info"]["version"] = __version__
    schemas = {name: schema_of(option) for name, option in OPTIONS.items()}
    about["paths"]["/v1/tag"]["post"]["parameters"] = [
        {"name": name, "in": "query", "schema": schema, "explode": False}
        for name, schema in schemas.items()
        if schema["type"] != "object"
    ]
    about["components"]["schemas"]["Request"]["properties"] |= schemas
    return about


def schema_of(option: Option) -> dict[str, Any]:
    """An option as a schema of JSON."""
    schema: dict[str, Any] = {"type": KINDS[option.kind]}
    if option.kind is list:
        schema["items"] = {"type": "string", "enum": [*option.choices]}
    elif option.kind is dict:
        schema["additionalProperties"] = {"type": "array", "items": {"type": "string"}}
    elif option.choices:
        schema["enum"] = [*option.choices]
    if option.kind in (int, float):
        schema |= {"minimum": option.least, "maximum": option.most}
    if option.default is not None:
        schema["default"] = option.default
    about = "; ".join(f"{name}: {text}" for name, text in option.abouts.items())
    return {**schema, "description": as_arguments(f"{option.help} {about}".strip())}


def interface(address: str, answer: str, most: int, timeout: float) -> str:
    """The interface on a page for people, with an answer to the request `ASKED`."""
    about = description()
    paths = {
        f"{method.upper()} {path}": safe(own["summary"])
        for path, methods in about["paths"].items()
        for method, own in methods.items()
    }
    options = about["components"]["schemas"]["Request"]["properties"]
    statuses = about["paths"]["/v1/tag"]["post"]["responses"]
    body = json.dumps(ASKED)
    header = "-H 'content-type: application/json'"
    values = {
        "curl": safe(f"curl {address}v1/tag {header} -d '{body}'"),
        "address": safe(address),
        "paths": _list(paths),
        "body": safe(body),
        "most": str(most),
        "timeout": f"{timeout:g}",
        "options": _list({name: _said(schema) for name, schema in options.items()}),
        "answer": safe(json.dumps(json.loads(answer), indent=1)),
        "errors": _list(
            {code: safe(own["description"]) for code, own in statuses.items() if code != "200"}
        ),
    }
    return _filled(API, values)


def _said(schema: Mapping[str, Any]) -> str:
    """The effect and the values of an option, in HTML."""
    choices = schema.get("enum") or schema.get("items", {}).get("enum")
    takes = [schema.get("type", "string or array")]
    if choices:
        takes.append(f"{'any' if takes[0] == 'array' else 'one'} of {', '.join(choices)}")
    if "default" in schema:
        takes.append(f"default: {json.dumps(schema['default'])}")
    return f"{safe(schema['description'])} <small>{safe('; '.join(takes))}</small>"


def _list(rows: Mapping[str, str]) -> str:
    cells = (f"<dt><code>{safe(name)}</code></dt><dd>{text}</dd>" for name, text in rows.items())
    return f"<dl>{''.join(cells)}</dl>"


def _filled(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)
