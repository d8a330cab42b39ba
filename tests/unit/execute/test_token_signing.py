"""Tokens are signed when requests are sent; the secret stays in the signer."""

import base64
import hashlib
import hmac
import json

from wimble.execute.http.token_signing import TokenSigner
from wimble.genes import AffixedGene, CarriedGene, IntegerGene, ObjectGene, SignedTokenGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.entrances import with_entrances
from wimble.http.request_building import build_request
from wimble.model.hints import TokenKeyHint
from wimble.model.testcase import Call
from wimble.types import OperationId, TargetId
from wimble.users import Secrets

SECRET = "s1gning-s3cret"
KEY = hashlib.sha256(f"jwt {SECRET}".encode()).hexdigest()[:16]


def hint(secret: str = SECRET) -> TokenKeyHint:
    return TokenKeyHint(target=TargetId(1), call=0, key=KEY, algorithm="HS256", secret=secret, variable="SECRET")


def request():
    (guarded,) = with_entrances([http_operation(id=OperationId("GET /me"), method="GET", path="/me")])
    token = SignedTokenGene(KEY, ObjectGene((("sub", IntegerGene(7)), ("role", StringGene("admin")))))
    return build_request(Call(guarded, (CarriedGene((("header Authorization", AffixedGene("Bearer ", token)),)),)))


def test_a_mark_becomes_a_valid_token_with_the_claims():
    signer = TokenSigner(Secrets())
    signer.kept(hint())
    sent = dict(signer.signed(request()).headers)["Authorization"]
    header, claims, signature = sent.removeprefix("Bearer ").split(".")
    assert json.loads(base64.urlsafe_b64decode(claims + "==")) == {"sub": 7, "role": "admin"}
    expected = hmac.new(SECRET.encode(), f"{header}.{claims}".encode(), hashlib.sha256).digest()
    assert signature == base64.urlsafe_b64encode(expected).decode().rstrip("=")


def test_no_request_of_the_search_and_no_hint_holds_the_secret_and_output_is_redacted():
    secrets = Secrets()
    signer = TokenSigner(secrets)
    assert signer.kept(hint()).secret == ""
    assert SECRET not in repr(request())
    assert SECRET not in repr(signer.keys)
    assert secrets.redact(f"signed with {SECRET}") == "signed with ***"


def test_words_that_are_secrets_are_not_removed_from_all_texts():
    secrets = Secrets()
    TokenSigner(secrets).kept(hint("secret"))
    assert secrets.redact("a secret is needed") == "a secret is needed"


def test_requests_without_marks_and_with_unknown_keys_stay_as_they_are():
    signer = TokenSigner(Secrets())
    assert signer.signed(request()) == request()
