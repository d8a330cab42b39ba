"""Stacks as V8 writes them: `at Router.get [as handle] (/app/server.js:12:5)`."""

from __future__ import annotations

import re
from typing import Final

from wimble.runtimes.runtime import Frame, StackFormat

_FRAME = re.compile(
    r"\s*at (?:async )?(?:new )?(?:(?P<name>.+?) \()?(?P<file>[^()\s][^()]*?):(?P<line>\d+):\d+\)?\s*\Z"
)


def frames(stack: str) -> list[Frame]:
    """Lines that are no frames (the message) are passed over."""
    found = (_FRAME.match(line) for line in stack.splitlines())
    return [Frame(_own_name(frame["name"] or ""), frame["file"], int(frame["line"])) for frame in found if frame]


def _own_name(name: str) -> str:
    """`Object.fail [as refuse]` -> `fail`."""
    return name.partition(" [as ")[0].rpartition(".")[2]


def is_raise(statement: str) -> bool:
    return statement.startswith("throw")


V8_STACKS: Final = StackFormat(frames=frames, is_raise=is_raise)
