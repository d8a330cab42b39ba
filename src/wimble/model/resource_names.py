"""Derives resources from names: nouns in places, and the resources that names of inputs and fields refer to."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Place: TypeAlias = tuple[str, ...]
"""What an operation acts on, from the outermost collection to the innermost: nouns in singular and lower case, and `{}`
for one item of a collection. So `/pet/{id}` and `/pets/{petId}` have the same place."""
ONE: Final = "{}"

CREATING_WORDS: Final = frozenset({"create", "new", "add", "register", "signup"})
"""Words at the end of a path, after a collection, that make an operation a creator: `POST /users/register`."""
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ID_SUFFIX: Final = re.compile(r"^(?P<stem>.+?)[_-]?(?:id|Id|ID|uuid|Uuid|UUID|key|Key|slug|Slug)s?$")


def singular(word: str) -> str:
    """Returns an approximate English singular in lower case. It only has to map equal nouns to equal texts."""
    word = word.lower()
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plain_name(name: str) -> str:
    """Returns a field's name without case and separators: `user_id`, `userId` and `User-ID` become equal."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def words_in(text: str) -> list[str]:
    """Returns the words of a name in camelCase or snake_case, or of a sentence, in lower case."""
    return [word.lower() for word in _WORD.findall(text)]


def named_resource(name: str) -> str | None:
    """Returns `book` for `bookId`, `book_id`, `book-uuid` or `bookIds`; None for a name without a resource (`id`)."""
    match = _ID_SUFFIX.match(name)
    return singular(match["stem"].split(".")[-1]) if match else None


def named_nouns(name: str) -> list[str]:
    """Returns what a name such as `homeTeamId` may name, as plain names, most special first: `hometeam`, `team`."""
    match = _ID_SUFFIX.match(name)
    words = words_in(match["stem"].split(".")[-1]) if match else []
    return [plain_name("".join([*words[start:-1], singular(words[-1])])) for start in range(len(words))]


def noun_of(place: Place) -> str:
    """Returns the last noun of a place; "" if it has none."""
    nouns = [part for part in place if part != ONE and part not in CREATING_WORDS]
    return nouns[-1] if nouns else ""
