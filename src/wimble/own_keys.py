"""Keys of wimble's own, for tokens that the SUT checks with public keys of a service (a key set, JWKS).

The mocked service answers with the public keys, so whoever has the private ones can sign what such a program accepts.
They are the same in all runs and suites, as tests have to be, and open nothing anywhere else. RSA and ECDSA are written
out here since suites have to sign without a package, too (emit/runtime/sut_tokens.py): nothing has to stay secret.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias, get_args

from wimble.base64url import from_base64url, to_base64url
from wimble.types import Json

OwnKey: TypeAlias = Literal["RS256", "ES256"]
"""A key of wimble's own, called by the algorithm with which it signs (RFC 7518, 3.1)."""
OWN_KEYS: Final[tuple[OwnKey, ...]] = get_args(OwnKey)
KEY_ID_PREFIX: Final = "wimble-"
"""How the ids (`kid`) of the keys begin, by which answers with them are recognised."""
CACHED_SIGNATURES: Final = 1_000

_EXPONENT: Final = 65537
_P: Final = (
    "4t7CSkyyE8R5heafXwNQhLklP7BWFYfoTF97wlkep2qCmRk8W5_LyzOvBcgyqsQ0ykZjuT82yE3zZzKoKzWP8L-Rdg4s5-vL2Ism"
    "UTHAGFGeHAtpt-TTzGAXGSCJZ9phj9wYcXFccZmhH9dFglAcrJnDZAEMBf9jKlX5UD-Nrds"
)
_Q: Final = (
    "2qAK59PhVbmnshaz-nVDmeEGdtsQpiu78vlcuPvITzQcD464jHTUKXSkDoN6RqQka3Xys3-Nn4l8N7y8fK4jqvT0wvvjFFpL6tOY"
    "MpB7spxfxeQkHVNukjkQ-V4H2Jx3qJcAGU4jzmI3u6AO3Swey5e7eGGwfeFJ2VEiIG3a4kc"
)
_D: Final = "gggkG2d7gGYKy_lhsvTL7BFpBNADD1llCXipzl5gA-c"
_X: Final = "bY_zZgEYAdMQhjPht4St-1gk_tFuc_naJrQn4qlYFQg"
_Y: Final = "HzaGWFqEMxgDagk3jNt1-4XI7y3V1cxgnIxUV9X-a0Q"
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the group of P-256."""
_NONCE: Final = "YA1CCuZI1yiwBV-nwctWPK_PaiJbnNtMmCN3OmRv0YY"
"""The number that ECDSA wants to be random in each signature. It need not be, where the private key is known to all."""
_R: Final = "8N7LIEVPjDfUIItjzXQHtXcDb1uQKjkprlAa1cmjIUY"
"""The first half of all signatures, which follows from the nonce."""
_SHA256_INFO: Final = bytes.fromhex("3031300d060960864801650304020105000420")
"""What stands before a digest of SHA-256 in a signature of PKCS #1 (RFC 8017, 9.2)."""
_CERTIFICATE: Final = (
    "MIICnTCCAYWgAwIBAgIBATANBgkqhkiG9w0BAQsFADARMQ8wDQYDVQQDDAZ3aW1ibGUwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAx"
    "MDEwMDAwMDBaMBExDzANBgNVBAMMBndpbWJsZTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAMG/hlbaHRgQUlvi086N"
    "afho1K1cOlTYKzPIg1UyR2LHWAOXbCtKACMqLN803IjEFgPiXC3/5cwceqnfMTPvIlyiR2scIgcR0+A3eQmI2AyJ5nhAk93WhYAE"
    "5SA0DmwV2vLTZh8kzhPl0JeqgPuRoTk8DWvDnoEXRqBayb5VXUuGVYB6C+hLon0VqG+NX38DEEKZDKZRg220jncyDWzWoEhVQMy4"
    "An5czmJ44TKk26zkWvHL7pMkAoxVgrXMkJJDqha4Ky9HZkUd/m28ILHPITpWkw2kSf/Vhm0hl7m4YbspB0fHvFVVOzxmiPd7x9FZ"
    "dB0VaLsL2h1chW5AaP9Ejb0CAwEAATANBgkqhkiG9w0BAQsFAAOCAQEAege+FmPbEDKoMqluX6JlCBBcssNd8HvBYXWpb/cfdSfo"
    "RashTIUNLzqv0Hlx+Bl69vo0YIKA98It9v/Ip6/UY6otbMzu/G7CyLS8aQ0lyL5FJoHEV7wwgXmf9icQ154KBUwrMc/K/zreQiDv"
    "pE/K6RFGTW9/BxlcuRF/bkAJTbukAP27cbLzS451vBXnOEuYRUDb6qWnvhwN+DNXRDj+kTZKBxuNRfpDkKmhMK00JZ00+OzeQGsJ"
    "7c9KIgIISMLHeFVXI2OLbc8RbOGG/B3e4UkZiJXNWRHJhgC3KPwpqx0Y4TIZKT+QKvwTRISdclAjVKlWMruRYIn9H53HokkSRg=="
)
"""Of the RSA key, signed with itself, from 2020 to 2119."""


