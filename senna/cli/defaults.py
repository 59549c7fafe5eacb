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
from pathlib import Path
from typing import Any

from senna.errors import SennaError

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


def defaults_for(command: Any, context: Any) -> dict[str, Any]:
    """The defaults of a command's options, by parameter.

    Raises SennaError for a name that is not an option, and for a value that an option refuses.
    """
    file = defaults_file() if command.name in COMMANDS else ""
    if not file:
        return {}
    from senna.toml import read_table

    tables = read_table(Path(file))
    for name in tables:
        if name not in COMMANDS or not isinstance(tables[name], dict):
            mend = f"Write the options of a command below [{COMMANDS[0]}]."
            raise SennaError(f"{name!r} is not a command with defaults", where=file, mend=mend)
    known = {
        option.removeprefix("--"): param
        for param in command.params
        if param.param_type_name == "option"
        for option in param.opts
        if option.startswith("--")
    }
    defaults = {}
    for name, value in tables.get(command.name, {}).items():
        where = f"{file}: {command.name}.{name}"
        if name not in known:
            raise SennaError("unknown option", where=where, mend=f"Known: {', '.join(known)}.")
        param = known[name]
        defaults[param.name] = _checked(param, context, value, where)
    return defaults


def _checked(param: Any, context: Any, value: Any, where: str) -> Any:
    """A value as it would stand on the command line, if the option takes it."""
    if param.is_flag != isinstance(value, bool) or isinstance(value, dict):
        expected = "true or false" if param.is_flag else "a text or a number"
        raise SennaError(f"{value!r}, expected {expected}", where=where)
    each = [str(one) for one in (value if isinstance(value, list) else [value])]
    from typer import BadParameter

    given = value if param.is_flag else each if param.multiple else ",".join(each)
    try:
        param.process_value(context, given)
    except BadParameter as error:
        raise SennaError(error.message, where=where) from None
    return given
