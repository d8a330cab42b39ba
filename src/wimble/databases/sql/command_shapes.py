"""The shape of a command: its text without the values that some ORMs (Sequelize, MikroORM) and drivers write into it.

Shapes are computed with regular expressions and not with the parser, since they are needed for every command, also
before the parser is imported.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORDS = re.compile(
    r"""(?P<kept>"(?:""|[^"])*"|`[^`]*`|\[[^\]]*\]|[$:@?]\w+|[A-Za-z_][\w$]*(?!['\w$]))"""
    r"""|(?P<value>(?:\b[A-Za-z_]+)?'(?:''|\\.|[^'\\])*'|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|\s+""",
    re.DOTALL,
)
_LISTS = re.compile(r"\?(?:, ?\?)+")


@lru_cache(maxsize=4096)
def shape_of(text: str) -> str:
    """Returns the shape of a command in one line, with `?` for each literal and for each list of placeholders."""
    return _LISTS.sub("?", _WORDS.sub(_shown, text)).strip()


def _shown(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match[0]
    return "?" if match["value"] is not None else " "
