"""Finds where the secrets of tokens stand, so that tests sign them when they run; no test contains a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from wimble.genes.signed_token import MARK
from wimble.http.exchange import request_of
from wimble.model.suite import PasswordPlace, TokenKey, VerifiedTest

NAMESPACE = "jwt"
"""What is hashed before the secret, as before a password its database."""


def keys_of(
    tests: Sequence[VerifiedTest],
    known: Mapping[str, TokenKey],
    find: Callable[[str, str], PasswordPlace | None],
) -> tuple[TokenKey, ...]:
    """Returns the keys with which the tests sign tokens, as far as tests can read their secrets.

    find: returns where a secret stands in the project, by NAMESPACE and digest.
    """
    wanted = dict.fromkeys(key for test in tests for key in keys_in(test))
    found = (_placed(known[key], find) for key in wanted if key in known)
    return tuple(key for key in found if key.is_readable)


def key_needs(keys: Sequence[TokenKey]) -> tuple[str, ...]:
    """Returns a sentence for each environment variable with a secret that has to be given to the suite."""
    variables = dict.fromkeys(key.variable for key in keys if key.variable)
    return tuple(f"the environment variable {name}: the secret with which the API signs tokens" for name in variables)


def keys_in(test: VerifiedTest) -> Iterable[str]:
    """Yields the keys of the tokens that the test sends."""
    for call in test.calls:
        request = request_of(call.observation)
        for text in (request.target, *(value for _, value in request.headers)):
            yield from (match[1] for match in MARK.finditer(text))


def _placed(key: TokenKey, find: Callable[[str, str], PasswordPlace | None]) -> TokenKey:
    return key if key.variable or key.is_own else msgspec.structs.replace(key, place=find(NAMESPACE, key.digest))
