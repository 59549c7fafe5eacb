"""Public corpora: a catalogue of them, their download, and one converter per source format."""

from senna.corpora.store import find, get, locate, split_file

__all__ = ["find", "get", "locate", "split_file"]
