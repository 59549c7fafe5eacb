"""A server in a process of its own, one for all tests that need no other."""

from __future__ import annotations

import atexit
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.processes import ENVIRONMENT

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")

# One client for all: to make one takes longer than most answers.
http = httpx.Client(verify=False, trust_env=False, timeout=60)
atexit.register(http.close)
PROCESSES: dict[str, int] = {}  # of servers, by address
NAME = "<script>alert(1)</script>"  # of a published model


def start(*options: str, limit: int = 0) -> tuple[subprocess.Popen[str], str]:
    """A server and its address; `limit`: how many files it may open, if not 0."""
    command = [sys.executable, "-m", "senna", "serve", "--port", "0", *options]
    if limit:
        command = ["sh", "-c", f'ulimit -n {limit} && exec "$@"', "sh", *command]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """The address of a server."""
    process, address = start("--quiet", *options)
    PROCESSES[address] = process.pid
    try:
        assert address, process.stderr and process.stderr.read()
        http.get(f"{address}/health")
        yield address
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=20)
        assert errors == ""


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A server with the package's models, one of them also under a name that is HTML."""
    with serving("--model", f"{NAME}=ner") as address:
        yield address
