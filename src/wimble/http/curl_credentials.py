"""Credentials as reports show them. In curl commands they are variables that a person sets, or signed by the shell."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from wimble.base64url import to_base64url
from wimble.genes.signed_token import MARK, claims_in
from wimble.http.curl import curl_command
from wimble.http.exchange import COOKIE_POINTER, HEADER_POINTER, exchange_of
from wimble.http.http_messages import HttpRequest
from wimble.model.observation import FIELD_POINTER, Observation
from wimble.model.suite import TokenKey
from wimble.own_keys import OWN_KEYS, key_id, own_token
from wimble.users import AuthUser

UNKNOWN_VARIABLE: Final = "TOKEN_SECRET"
"""The variable of a secret that no environment variable of the SUT has."""

StandIn = tuple[str, str]


def curl_commands(
    observations: Sequence[Observation],
    base_url: str,
    users: Sequence[AuthUser],
    headers: Sequence[tuple[str, str]],
    keys: Mapping[str, TokenKey],
) -> tuple[list[str], list[str]]:
    """Returns comments that say what the variables are, and the commands of the calls, without credentials.

    A token or cookie that an earlier answer gives is a variable such as `$TOKEN_1`. A token that is signed with a
    secret of the SUT is signed by the command, which reads the secret from the SUT's environment variable.
    """
    comments: dict[str, None] = {}
    given: dict[str, tuple[str, str]] = {}
    commands = []
    for index, observation in enumerate(observations):
        request = exchange_of(observation).request
        used = [(value, told) for value, told in given.items() if _is_in(value, request)]
        stand_ins = [(value, f'"${{{name}}}"') for value, (name, _) in used]
        comments.update(dict.fromkeys(comment for _, (_, comment) in used))
        for signed, comment in signed_tokens(request, keys):
            stand_ins.append(signed)
            comments[comment] = None
        commands.append(curl_command(request, base_url, users, headers, stand_ins=stand_ins))
        for value, place in _given(observation):
            name = f"{'COOKIE' if place.startswith('cookie') else 'TOKEN'}_{len(given) + 1}"
            given.setdefault(value, (name, f"# {name}: {place} in the answer to command {index + 1}"))
    return list(comments), commands


def shown_request(request: HttpRequest) -> HttpRequest:
    """Returns the request with the claims of tokens that are signed when it is sent, as reports show it."""
    target, headers = _shown(request.target), tuple((name, _shown(value)) for name, value in request.headers)
    return msgspec.structs.replace(request, target=target, headers=headers)


def _shown(text: str) -> str:
    return MARK.sub(lambda match: f"JWT signed with {json.dumps(claims_in(match[2]))}", text)


def signed_tokens(request: HttpRequest, keys: Mapping[str, TokenKey]) -> Iterator[tuple[StandIn, str]]:
    """Yields a stand-in for each token in the request that is signed when it is sent, and a comment about it."""
    for text in (request.target, *(value for _, value in request.headers)):
        for match in MARK.finditer(text):
            if match[1] in OWN_KEYS:
                claims = claims_in(match[2])
                comment = (
                    f"# the token is signed with wimble's key {key_id(match[1])}; its claims: {json.dumps(claims)}"
                )
                yield (match[0], shlex.quote(own_token(claims, match[1]))), comment
                continue
            key = keys.get(match[1], TokenKey(id=match[1], algorithm="HS256"))
            variable = key.variable or UNKNOWN_VARIABLE
            secret = "the secret" if key.variable else "set it to the secret"
            claims = claims_in(match[2])
            comment = f"# {variable}: {secret} with which the API signs tokens; the claims are {json.dumps(claims)}"
            yield (match[0], _signing(claims, key.algorithm, variable)), comment


def _given(observation: Observation) -> Iterator[tuple[str, str]]:
    """Yields the credentials that an answer gives, each with its place in words, longest first."""
    exchange = exchange_of(observation)
    found: list[tuple[str, str]] = []
    for one in exchange.credentials():
        value = exchange.pointed(one.pointer)
        if not isinstance(value, str) or not value:
            continue
        if one.pointer.startswith(COOKIE_POINTER):
            found.append((value, f"cookie {one.name}"))
        elif one.pointer.startswith(HEADER_POINTER):
            found.append((value, f"header {one.name}"))
        elif one.pointer.startswith(FIELD_POINTER):
            found.append((value, f"the field {one.name} of the page"))
        else:
            found.append((value, one.pointer))
    yield from sorted(found, key=lambda pair: -len(pair[0]))


def _is_in(value: str, request: HttpRequest) -> bool:
    texts = (request.target, *(text for _, text in request.headers), (request.body or b"").decode("utf-8", "replace"))
    return any(value in text for text in texts)


def _signing(claims: object, algorithm: str, variable: str) -> str:
    """Returns a word of a POSIX shell that becomes the token (RFC 7515)."""
    signed = ".".join(
        to_base64url(json.dumps(part, separators=(",", ":")).encode())
        for part in ({"alg": algorithm, "typ": "JWT"}, claims)
    )
    digest = (
        f'printf %s {shlex.quote(signed)} | openssl dgst -sha{algorithm[2:]} -hmac "${{{variable}}}" -binary'
        " | openssl base64 -A | tr +/ -_ | tr -d ="
    )
    return f'{shlex.quote(signed)}."$({digest})"'
