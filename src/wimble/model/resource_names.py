"""Resources by their names: nouns in places, and what the names of inputs and fields point at."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Place: TypeAlias = tuple[str, ...]
"""What an operation acts on, from the outside in: singular, lower-case nouns, and `{}` for one of a collection; so `/pet/{id}` and
`/pets/{petId}` agree."""
ONE: Final = "{}"

CREATING_WORDS: Final = frozenset({"create", "new", "add", "register", "signup"})
"""Last words behind a collection that make an operation a creator: `POST /users/register`."""
_ID_SUFFIX: Final = re.compile(r"^(?P<stem>.+?)[_-]?(?:id|Id|ID|uuid|Uuid|UUID|key|Key|slug|Slug)$")


def singular(word: str) -> str:
    """A cheap English singular, lower case; only has to map the same noun to the same text."""
    word = word.lower()
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plain_name(name: str) -> str:
    """A field's name without case and separators: `user_id`, `userId` and `User-ID` are one."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def named_resource(name: str) -> str | None:
    """`bookId`, `book_id`, `book-uuid` -> `book`; None for a name that points at no resource, such as `id`."""
    match = _ID_SUFFIX.match(name)
    return singular(match["stem"].split(".")[-1]) if match else None


def noun_of(place: Place) -> str:
    """The last noun of a place; empty where it has none."""
    nouns = [part for part in place if part != ONE and part not in CREATING_WORDS]
    return nouns[-1] if nouns else ""
