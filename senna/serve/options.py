"""The options of tagging that requests have: their names, types and choices.

None of them names a file; a model is one of those that are published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from senna.errors import SennaError
from senna.reading.formats import INPUTS
from senna.tasks import TASKS
from senna.text import CONVENTIONS, LINE_BREAKS, SPLITS
from senna.text.schemes import SCHEMES
from senna.writing import FORMATS

JSON = "json"  # the format of an answer where none is asked for
# By format, the types of content that it is; the first is that of an answer.
MEDIA = {
    JSON: ("application/json",),
    "jsonl": ("application/x-ndjson", "application/jsonl"),
    "html": ("text/html",),
    "columns": ("text/plain", "text/tab-separated-values"),
}
ANSWERS = (JSON, *(name for name in FORMATS if name != "svg"))  # svg: a file per sentence


class Option(NamedTuple):
    """An option of a request: its type and its help; `where` "body": not in an address."""

    name: str
    kind: type
    about: str
    default: Any = None
    choices: tuple[str, ...] = ()
    where: str = "query"

    @property
    def schema(self) -> dict[str, Any]:
        """Its schema for OpenAPI."""
        types = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array"}
        schema: dict[str, Any] = {"type": types.get(self.kind, "object")}
        if self.kind is list:
            schema["items"] = {"type": "string", "enum": list(self.choices)}
        elif self.choices:
            schema["enum"] = list(self.choices)
        if self.kind is dict:
            schema["additionalProperties"] = {"type": "array", "items": {"type": "string"}}
        if self.default is not None:
            schema["default"] = self.default
        return {**schema, "description": self.about}


_LIST = (
    Option("tasks", list, "The tasks.", choices=(*TASKS, "all")),
    Option("model", str, "A published model.", "senna"),
    Option("format", str, "The format of the answer.", JSON, ANSWERS),
    Option("input", str, "What the text is.", "text", tuple(n for n in INPUTS if n != "parquet")),
    Option("column", str, "For csv: the column with the text.", "text"),
    Option("scheme", str, "How phrases are written in columns.", None, tuple(SCHEMES)),
    Option("offsets", bool, "Adds each token's start and end to columns.", False),
    Option("convention", str, "How words are cut.", "modern", tuple(CONVENTIONS)),
    Option("line_breaks", str, "What a single line break is.", "auto", tuple(LINE_BREAKS)),
    Option("unit", str, "What gets one label.", "sentence", tuple(SPLITS)),
    Option("predicates", str, "How predicates are found.", "auto", ("auto", "pos")),
    Option("scores", bool, "Adds probabilities.", False),
    Option("n_best", int, "How many taggings are given, from 1 to 100.", 1),
    Option("min_confidence", float, "Leaves out phrases that are less probable.", 0.0),
    Option("gazetteer", dict, "Phrases by type that the model knows.", None, where="body"),
    Option("force", bool, "Phrases of the gazetteer are always names.", False),
    Option("memory", bool, "A document's names help to see them again.", None),
)
OPTIONS = {option.name: option for option in _LIST}
READING = [  # those that say how text is read and tagged, not how answers are written
    name for name in OPTIONS if name not in ("model", "format", "scheme", "offsets")
]


def from_address(pairs: Mapping[str, str]) -> dict[str, Any]:
    """The options of an address; SennaError for what is none."""
    return {name: _parsed(_known(name), text) for name, text in pairs.items()}


def from_body(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a JSON object, null left out; SennaError for what is none."""
    return {
        name: _checked(_known(name), value) for name, value in values.items() if value is not None
    }


def _known(name: str) -> Option:
    if name not in OPTIONS:
        near = get_close_matches(name, OPTIONS, 1)
        mend = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(OPTIONS)}."
        raise SennaError(f"unknown option {name!r}", mend=mend)
    return OPTIONS[name]


def _parsed(option: Option, text: str) -> Any:
    """The value of an option that is written as text."""
    value: Any = text
    if option.kind is list:
        value = [part.strip() for part in text.split(",") if part.strip()]
    elif option.kind is bool:
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
        value = float(value)
    if type(value) is not option.kind:
        kind = option.schema["type"]
        raise SennaError(f"{value!r:.80}, expected the type {kind}", where=option.name)
    lists = [value] if option.kind is list else [*value.values()] if isinstance(value, dict) else []
    for parts in lists:
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise SennaError("a list of texts is expected", where=option.name)
    if option.choices and option.kind is str and value not in option.choices:
        mend = f"Choose {', '.join(option.choices)}."
        raise SennaError(f"{value!r:.80} is not known", where=option.name, mend=mend)
    return value
