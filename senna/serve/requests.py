"""Requests of HTTP as `Work`: their bodies, options and formats. No option names a file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from senna.drawing.svg import WIDTH
from senna.drawing.views import VIEWS
from senna.errors import SennaError
from senna.pipeline.format import input_of
from senna.pipeline.options import Options, known_value
from senna.registry import FORMATS, INPUTS
from senna.serve.cli import PACKAGE
from senna.settings import options_of

JSON = "json"  # the format of an answer where none is asked for
NARROWEST, WIDEST = 200, 4_000  # pixels of a drawing
ENCODINGS = ("utf-8", "utf8", "us-ascii")  # that a request may declare
# By format, the types of content that it is; the first is that of an answer.
MEDIA = {
    JSON: ("application/json",),
    "jsonl": ("application/x-ndjson", "application/jsonl"),
    "html": ("text/html",),
    "columns": ("text/plain",),
    "spans": ("text/tab-separated-values",),
    "csv": ("text/csv",),
}
ANSWERS = (JSON, *(name for name in FORMATS if FORMATS[name].is_text))
CHOICES = {  # where requests have others than files
    "input": tuple(name for name in INPUTS if input_of(name).cut),
    "format": ANSWERS,
    "predicates": ("auto", "pos"),
}
LISTS = ("tasks", "keep")
# The options of a request, which is UTF-8.
OPTIONS = {
    name: own._replace(choices=CHOICES.get(name, own.choices))
    for name, own in options_of(Options).items()
    if name != "errors"
}


@dataclass(frozen=True)
class Work:
    """A request: texts, or the words of sentences, and options of tagging.

    `several`: the answer is one of a list of texts. `view`: drawings for the page in place of a
    format, `width` pixels wide; `other` is the model that is compared.
    """

    texts: list[str] = field(default_factory=list)
    tokens: list[list[str]] | None = None  # in place of a text, which is empty
    options: Mapping[str, Any] = field(default_factory=dict)
    several: bool = False
    view: str = ""
    width: float = WIDTH
    other: str = ""


async def body_of(request: Request, most: int) -> str:
    """The text of a body; HTTPException if it has more than `most` bytes or is not UTF-8."""
    coding = request.headers.get("content-encoding", "identity")
    if coding.lower() != "identity":
        raise HTTPException(415, f"content-encoding {coding!r:.40} is not read. Send plain text.")
    kind = Message()
    kind["content-type"] = request.headers.get("content-type", "unknown")
    charset = kind.get_content_charset("utf-8")
    if charset not in ENCODINGS:
        raise HTTPException(415, f"charset {charset!r:.40} is not read. Send UTF-8.")
    what = f"the request has more than {most} bytes. Send it in parts."
    too_long = HTTPException(413, what, {"connection": "close"})
    declared, data = request.headers.get("content-length", "0"), bytearray()
    if declared.isdigit() and int(declared) > most:
        raise too_long
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            raise too_long
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what, remedy = f"not valid UTF-8 (byte 0x{data[error.start]:02x})", "Send UTF-8."
        raise SennaError(what, where=f"request:{line}", remedy=remedy) from None


def work_of(request: Request, body: str) -> Work:
    """The parsed request; HTTPException, or SennaError, if it is invalid."""
    declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    options = _of_address(request)
    options.setdefault("format", _accepted(request.headers.get("accept", "*/*")))
    if declared == "application/json":
        return _of_json(body, options)
    if declared not in ("text/plain", "text/html"):
        what = f"content of type {declared or 'unknown'!r:.60} is not read"
        raise HTTPException(415, f"{what}. Send text/plain, text/html or application/json.")
    if declared == "text/html":
        options.setdefault("input", "html")
    return Work([body], None, options)


def _of_address(request: Request) -> dict[str, Any]:
    """The options of an address, lists also one value at a time; other values are checked later."""
    values: dict[str, Any] = {}
    for name, text in request.query_params.multi_items():
        if name in values and name not in LISTS:
            raise SennaError("the option is given twice", where=name)
        kind = OPTIONS[name].kind if name in OPTIONS else str
        if kind is bool:
            values[name] = {"true": True, "1": True, "false": False, "0": False}.get(
                text.lower(), text
            )
        elif kind is int:
            values[name] = int(text) if text.isdecimal() and len(text) < 10 else text
        else:
            values[name] = f"{values[name]},{text}" if name in values else text
    return values


def _accepted(header: str) -> str:
    """The format that a client accepts most gladly; HTTPException if there is none."""
    qualities = dict[str, float]()
    for part in header.lower().split(","):
        quality = re.search(r";\s*q\s*=\s*([01](?:\.\d*)?)\s*(?:;|$)", part)
        qualities[part.partition(";")[0].strip()] = float(quality[1]) if quality else 1.0
    wanted = sorted(filter(qualities.get, qualities), key=lambda kind: -qualities[kind])
    refused = qualities.keys() - wanted
    for kind in wanted:
        for name, kinds in MEDIA.items():
            every = ("", "*/*", f"{kinds[0].partition('/')[0]}/*")
            if refused.isdisjoint(kinds) and (kind in kinds or kind in every):
                return name
    known = ", ".join(kinds[0] for kinds in MEDIA.values())
    what = f"no accepted type is known: {known}. Or name a format: ?format=conllu"
    raise HTTPException(406, what)


def _of_json(body: str, options: dict[str, Any]) -> Work:
    value = _json_of(body)
    given = {name: value.pop(name) for name in ("text", "tokens") if value.get(name) is not None}
    options |= {name: own for name, own in value.items() if own is not None}
    match given:
        case {"text": str(text), **others} if not others:
            return Work([text], None, options)
        case {"text": content, **others} if not others and _are_texts(content):
            return Work(content, None, options, several=True)
        case {"tokens": list(rows), **others} if not others and all(map(_are_texts, rows)):
            return Work([""], rows, options)
    what = 'the JSON object needs either "text" or "tokens"'
    remedy = '"text" is a text or a list of texts; "tokens" is a list of lists of words.'
    raise SennaError(what, remedy=remedy)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _json_of(body: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:  # RecursionError: it is nested too deeply
        raise SennaError(f"not valid JSON: {error}", where="request") from None
    if not isinstance(value, dict):
        raise SennaError("a JSON object is expected", where="request")
    return value


def view_of_page(request: Request, body: str) -> Work:
    """The parsed request of the page."""
    fields = _json_of(body)
    view, text = fields.get("view", "names"), fields.get("text", "")
    model, other, width = fields.get("model", PACKAGE), fields.get("other", ""), fields.get("width")
    if not _are_texts([text, model, other]):
        raise SennaError("text, model and other are texts", where="request")
    known_value("view", view, VIEWS)
    width = min(max(NARROWEST, width), WIDEST) if isinstance(width, (int, float)) else WIDTH
    return Work([text], None, {"model": model}, view=view, width=width, other=other)


def media_type(work: Work) -> str:
    """The type of content of an answer."""
    kinds = MEDIA.get("html" if work.view else work.options["format"], ("text/plain",))
    return kinds[0] if kinds[0].startswith("application/") else f"{kinds[0]}; charset=utf-8"
