"""Which other packages the statement of a library calls: if it takes long, it is likely one of them that does."""

from __future__ import annotations

import linecache
import re
from typing import Final

from wimble.model.observation import Cause

_LOADED: Final = re.compile(
    r"(?:(?:const|let|var)\s+(?P<required>[\w$]+|\{[^}]*\})\s*=\s*require\(\s*(['\"])(?P<package>[^.'\"][^'\"]*)\2"
    r"|import\s+(?P<imported>[^;'\"]+?)\s+from\s*(['\"])(?P<from>[^.'\"][^'\"]*)\5)"
)
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*(?!\s*:|\s+as\b)(?![\w$])")
"""What a loaded name is called in the file: `b` of `{ a: b }`, and of `{ a as b }`."""
_CALLED: Final = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*)(?:\.[\w$]+)*\s*\(")


def called_packages(cause: Cause) -> frozenset[str]:
    """Returns the names of the packages whose functions the statement calls by names that its file has loaded."""
    if not cause.file:
        return frozenset()
    package_of: dict[str, str] = {}
    for loaded in _LOADED.finditer("".join(linecache.getlines(cause.file))):
        package = loaded["package"] or loaded["from"]
        package_of |= dict.fromkeys(_NAME.findall(loaded["required"] or loaded["imported"]), package)
    called = _CALLED.findall(linecache.getline(cause.file, cause.line))
    return frozenset(package_of[name] for name in called if name in package_of)
