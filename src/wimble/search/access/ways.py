"""The ways of carrying a credential: the places where a call sends it, and the text before it."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

Field: TypeAlias = tuple[str, str]
"""Place and prefix: `header Authorization`, `Bearer `."""


class Way(msgspec.Struct, frozen=True):
    """Fields that carry a token, and whether the cookies of its answer are carried, too."""

    fields: tuple[Field, ...] = ()
    is_basic: bool = False
    """Whether user and password of the sign-up are carried instead of a token (RFC 7617)."""


BEARER: Final = ("header Authorization", "Bearer ")
SCHEMES: Final = ("Bearer ", "", "Token ", "JWT ")
"""Texts before the token in `Authorization`."""
HEADERS: Final = (
    "x-access-token", "x-auth-token", "x-token", "x-api-key", "x-session-token", "x-session-id", "x-user-token",
    "x-jwt", "x-authorization", "x-csrf-token", "api-key", "apikey", "auth-token", "access-token", "auth", "token",
    "jwt", "session",
)  # fmt: skip
COOKIES: Final = ("token", "jwt", "access_token", "accessToken", "auth", "auth_token", "session")
QUERIES: Final = ("token", "access_token", "auth_token", "api_key", "apikey", "key", "jwt")
COOKIES_ONLY: Final = Way()
BASIC: Final = Way((("header Authorization", "Basic "),), is_basic=True)


def all_at_once(scheme: str, own: tuple[str, ...]) -> Way:
    """Returns the way that carries the token in all usual places, and in `own` ones."""
    places = [f"header {name}" for name in HEADERS]
    places += [f"cookie {name}" for name in COOKIES] + [f"query {name}" for name in QUERIES]
    lower = {place.lower() for place in own}
    usual = [(place, "") for place in places if place.lower() not in lower]
    own_fields = [(place, "") for place in own if place.lower() != "header authorization"]
    return Way((("header Authorization", scheme), *own_fields, *usual))


def first_ways(own: tuple[str, ...], schemes: tuple[str, ...] = (), *, has_cookies: bool) -> list[Way]:
    """Returns the ways to try on the first operation that asks for a user, likeliest first.

    own: places that the document or the code names. schemes: texts that the code wants in `Authorization`.
    """
    ways = [COOKIES_ONLY] if has_cookies else []
    ways += [Way((("header Authorization", scheme),)) for scheme in schemes]
    ways += [Way(((place, ""),)) for place in own if place.lower() != "header authorization"]
    ways.append(Way((BEARER,)))
    return [*ways, *(all_at_once(scheme, own) for scheme in SCHEMES)]
