"""The options of tagging that requests have: their names, types and choices.

None of them names a file; a model is one of those that are published.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from senna.errors import SennaError
from senna.formats import FORMATS, INPUTS, NOT_TEXT
from senna.formats.base import input_of
from senna.options import Option, options_of, unknown
from senna.pipeline.options import Conversion, Reading
from senna.serve.work import PACKAGE
from senna.tasks import TASKS

JSON = "json"  # the format of an answer where none is asked for
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
ANSWERS = (
    JSON,
    *(name for name in FORMATS if name not in NOT_TEXT),
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
        "predicates": {"choices": [name for name in finders if name != "given"], "file": False},
        "input": {"choices": inputs, "default": "text", "help": "The format of the text."},
        "format": {"choices": ANSWERS, "default": JSON},
        "gazetteer": {"kind": dict, "help": "Phrases by type.", "file": False},
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
        mend = f"Choose {', '.join(option.choices)}."
        raise SennaError(f"{value!r:.80} is not known", where=option.name, mend=mend)
    return value
