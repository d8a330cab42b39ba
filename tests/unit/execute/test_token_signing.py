"""Tokens are signed when requests are sent; the secret stays in the signer."""

import base64
import hashlib
import hmac
import importlib.util
import json
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

import wimble.emit
from wimble.execute.http.token_signing import TokenSigner
from wimble.genes import AffixedGene, CarriedGene, IntegerGene, ObjectGene, SignedTokenGene, StringGene
from wimble.genes.signed_token import mark_of
from wimble.http.binding import http_operation
from wimble.http.entrances import with_entrances
from wimble.http.http_messages import HttpRequest
from wimble.http.request_building import build_request
from wimble.model.hints import TokenKeyHint
from wimble.model.testcase import Call
from wimble.own_keys import OWN_KEYS, certificates, key_id, private_key, public_key
from wimble.types import OperationId, TargetId
from wimble.users import Secrets

RUNTIME = Path(wimble.emit.__file__).parent / "runtime"
_spec = importlib.util.spec_from_file_location("sut_tokens", RUNTIME / "sut_tokens.py")
sut_tokens = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sut_tokens)
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


PUBLIC = {key: public_key(key) for key in OWN_KEYS}
CLAIMS = {"iss": "https://login.example/", "roles": ["é"]}


def is_valid(token: str, key: str) -> bool:
    """Whether the public key in the key set verifies the token, by another implementation."""
    signed, _, encoded = token.rpartition(".")
    signature = base64.urlsafe_b64decode(encoded + "==")
    number = {name: int.from_bytes(base64.urlsafe_b64decode(PUBLIC[key][name] + "=="), "big") for name in PARTS[key]}
    if key == "RS256":
        numbers = rsa.RSAPublicNumbers(number["e"], number["n"])
        numbers.public_key().verify(signature, signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    else:
        numbers = ec.EllipticCurvePublicNumbers(number["x"], number["y"], ec.SECP256R1())
        halves = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        numbers.public_key().verify(encode_dss_signature(*halves), signed.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in signed.split("."))
    return header == {"alg": key, "typ": "JWT", "kid": PUBLIC[key]["kid"]} and claims == CLAIMS


PARTS = {"RS256": ("n", "e"), "ES256": ("x", "y")}


@pytest.mark.parametrize("key", OWN_KEYS)
def test_a_token_of_our_own_key_is_valid_by_the_key_that_a_service_answers(key):
    mark = mark_of(key, CLAIMS)
    sent = TokenSigner(Secrets()).signed(HttpRequest(method="GET", target="/me", headers=(("Authorization", mark),)))
    assert is_valid(sent.headers[0][1], key)


@pytest.mark.parametrize("key", OWN_KEYS)
def test_suites_sign_as_wimble_does(key):
    assert is_valid(sut_tokens.signed_token(own(key), CLAIMS, Path()), key)
    script = f"console.log(require({str(RUNTIME / 'sut-tokens.cjs')!r}).signedToken({json.dumps(own(key))}, {json.dumps(CLAIMS)}, '.'))"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=20, check=True)
    assert is_valid(done.stdout.strip(), key)


def own(key: str) -> dict[str, object]:
    return {"algorithm": key, "kid": key_id(key), "private": private_key(key)}


def test_the_certificate_of_the_rsa_key_has_that_key():
    ((name, text),) = certificates().items()
    held = x509.load_pem_x509_certificate(text.encode()).public_key().public_numbers()
    assert name == PUBLIC["RS256"]["kid"]
    assert held.n == int.from_bytes(base64.urlsafe_b64decode(PUBLIC["RS256"]["n"] + "=="), "big")
