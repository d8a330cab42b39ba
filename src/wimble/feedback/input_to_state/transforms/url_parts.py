"""Optional parts that a URL lacks: `url.port === "8443"`, `url.hash`, `url.search`, `url.username`.

JavaScript reads each missing part as an empty text. Parts that are present are handled as parts of the text
(text_transforms.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wimble.feedback.input_to_state.transforms.transform import GUESS_COST, NOTHING, Inverse, Nothing, Step
from wimble.model.operands import Operand
from wimble.types import Json

_URL = re.compile(
    r"(?P<start>[a-z][a-z0-9+.-]*://)(?P<user>[^/?#@]*@)?(?P<host>[^/?#:@]*)(?P<port>:\d*)?"
    r"(?P<path>[^?#]*)(?P<search>\?[^#]*)?(?P<hash>#.*)?",
    re.IGNORECASE | re.DOTALL,
)
_WANTED = {
    "port": re.compile(r"\d{1,5}"),
    "search": re.compile(r"\?.+", re.DOTALL),
    "hash": re.compile(r"#.+", re.DOTALL),
    "user": re.compile(r"[^/?#@:]+"),
}
_ORDER = ("start", "user", "host", "port", "path", "search", "hash")


def missing_url_part(own: Json, operand: Operand) -> Iterator[Step]:
    """The operand is empty, and the input is a URL without that part."""
    found = _URL.fullmatch(own) if operand == "" and isinstance(own, str) else None
    if found is None or not found["host"]:
        return
    for name in _WANTED:
        if not found[name]:
            yield Step(GUESS_COST, f"the {name} of a URL, left out so far", _with_part(found, name))


def _with_part(found: re.Match[str], name: str) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if not isinstance(wanted, str) or _WANTED[name].fullmatch(wanted) is None:
            return NOTHING
        text = {"port": f":{wanted}", "user": f"{wanted}@"}.get(name, wanted)
        return "".join(text if part == name else found[part] or "" for part in _ORDER)

    return inverse
