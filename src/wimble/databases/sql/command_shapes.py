"""The shape of a command: its text without values, which some ORMs (Sequelize, MikroORM) and drivers write into it.

Uses regular expressions instead of the parser: it is called for every command, also before the parser is imported.
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
    """In one line; `?` stands for each literal, and for a list of them."""
    return _LISTS.sub("?", _WORDS.sub(_shown, text)).strip()


def _shown(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match[0]
    return "?" if match["value"] is not None else " "
