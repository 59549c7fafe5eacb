"""The page: page.html with the style of drawings, the models, and what its form asked for."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from senna.drawing.html import FOOT, head, style
from senna.drawing.svg import safe
from senna.errors import as_arguments
from senna.serve.requests import ANSWERS
from senna.serve.work import PACKAGE, VIEWS

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
    known = {task for tasks in models.values() for task in tasks}
    shown = {
        name: own
        for name, own in VIEWS.items()
        if known.intersection(own.tasks) and (name != "compare" or len(models) > 1)
    }
    views = "".join(
        f'<label><input type="radio" name="view" value="{name}"{" checked" * (name == view)}>'
        f"<span>{safe(own.called)}</span><small>{safe(own.about)}</small></label>"
        for name, own in shown.items()
    )
    formats = "".join(f"<option>{name}</option>" for name in ANSWERS if name != "ansi")
    values = {
        "models": _choices(models, model),
        "others": _choices(models, other),
        "views": views,
        "formats": formats,
        "text": safe(fields.get("text", "")),
        "error": safe(error),
        "view": view if view in VIEWS else "",
        "result": drawn,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], PAGE)


def _choices(names: Mapping[str, object], chosen: str) -> str:
    return "".join(
        f'<option value="{safe(name)}"{" selected" * (name == chosen)}>{safe(name)}</option>'
        for name in names
    )


def interface(about: Mapping[str, Any], address: str) -> str:
    """A page for people on the interface for programs, of its description for OpenAPI."""
    paths = [
        (f"{method.upper()} {path}", own["summary"])
        for path, methods in about["paths"].items()
        for method, own in methods.items()
    ]
    options = [
        (option["name"], f"{as_arguments(own['description'])} ({', '.join(choices)})")
        for option in about["paths"]["/v1/tag"]["post"]["parameters"]
        for own in [option["schema"]]
        for choices in [own.get("enum") or own.get("items", {}).get("enum") or [own["type"]]]
    ]
    text = "-H 'content-type: text/plain' -d 'Anna flew to Rome.'"
    example = f"curl '{address}v1/tag?tasks=ner' {text}"
    return (
        f"{head()}<style>td{{padding:.15em 1em .15em 0;vertical-align:top}}"
        "td code{white-space:nowrap}</style><h1>senna for programs</h1>"
        f"<pre>{safe(example)}</pre>{_table(paths)}<h2>Options of /v1/tag</h2>"
        "<p>They stand in the address, or with text or tokens in a JSON object.</p>"
        f'{_table(options)}<p><a href="openapi.json">The same for programs that make clients</a>, '
        f'<a href="./">the page to try text on</a></p>{FOOT}'
    )


def _table(rows: Sequence[tuple[str, str]]) -> str:
    cells = "".join(
        f"<tr><td><code>{safe(name)}</code></td><td>{safe(text)}</td></tr>" for name, text in rows
    )
    return f"<table>{cells}</table>"
