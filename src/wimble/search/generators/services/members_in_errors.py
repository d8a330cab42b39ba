"""Members of answers that errors of client libraries name, since nobody sees what these libraries read.

"API response does not have a well-formed `data` array", 'missing required parameter "token_type"'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from wimble.model.hints import InputHint, Use
from wimble.model.observation import Observation
from wimble.types import TargetId

MAX_NAMES: Final = 4
"""Names in one message that are tried."""
_NAMED: Final = re.compile(r"""([`'"])(?P<path>[A-Za-z_$][\w$-]{0,39}(?:\.[A-Za-z_$][\w$-]{0,39}){0,3})\1""")
_OF_ENGINE: Final = re.compile(
    r"Cannot |Unexpected |Invalid (?:URL|time|array|Date)|.* is not (?:a function|iterable|defined)|connect |getaddr"
)
"""How messages of the engine begin: what they name was read by the program itself, or is no member."""
_USES: Final[tuple[tuple[re.Pattern[str], Use], ...]] = (
    (re.compile(r"\b(?:array|list)\b", re.IGNORECASE), "list"),
    (re.compile(r"\b(?:number|integer|numeric)\b", re.IGNORECASE), "number"),
    (re.compile(r"\bboolean\b", re.IGNORECASE), "boolean"),
    (re.compile(r"\bobject\b", re.IGNORECASE), "object"),
    (re.compile(r"\bstring\b", re.IGNORECASE), "text"),
)


def named_by_errors(observations: Iterable[Observation]) -> Iterator[InputHint]:
    """Yields the members that the errors of calls name, as if the program had read them of an object without any.

    Whether the call has got an answer, and whether that lacks the member, is for the reader to see.
    """
    for observation in observations:
        if observation.cause is None or not (message := observation.cause.message):
            continue
        text = re.sub(r"^(?:\w*Error: )+", "", message)
        if _OF_ENGINE.match(text):
            continue
        uses: tuple[Use, ...] = tuple(use for word, use in _USES if word.search(text))
        for path in list(dict.fromkeys(one["path"] for one in _NAMED.finditer(text)))[:MAX_NAMES]:
            parts = tuple(path.split("."))
            yield InputHint(target=TargetId(0), call=observation.call_index, location="", path=parts, uses=uses)
