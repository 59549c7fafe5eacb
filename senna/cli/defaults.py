"""A user's own defaults for the options of a command, in a TOML file: one table per command.

    [tag]
    task = "pos,ner"
    jobs = 2

It is the file that $SENNA_CONFIG names (none, where that is empty), else senna/config.toml in
$XDG_CONFIG_HOME or ~/.config (in Windows %APPDATA%), if there is one.
"""

from __future__ import annotations

import os
import sys

COMMANDS = ("tag",)  # that may have them


def defaults_file() -> str:
    """The user's file; "" if there is none."""
    named = os.environ.get("SENNA_CONFIG")
    if named is not None:
        return named
    if sys.platform == "win32":
        home = os.environ.get("APPDATA", "")
    else:
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    path = os.path.join(home, "senna", "config.toml")
    return path if os.path.isfile(path) else ""
