"""The page, made of page.html, and the description of the interface for programs."""

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
from senna.drawing.views import VIEWS
from senna.errors import as_arguments
from senna.serve.requests import ANSWERS, LISTS, OPTIONS
from senna.settings import Option
from senna.tasks import TASKS
from senna.version import __version__

HERE = Path(__file__).parent
EXAMPLE = (  # of a text, which the page opens with
    "Marie Curie was born in Warsaw. She moved to Paris in 1891, and the University of Paris gave "
    "her the chair that her husband had held."
)
API = (HERE / "api.html").read_text(encoding="utf-8")
PAGE = (HERE / "page.html").read_text(encoding="utf-8").replace("/* drawings */", style())
KINDS = {str: "string", bool: "boolean", int: "integer"}  # of options, as JSON names them


def policy(page: str) -> str:
    """The policy of a page: its own script and style, and requests to its own server."""

    def digest(tag: str) -> str:
        [inner] = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        return f"{tag}-src 'sha256-{b64encode(sha256(inner.encode()).digest()).decode()}'; "

    return (
        f"default-src 'none'; {digest('script')}{digest('style')}img-src data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def page(models: Mapping[str, Sequence[str]], drawn: bytes) -> str:
    """The page for some models, with the drawing of the example."""
    known = _views({task for tasks in models.values() for task in tasks})
    views = "".join(
        f'<label><input type="radio" name="view" value="{name}"{" checked" * (name == known[0])}>'
        f"<span>{safe(own.called)}</span><small>{safe(own.about)}</small></label>"
        for name, own in VIEWS.items()
        if name in known and (name != "compare" or len(models) > 1)
    )
    choices = [
        f'<option value="{safe(name)}" data-views="{" ".join(_views(tasks))}">{safe(name)}</option>'
        for name, tasks in models.items()
    ]
    values = {
        "example": safe(EXAMPLE),
        "models": "".join(choices),
        "others": "".join(choices[1:] + choices[:1]),
        "views": views,
        "formats": "".join(f"<option>{name}</option>" for name in ANSWERS if name != "ansi"),
        "result": drawn.decode(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], PAGE)


def _views(tasks: Collection[str]) -> list[str]:
    return [name for name, view in VIEWS.items() if set(view.tasks).intersection(tasks)]


def description() -> dict[str, Any]:
    """The interface as OpenAPI describes it: openapi.json with the options."""
    about: dict[str, Any] = json.loads((HERE / "openapi.json").read_text(encoding="utf-8"))
    about["info"]["version"] = __version__
    fields = about["components"]["schemas"]["Request"]["properties"]
    for name, option in OPTIONS.items():
        fields[name] = _schema(option) | fields.get(name, {})
    about["paths"]["/v1/tag"]["post"]["parameters"] = [
        {"name": name, "in": "query", "schema": fields[name], "explode": False}
        for name in OPTIONS
        if fields[name]["type"] != "object"
    ]
    return about


def _schema(option: Option) -> dict[str, Any]:
    """An option as a schema of JSON."""
    about = "; ".join(f"{name}: {text}" for name, text in option.abouts.items())
    schema: dict[str, Any] = {"description": as_arguments(f"{option.help} {about}".strip())}
    if option.name in LISTS:
        names = {"enum": [*TASKS, "all"]} if option.name == "tasks" else {}
        return schema | {"type": "array", "items": {"type": "string", **names}}
    schema["type"] = KINDS.get(option.kind)
    if option.choices:
        schema["enum"] = [*option.choices]
    if option.kind is int:
        schema |= {"minimum": option.least, "maximum": option.most}
    return schema if option.default in (None, "") else schema | {"default": option.default}
