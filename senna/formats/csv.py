"""Phrases and roles as CSV, with the columns of `senna.formats.spans`."""

from __future__ import annotations

from senna.formats.base import Format
from senna.formats.spans import has_spans, names, quoted, write_csv

FORMAT = Format(
    write_csv, tasks=("ner",), shows=has_spans, head=lambda style: quoted(iter([names(style)]))
)
