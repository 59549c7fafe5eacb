"""`senna serve`: a page to try text on, and the same over HTTP for programs.

`server` starts uvicorn's processes. In each, `app` answers requests and `tagging` tags their texts;
`views` draws what the page shows.
"""

from __future__ import annotations

from senna.registry import COMMANDS

COMMANDS.add(serve="senna.serve.cli")
