"""Messages between a server and its workers: pickles with their length before them.

Both ends are processes of this program; nothing from a request is ever unpickled.
"""

from __future__ import annotations

import pickle
import struct
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:  # a worker has no use for asyncio, which takes 6 MB
    import asyncio

LENGTH = struct.Struct(">I")


def packed(message: Any) -> bytes:
    """A message as bytes."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


def read(stream: BinaryIO) -> Any:
    """The next message; EOFError at the end."""
    return pickle.loads(_exactly(stream, LENGTH.unpack(_exactly(stream, LENGTH.size))[0]))


async def receive(stream: asyncio.StreamReader) -> Any:
    """The next message; IncompleteReadError at the end."""
    [length] = LENGTH.unpack(await stream.readexactly(LENGTH.size))
    return pickle.loads(await stream.readexactly(length))


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
