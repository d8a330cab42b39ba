"""Signs the tokens in requests with secrets of the SUT or keys of our own, when the requests are sent."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from wimble.base64url import to_base64url
from wimble.genes.signed_token import MARK, claims_in
from wimble.http.exchange import exchange_of
from wimble.http.given_credentials import set_cookies
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.learnt_secrets import MAX_LEARNT, is_word
from wimble.model.hints import ComparisonHint, Hint, KeyHint, TokenKeyHint
from wimble.model.observation import Observation
from wimble.model.suite import TokenKey
from wimble.own_keys import OWN_KEYS, own_token
from wimble.types import Json
from wimble.users import Secrets

_DIGESTS: Final = {"HS256": hashlib.sha256, "HS384": hashlib.sha384, "HS512": hashlib.sha512}


class TokenSigner:
    """The secrets that the SUT was seen to sign tokens with, and to check them with."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._values: dict[str, bytes] = {}
        self._sessions: set[str] = set()
        self.keys: dict[str, TokenKey] = {key: TokenKey(id=key, algorithm=key, is_own=True) for key in OWN_KEYS}
        """What is known of each key, without its secret."""

    def kept(self, hint: TokenKeyHint) -> TokenKeyHint:
        """Keeps the secret of the hint, hides it from all output, and returns the hint without it."""
        if hint.key not in self._values:
            self._values[hint.key] = hint.secret.encode()
            self.keys[hint.key] = TokenKey(
                id=hint.key, algorithm=hint.algorithm, variable=hint.variable, digest=hint.digest
            )
            if is_word(hint.secret):
                self._secrets.hide_word(hint.secret)
            else:
                self._secrets.hide(hint.secret)
        return msgspec.structs.replace(hint, secret="")

    def without_secrets(self, hints: Sequence[Hint], observations: Sequence[Observation] = ()) -> tuple[Hint, ...]:
        """Keeps the secrets in these hints, and returns the hints without them.

        Left out is a session of other test cases, which the program has in a table of its own: no test could send it.
        One that an earlier call of the test case was given stays, since an edit may refer to that answer.
        """
        return tuple(
            [
                self.kept(hint) if isinstance(hint, TokenKeyHint) else hint
                for hint in hints
                if not self._shows_other_session(hint, observations)
            ]
        )

    def note_sessions(self, response: HttpResponse) -> None:
        """Notes the credentials among the cookies that an answer sets."""
        for value in set_cookies(response).values():
            if len(self._sessions) < MAX_LEARNT and self._secrets.learnt.redact(value) != value:
                self._sessions.add(value)

    def _shows_other_session(self, hint: Hint, observations: Sequence[Observation]) -> bool:
        if not self._sessions or not isinstance(hint, KeyHint | ComparisonHint):
            return False
        shown = [one for one in hint.operands if isinstance(one, str) and one in self._sessions]
        if not shown:
            return False
        before = (exchange_of(one).response for one in observations if one.is_answered and one.call_index < hint.call)
        own = {value for response in before if response is not None for value in set_cookies(response).values()}
        return not own.issuperset(shown)

    def signed(self, request: HttpRequest) -> HttpRequest:
        """Returns the request with tokens in place of their marks."""
        is_marked = "wimble-jwt." in request.target or any("wimble-jwt." in value for _, value in request.headers)
        if not is_marked:
            return request
        headers = tuple((name, self._filled(value)) for name, value in request.headers)
        return msgspec.structs.replace(request, target=self._filled(request.target), headers=headers)

    def _filled(self, text: str) -> str:
        return MARK.sub(lambda match: self._token(match), text)

    def _token(self, match: re.Match[str]) -> str:
        claims, secret = claims_in(match[2]), self._values.get(match[1])
        if match[1] in OWN_KEYS:
            return own_token(claims, match[1])
        if secret is None:
            return match[0]
        token = signed_token(claims, self.keys[match[1]].algorithm, secret)
        self._secrets.learnt.add(token)
        return token


def signed_token(claims: Json, algorithm: str, secret: bytes) -> str:
    """Returns the token as a JWS in compact form (RFC 7515)."""
    header = f'{{"alg": "{algorithm}", "typ": "JWT"}}'  # by its spaces the agent tells it from tokens of the SUT
    signed = f"{to_base64url(header.encode())}.{to_base64url(json.dumps(claims, separators=(',', ':')).encode())}"
    return f"{signed}.{to_base64url(hmac.new(secret, signed.encode(), _DIGESTS[algorithm]).digest())}"
