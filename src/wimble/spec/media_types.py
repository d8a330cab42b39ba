"""Media types: reading them, and which of several a request uses."""

from __future__ import annotations

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
TEXT = "text/plain"


def bare(media_type: str) -> str:
    """Lower case, without parameters."""
    return media_type.split(";", 1)[0].strip().lower()


def is_json(media_type: str) -> bool:
    return media_type in (JSON, "text/json") or media_type.endswith("+json")


def concrete(media_type: str) -> str:
    """A media type to send where the document gives a range."""
    ranges = {"*/*": JSON, "*": JSON, "application/*": JSON, "text/*": TEXT, "multipart/*": MULTIPART}
    return ranges.get(media_type, media_type)


def preference(media_type: str) -> int:
    """Lower is better; what can be built in structure comes first. 9: cannot be written at all."""
    if media_type == JSON:
        return 0
    if is_json(media_type):
        return 1
    if media_type in (FORM, MULTIPART):
        return 2 if media_type == FORM else 3
    if media_type.startswith("text/") and not media_type.endswith("xml"):
        return 4
    if media_type.endswith(("/xml", "+xml")):
        return 9
    return 5
