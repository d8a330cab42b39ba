"""Parses stacks as V8 writes them, with frames such as `at Router.get [as handle] (/app/server.js:12:5)`."""

from __future__ import annotations

import re
from typing import Final

from wimble.runtimes.runtime import Frame, StackFormat

_FRAME = re.compile(
    r"\s*at (?:async )?(?:new )?(?:(?P<name>.+?) \()?(?P<file>[^()\s][^()]*?):(?P<line>\d+):\d+\)?\s*\Z"
)


def frames(stack: str) -> list[Frame]:
    """Returns the frames of a stack; other lines, such as the message, are ignored."""
    found = (_FRAME.match(line) for line in stack.splitlines())
    return [Frame(_own_name(frame["name"] or ""), frame["file"], int(frame["line"])) for frame in found if frame]


def _own_name(name: str) -> str:
    """Returns the name without its object and alias: `fail` for `Object.fail [as refuse]`."""
    return name.partition(" [as ")[0].rpartition(".")[2]


def is_raise(statement: str) -> bool:
    return statement.startswith("throw")


V8_STACKS: Final = StackFormat(frames=frames, is_raise=is_raise)
