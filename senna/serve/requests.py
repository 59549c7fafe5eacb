"""Requests of HTTP as `Work`: their bodies, options and formats.

No option names a file; a model is one of those that are published.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request

from senna.errors import SennaError
from senna.pipeline.format import input_of
from senna.pipeline.options import Conversion, Reading
from senna.registry import FORMATS, INPUTS
from senna.serve.settings import PACKAGE
from senna.serve.views import VIEWS
from senna.settings import Option, options_of, unknown
from senna.tasks import TASKS

JSON = "json"  # the format of an answer where none is asked for
WIDEST = 4_000  # pixels of a drawing
ENCODINGS = ("utf-8", "utf8", "us-ascii")  # that a request may declare


class RefusedError(Exception):
    """A request that is not answered: the status of HTTP and the reason, on one line."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Work:
    """A request: texts, or the words of sentences, and options of tagging.

    `several`: the answer is one of a list of texts. `view`: drawings for the page in place of a
    format, `width` pixels wide; `other` is the model that is compared.
    """

    texts: list[str] = field(default_factory=list)
    tokens: list[list[str]] | None = None  # in place of a text, which is empty
    options: dict[str, Any] = field(default_factory=dict)
    several: bool = False
    view: str = ""
    width: float = 0
    other: str = ""


