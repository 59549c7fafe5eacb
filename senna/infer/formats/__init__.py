"""Formats to write what is found in, one a module; `senna.infer.output` has their table."""
