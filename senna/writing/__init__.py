"""Formats to write what is found in, one a module; `senna.writing.output` has their table."""
