"""Classifies media types, and ranks those that a request could use."""

from __future__ import annotations

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
TEXT = "text/plain"


def bare(media_type: str) -> str:
    """Returns the media type in lower case, without parameters."""
    return media_type.split(";", 1)[0].strip().lower()


def is_json(media_type: str) -> bool:
    return media_type in (JSON, "text/json") or media_type.endswith("+json")


def concrete(media_type: str) -> str:
    """Returns a media type that can be sent; for a range, a common member of it."""
    ranges = {"*/*": JSON, "*": JSON, "application/*": JSON, "text/*": TEXT, "multipart/*": MULTIPART}
    return ranges.get(media_type, media_type)


YAML = frozenset(["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"])
SEQUENCES = frozenset(
    [
        "application/jsonl",
        "application/x-ndjson",
        "application/ndjson",
        "application/x-jsonlines",
        "application/json-seq",
    ]
)
JSON_PATCH = "application/json-patch+json"


def is_xml(media_type: str) -> bool:
    return media_type.endswith(("/xml", "+xml"))


def is_structured(media_type: str) -> bool:
    """Whether objects and arrays can be written in it. YAML qualifies, since JSON text is also YAML."""
    return (
        is_json(media_type)
        or media_type in (FORM, MULTIPART)
        or is_xml(media_type)
        or media_type in YAML
        or media_type in SEQUENCES
    )


def preference(media_type: str) -> int:
    """Returns a rank, 0 (best) to 6. Types that most programs read rank first."""
    if media_type == JSON:
        return 0
    if is_json(media_type):
        return 1
    if media_type in (FORM, MULTIPART):
        return 2 if media_type == FORM else 3
    if is_structured(media_type):
        return 4
    return 5 if media_type.startswith("text/") else 6
