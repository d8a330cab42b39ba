"""Values that a person would write for inputs and members by their names, and how many values of a call are others."""

from __future__ import annotations

from typing import Final

from wimble.describe.operation_names import words_of
from wimble.describe.readability import LEAF, roughness
from wimble.describe.secret_names import is_secret_name
from wimble.model.resource_names import singular
from wimble.types import Json

SMALL_NUMBER: Final = 1

_BY_WORD: Final = {
    "email": "ada@example.com", "mail": "ada@example.com", "phone": "+44 20 7946 0000", "mobile": "+44 20 7946 0000",
    "url": "https://example.com", "uri": "https://example.com", "link": "https://example.com",
    "website": "https://example.com", "homepage": "https://example.com", "image": "https://example.com/image.png",
    "username": "ada", "nickname": "ada", "login": "ada", "user": "ada", "author": "Ada Lovelace",
    "owner": "Ada Lovelace", "firstname": "Ada", "lastname": "Lovelace", "surname": "Lovelace",
    "fullname": "Ada Lovelace", "city": "London", "town": "London", "street": "1 High Street",
    "address": "1 High Street", "zip": "12345", "postcode": "12345", "country": "GB", "currency": "EUR",
    "language": "en", "locale": "en", "date": "2026-01-31", "day": "2026-01-31", "birthday": "1990-12-10",
    "color": "red", "colour": "red", "company": "Example Ltd", "title": "A title", "name": "A name",
    "description": "A short description", "summary": "A short summary", "comment": "A short comment",
    "message": "A short message", "note": "A short note", "notes": "A short note", "text": "A short text",
    "body": "A short text", "content": "A short text",
}  # fmt: skip
"""The last word of a name (or all of them), to what a person would write there."""


def readable_value(value: Json, name: str) -> Json:
    """Returns a value of the same type that a person would write in a member of this name."""
    if isinstance(value, str):
        return readable_text(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return SMALL_NUMBER if roughness(value) > LEAF else value
    if isinstance(value, dict):
        return {key: readable_value(member, key) for key, member in value.items()}
    if isinstance(value, list):
        return [readable_value(element, name) for element in value]
    return value


def readable_text(name: str) -> str:
    """Returns a text for a member of this name."""
    words = words_of(name)
    known = _BY_WORD.get("".join(words)) or (_BY_WORD.get(words[-1]) if words else None)
    return known or " ".join(words) or "example"


def n_unusual_texts(value: Json, name: str) -> int:
    """Returns how many texts are none that a person would write under this name, as texts are that a search made up.

    Whether a text is a word of a language cannot be told by its letters.
    """
    if isinstance(value, str):
        return int(not is_secret_name(name) and value not in (readable_text(name), readable_text(singular(name))))
    if isinstance(value, dict):
        return sum(n_unusual_texts(member, key) for key, member in value.items())
    if isinstance(value, list):
        return sum(n_unusual_texts(element, name) for element in value)
    return 0
