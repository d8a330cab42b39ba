"""Finds answers that contain the hash of a password.

Rule: a successful answer has an object that tells a user or another thing apart (an id, a name, an address), and among
its members the hash of a password: a text in the form of bcrypt, argon2, scrypt or PBKDF2 under a name such as
`password`, a digest under the name of a password, or a text under a name that says it (`passwordHash`). An answer that
only consists of a hash is none: it may be what was asked for; nor is a text that the call itself has sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wimble.http.exchange import request_of, response_of
from wimble.model.evaluation import Finding
from wimble.model.identity_names import IDENTITY
from wimble.model.resource_names import plain_name
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict
from wimble.types import Json

NAME: Final = "password-hash"
MAX_BODY_BYTES: Final = 200_000
MAX_DEPTH: Final = 8
MIN_HASH: Final = 16
"""Characters of a text that is a hash by its name only."""
_HINT: Final = re.compile(rb"pass|pwd|\$2[abxy]\$|\$argon2|\$scrypt\$|pbkdf2", re.IGNORECASE)
_FORM: Final = re.compile(r"\$2[abxy]\$\d\d\$.{50,}|\$argon2(?:id|i|d)\$.+|\$scrypt\$.+|\$?pbkdf2.+", re.IGNORECASE)
_DIGEST: Final = re.compile(
    r"(?:[0-9a-f]{8,64}[:.$])?(?:[0-9a-f]{32}|[0-9a-f]{40}|(?:[0-9a-f]{32}){2,4})"
    r"|[0-9a-z+/]{22}==|[0-9a-z+/]{27}=|[0-9a-z+/]{43}=|[0-9a-z+/]{86}==",
    re.IGNORECASE,
)
"""MD5, SHA and what `crypto.scrypt` and `crypto.pbkdf2` derive, as people write them: in hex, after the salt, or in
Base64.
"""
_PASSWORD: Final = re.compile(r"(?:user)?(?:pass(?:word|wd|phrase)?|pwd)")
_NAMES_OF_FORMS: Final = re.compile(r"pass|pwd|hash|digest|crypt|secret")
_NAME_OF_HASH: Final = re.compile(
    r"(?:pass(?:word|wd|phrase)?|pwd)(?:hash|digest|hashed|enc|encrypted)|(?:hashed|encrypted|crypted)(?:pass(?:word)?|pwd)"
)


def judge_call(view: CallView) -> Verdict:
    response = response_of(view.observation)
    if response is None or len(response.body) > MAX_BODY_BYTES or _HINT.search(response.body) is None:
        return []
    sent = request_of(view.observation).body or b""
    hashes = _hashes(view.observation.exchange.value(), "$", 0)
    found = next(
        ((path, name) for path, name, text in hashes if text.encode("utf-8", "surrogatepass") not in sent), None
    )
    if found is None:
        return []
    path, name = found
    operation = view.operation.id
    return [
        Finding(
            oracle=NAME,
            key=(NAME, name),
            operation=operation,
            status=response.status,
            title=f"{operation} answers the hash of a password ({path})",
            observed=f"a hash of a password at {path}",
            expected="an answer without it: whoever has it can try passwords without asking the API",
            cause=NO_CAUSE,
            call_index=view.observation.call_index,
        )
    ]


def _hashes(value: Json, path: str, depth: int) -> Iterator[tuple[str, str, str]]:
    """Yields path, plain name and value of the members that are hashes."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _hashes(item, f"{path}[{at}]", depth + 1)
    if not isinstance(value, dict):
        return
    is_of_user = any(name == "id" or IDENTITY.search(plain_name(name)) for name in value)
    for name, item in value.items():
        if isinstance(item, str) and is_of_user and _is_hash(plain_name(name), item):
            yield f"{path}.{name}", plain_name(name), item
        yield from _hashes(item, f"{path}.{name}", depth + 1)


def _is_hash(name: str, text: str) -> bool:
    if _NAMES_OF_FORMS.search(name) and _FORM.fullmatch(text):
        return True
    if _PASSWORD.fullmatch(name) and _DIGEST.fullmatch(text):
        return True
    return len(text) >= MIN_HASH and _NAME_OF_HASH.fullmatch(name) is not None


ORACLE = Oracle(NAME, judge_call, outcomes=frozenset(["ok", "partial"]))
