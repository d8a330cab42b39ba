"""Which headers of answers the document describes: those that tell a client something, not those of servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from wimble.describe.call_records import AnswerRecord, OperationRecord
from wimble.describe.shape_schemas import Schema, SchemaMaker
from wimble.types import Json

_KNOWN: Final = {
    "location": ("Where the result is", {"type": "string", "format": "uri-reference"}),
    "retry-after": ("When to try again", {"type": "string"}),
    "link": ("Other pages", {"type": "string"}),
    "www-authenticate": ("How to authenticate", {"type": "string"}),
    "set-cookie": ("A cookie to send with later calls", {"type": "string"}),
    "content-disposition": ("The name of the file", {"type": "string"}),
    "allow": ("The methods that are allowed", {"type": "string"}),
}  # fmt: skip
"""Headers that are described wherever they occur, by name in lower case."""
COMMON_SHARE: Final = 0.8
"""Share of the operations that send a header with all answers, if it comes from middleware."""
_LIMITS: Final = ("ratelimit", "x-ratelimit", "x-rate-limit")
_OF_SERVERS: Final = frozenset(
    [
        "x-powered-by", "x-request-id", "x-correlation-id", "x-response-time", "x-content-type-options",
        "x-frame-options", "x-xss-protection", "x-dns-prefetch-control", "x-download-options",
        "x-permitted-cross-domain-policies", "x-robots-tag",
    ]
)  # fmt: skip


def common_headers(records: Iterable[OperationRecord]) -> frozenset[str]:
    """Returns the names of headers that most operations always send, which come from middleware or the server."""
    counts: Counter[str] = Counter()
    n_operations = 0
    for record in records:
        answers = [answer for answer in record.answers.values() if answer.n_examined]
        if not answers:
            continue
        n_operations += 1
        counts.update(
            frozenset.intersection(
                *(
                    frozenset(name for name, shape in answer.headers.items() if shape.n_values == answer.n_examined)
                    for answer in answers
                )
            )
        )
    if n_operations < 2:
        return frozenset()
    return frozenset(name for name, count in counts.items() if count >= COMMON_SHARE * n_operations)


def header_objects(answer: AnswerRecord, common: frozenset[str], maker: SchemaMaker) -> dict[str, Json]:
    """Returns the Header Objects of the answers of one status, by name."""
    found: dict[str, Json] = {}
    for name, shape in sorted(answer.headers.items()):
        described: Schema | None = None
        if name in common and name != "location":
            continue
        if name in _KNOWN:
            text, schema = _KNOWN[name]
            described = {"description": text, "schema": schema}
        elif name.startswith(_LIMITS) or (name.startswith("x-") and name not in _OF_SERVERS):
            described = {"schema": maker.member_schema(name, shape)}
        if described is not None:
            found[shown_name(name)] = described
    return found


def shown_name(name: str) -> str:
    """Returns a header's name as it is usually written: `Retry-After`."""
    if name == "www-authenticate":
        return "WWW-Authenticate"
    return "-".join(part[:1].upper() + part[1:] for part in name.split("-"))
