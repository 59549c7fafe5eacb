"""Phrases and roles as CSV, with the columns of `senna.formats.spans`."""

from __future__ import annotations

from senna.formats.base import Format
from senna.formats.spans import names, quoted, write_csv

FORMAT = Format(write_csv, tasks=("ner",), head=lambda style: quoted(iter([names(style)])))
