"""`senna serve`: a page to try text on, and the same over HTTP for programs.

`server` starts it: `app` answers requests, `workers` hands what waits to processes, each of which
runs `tagging`. `views` draws what the page shows.
"""

from __future__ import annotations

from senna.registry import COMMANDS

COMMANDS.add(serve="senna.serve.cli")
