"""The texts of the helper files in `runtime/`, with parts filled in."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


def filled(name: str, settings: list[str], part: str = "settings") -> str:
    """Returns the file with the lines between `<settings>` and `</settings>`, or another part, replaced."""
    text = runtime_text(name)
    pattern = re.compile(rf"(?P<first>^\S+ <{part}>\n).*?(?P<last>^\S+ </{part}>\n)", re.DOTALL | re.MULTILINE)
    return pattern.sub(lambda match: match["first"] + "\n".join(settings) + "\n" + match["last"], text, count=1)


@cache
def runtime_text(name: str) -> str:
    """Returns the text of a helper file."""
    return (files("wimble.emit") / "runtime" / name).read_text(encoding="utf-8")
