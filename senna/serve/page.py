"""The page: page.html with the style of drawings, the models, and what its form asked for."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from senna.drawing.html import style
from senna.drawing.svg import safe
from senna.serve.options import ANSWERS
from senna.serve.settings import PACKAGE
from senna.serve.work import VIEWS

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
        name: own.called
        for name, own in VIEWS.items()
        if known.intersection(own.tasks) and (name != "compare" or len(models) > 1)
    }
    views = "".join(
        f'<label><input type="radio" name="view" value="{name}"{" checked" * (name == view)}>'
        f"<span>{safe(called)}</span></label>"
        for name, called in shown.items()
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
