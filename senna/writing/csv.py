"""Phrases and roles as CSV, with the columns of `senna.writing.spans`."""

from __future__ import annotations

from senna.writing.output import Format
from senna.writing.spans import names, quoted, write_csv

FORMAT = Format(write_csv, tasks=("ner",), head=lambda style: quoted(iter([names(style)])))