def key_id(key: OwnKey) -> str:
    """Returns the `kid` in key sets, and in headers of tokens."""
    return KEY_ID_PREFIX + key.lower()


def _head(key: OwnKey) -> str:
    """Returns how all tokens of the key begin: with the head, and the point after it."""
    head = json.dumps({"alg": key, "typ": "JWT", "kid": key_id(key)}, separators=(",", ":"))
    return f"{to_base64url(head.encode())}."


_HEADS: Final = {key: _head(key) for key in OWN_KEYS}
_CLAIMS: Final = re.compile(r"([\w-]+)\.[\w-]*$", re.ASCII)


def public_key(key: OwnKey) -> dict[str, Json]:
    """Returns the public key as a member of a key set (RFC 7517)."""
    parts: dict[str, Json]
    if key == "RS256":
        parts = {"kty": "RSA", "n": _text(_rsa()["n"]), "e": _text(_EXPONENT)}
    else:
        parts = {"kty": "EC", "crv": "P-256", "x": _X, "y": _Y}
    return {**parts, "use": "sig", "alg": key, "kid": key_id(key)}


def private_key(key: OwnKey) -> dict[str, str]:
    """Returns what the suites' helpers need for signing, besides the algorithm: members of a private JWK, and for
    ECDSA the fixed nonce with what follows from it.
    """
    if key == "ES256":
        return {"kty": "EC", "crv": "P-256", "d": _D, "x": _X, "y": _Y, "nonce": _NONCE, "r": _R}
    return {"kty": "RSA", **{name: _text(number) for name, number in _rsa().items()}}


def key_set() -> dict[str, Json]:
    """Returns the public keys as a key set."""
    return {"keys": [public_key(key) for key in OWN_KEYS]}


def certificates() -> dict[str, Json]:
    """Returns the certificates of the keys by their ids, as services answer that have no key set."""
    lines = [_CERTIFICATE[at : at + 64] for at in range(0, len(_CERTIFICATE), 64)]
    return {key_id("RS256"): "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])}


def own_token(claims: Json, key: OwnKey) -> str:
    """Returns the token as a JWS in compact form (RFC 7515)."""
    signed = f"{_HEADS[key]}{to_base64url(json.dumps(claims, separators=(',', ':')).encode())}"
    return f"{signed}.{to_base64url(_signature(signed, key))}"


def holds_own_token(text: str) -> bool:
    """Whether a text has a token in it whose head names a key of our own, whatever its signature is."""
    return any(head in text for head in _HEADS.values())


def signed_again(text: str) -> str:
    """Returns the text; if it is a token of our own, with the signature of the claims that it has now."""
    for key, head in _HEADS.items():
        if text.startswith(head) and (found := _CLAIMS.match(text, len(head))):
            signed = head + found[1]
            return f"{signed}.{to_base64url(_signature(signed, key))}"
    return text


@lru_cache(CACHED_SIGNATURES)
def _signature(text: str, key: OwnKey) -> bytes:
    digest = hashlib.sha256(text.encode()).digest()
    if key == "ES256":
        r, nonce = _number(_R), _number(_NONCE)
        s = pow(nonce, -1, _ORDER) * (int.from_bytes(digest, "big") + r * _number(_D)) % _ORDER
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    tail = b"\0" + _SHA256_INFO + digest
    padded = int.from_bytes(b"\0\1" + b"\xff" * (254 - len(tail)) + tail, "big")
    rsa = _rsa()
    by_p, by_q = pow(padded, rsa["dp"], rsa["p"]), pow(padded, rsa["dq"], rsa["q"])
    return (by_q + (by_p - by_q) * rsa["qi"] % rsa["p"] * rsa["q"]).to_bytes(256, "big")


@cache
def _rsa() -> dict[str, int]:
    """Returns the numbers of the RSA key by their names in a private JWK (RFC 7518, 6.3)."""
    p, q = _number(_P), _number(_Q)
    d = pow(_EXPONENT, -1, (p - 1) * (q - 1))
    return {
        "n": p * q,
        "e": _EXPONENT,
        "p": p,
        "q": q,
        "d": d,
        "dp": d % (p - 1),
        "dq": d % (q - 1),
        "qi": pow(q, -1, p),
    }


def _number(text: str) -> int:
    return int.from_bytes(from_base64url(text), "big")


def _text(number: int) -> str:
    return to_base64url(number.to_bytes((number.bit_length() + 7) // 8, "big"))