async def body_of(request: Request, most: int) -> str:
    """The text of a body; RefusedError if it has more than `most` bytes or is not UTF-8."""
    coding = request.headers.get("content-encoding", "identity")
    if coding.lower() != "identity":
        raise RefusedError(415, f"content-encoding {coding!r:.40} is not read. Send plain text.")
    charset = _charset(request.headers.get("content-type", ""))
    if charset.lower() not in ENCODINGS:
        raise RefusedError(415, f"charset {charset!r:.40} is not read. Send UTF-8.")
    declared = request.headers.get("content-length", "0")
    size = int(declared) if declared.isdigit() else 0
    data = bytearray()
    if size <= most:
        async for chunk in request.stream():
            data += chunk
            if len(data) > most:
                break
    if max(size, len(data)) > most:
        raise RefusedError(413, f"the request has more than {most} bytes. Send it in parts.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"request:{line}: not valid UTF-8 (byte 0x{data[error.start]:02x})."
        raise RefusedError(400, f"{what} Convert the text to UTF-8.") from None


def _charset(content_type: str) -> str:
    """The character encoding that a type of content declares; UTF-8 if it declares none."""
    parameters = (part.partition("=") for part in content_type.split(";")[1:])
    declared = [value for name, _, value in parameters if name.strip().lower() == "charset"]
    return declared[0].strip().strip("\"'") if declared else "utf-8"


def work_of(request: Request, body: str) -> Work:
    """The parsed request; RefusedError, or SennaError, if it is invalid."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    options = from_address(request.query_params.multi_items())
    options.setdefault("format", _accepted(request.headers.get("accept", "*/*")))
    if kind == "application/json":
        return _of_json(body, options)
    if kind not in ("text/plain", "text/html"):
        what = f"content of type {kind or 'unknown'!r:.60} is not read"
        raise RefusedError(415, f"{what}. Send text/plain, text/html or application/json.")
    if kind == "text/html":
        options.setdefault("input", "html")
    return Work([body], None, options)


def _accepted(header: str) -> str:
    """The format that a client accepts most gladly; RefusedError if there is none."""
    accepted = [_range(part) for part in header.split(",")]
    refused = {kind for kind, quality in accepted if not quality}
    for kind, quality in sorted(accepted, key=lambda one: -one[1]):
        for name, kinds in MEDIA.items() if quality else ():
            every = ("", "*/*", f"{kinds[0].partition('/')[0]}/*")
            if refused.isdisjoint(kinds) and (kind in kinds or kind in every):
                return name
    known = ", ".join(kinds[0] for kinds in MEDIA.values())
    raise RefusedError(406, f"no accepted type is known: {known}. Or name a format: ?format=conllu")


def _range(part: str) -> tuple[str, float]:
    """A media range of the header Accept, and its quality from 0 to 1."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    values = [text.partition("=")[2].strip() for text in parameters if text.startswith("q")]
    try:
        quality = float(values[0]) if values else 1.0
    except ValueError:
        quality = 1.0
    return kind, quality if 0 <= quality <= 1 else 1.0


def _of_json(body: str, options: dict[str, Any]) -> Work:
    value = json_of(body)
    given = {name: value.pop(name) for name in ("text", "tokens") if value.get(name) is not None}
    options |= from_body(value)
    if len(given) != 1:
        raise SennaError('the JSON object needs either "text" or "tokens"')
    if "tokens" in given:
        tokens = given["tokens"]
        if not isinstance(tokens, list) or not all(
            isinstance(words, list) and all(isinstance(word, str) for word in words)
            for words in tokens
        ):
            raise SennaError('"tokens" is a list of sentences, each a list of words')
        return Work([""], tokens, options)
    text = given["text"]
    if isinstance(text, str):
        return Work([text], None, options)
    if isinstance(text, list) and all(isinstance(one, str) for one in text):
        return Work(text, None, options, several=True)
    raise SennaError('"text" is a text or a list of texts')


def json_of(body: str) -> dict[str, Any]:
    """The JSON object of a body; SennaError if the body is not an object."""
    try:
        value = json.loads(body)
    except json.JSONDecodeError as error:
        raise SennaError(f"not valid JSON: {error.msg}", where=f"request:{error.lineno}") from None
    except RecursionError:
        raise SennaError("the JSON is nested too deeply", where="request") from None
    except ValueError:  # a number of many digits
        raise SennaError("not valid JSON: a number is too long", where="request") from None
    if not isinstance(value, dict):
        raise SennaError("a JSON object is expected", where="request")
    return value


def view_of_page(request: Request, body: str) -> Work:
    """The parsed request of the page, or of its form."""
    if request.headers.get("content-type", "").startswith("application/json"):
        fields = json_of(body)
    else:
        try:
            parsed = parse_qs(body, keep_blank_values=True, max_num_fields=20)
        except ValueError as error:
            raise SennaError(f"no form: {error}", where="request") from None
        fields = {name: values[-1] for name, values in parsed.items()}
    view, text = fields.get("view", "names"), fields.get("text", "")
    model, other = fields.get("model") or "senna", fields.get("other") or ""
    if not all(isinstance(one, str) for one in (text, model, other)):
        raise SennaError("text, model and other are texts", where="request")
    if not isinstance(view, str) or view not in VIEWS:
        raise SennaError(f"unknown view {view!r:.60}", remedy=f"Known: {', '.join(VIEWS)}.")
    try:
        width = min(float(fields.get("width") or 0), WIDEST)
    except (TypeError, ValueError, OverflowError):
        raise SennaError("the width is not a number") from None
    if not width >= 0:
        width = 0
    return Work([text], None, {"model": model}, view=view, width=width, other=other)


def media_type(work: Work) -> str:
    """The type of content of an answer."""
    kinds = MEDIA.get("html" if work.view else work.options["format"], ("text/plain",))
    return kinds[0] if kinds[0].startswith("application/") else f"{kinds[0]}; charset=utf-8"


# --------------------------------------------------------------------------- options

# By format, the types of content that it is; the first is that of an answer.
MEDIA = {
    JSON: ("application/json",),
    "jsonl": ("application/x-ndjson", "application/jsonl"),
    "html": ("text/html",),
    "columns": ("text/plain",),
    "spans": ("text/tab-separated-values",),
    "csv": ("text/csv",),
}
# The types of options, as JSON names them.
KINDS = {
    str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object",
}  # fmt: skip
PHRASES = 'Phrases that are likely names, by type: {"PER": ["Ann Lee"]}. Only in JSON.'
ANSWERS = (
    JSON,
    *(name for name in FORMATS if FORMATS[name].is_text),
)


def _options() -> Iterator[Option]:
    """The options of `Conversion` as requests have them."""
    finders = options_of(Reading)["predicates"].choices
    inputs = [name for name in INPUTS if input_of(name).cut]
    changes: dict[str, dict[str, Any]] = {
        "tasks": {"kind": list, "choices": (*TASKS, "all"), "help": "The tasks."},
        "model": {
            "kind": str,
            "help": "The name of a published model.",
            "default": PACKAGE,
            "file": False,
        },
        "predicates": {
            "choices": [name for name in finders if name != "given"],
            "help": "How the predicates of srl are found: auto, by a model; pos, by parts of "
            "speech.",
            "file": False,
        },
        "input": {"choices": inputs, "default": "text", "help": "The format of the text."},
        "format": {"choices": ANSWERS, "default": JSON, "help": "The format of the answer."},
        "gazetteer": {"kind": dict, "help": PHRASES, "file": False},
    }
    for name, known in options_of(Conversion).items():
        option = known._replace(**changes.get(name, {}))
        if not option.file and name != "errors":  # a request is UTF-8
            yield option


OPTIONS = {option.name: option for option in _options()}


def from_address(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The options of an address, lists also one value at a time; SennaError for anything else."""
    texts: dict[str, str] = {}
    for name, text in pairs:
        if name in texts and _known(name).kind is not list:
            raise SennaError("the option is given twice", where=name)
        texts[name] = f"{texts[name]},{text}" if name in texts else text
    return {name: _parsed(_known(name), text) for name, text in texts.items()}


def from_body(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a JSON object, null left out; SennaError for anything else."""
    return {
        name: _checked(_known(name), value) for name, value in values.items() if value is not None
    }


def _known(name: str) -> Option:
    if name not in OPTIONS:
        raise unknown(name, OPTIONS)
    return OPTIONS[name]


def _parsed(option: Option, text: str) -> Any:
    """The value of an option that is written as text."""
    value: Any = text
    if option.kind is bool:
        value = {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    elif option.kind in (int, float):
        try:
            value = option.kind(text)
        except ValueError:
            value = text
    return _checked(option, value)


def _checked(option: Option, value: Any) -> Any:
    lists: Iterable[Any]
    if option.kind is list and isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if option.kind is float and type(value) is int:
        value = float(str(value))  # one of 400 digits is infinite, where float(value) would raise
    if type(value) is not option.kind:
        raise SennaError(
            f"{value!r:.80}, expected the type {KINDS[option.kind]}", where=option.name
        )
    lists = [value] if option.kind is list else [*value.values()] if isinstance(value, dict) else []
    for parts in lists:
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise SennaError("a list of texts is expected", where=option.name)
    if option.choices and option.kind is str and value not in option.choices:
        remedy = f"Choose {', '.join(option.choices)}."
        raise SennaError(f"{value!r:.80} is not known", where=option.name, remedy=remedy)
    return value
