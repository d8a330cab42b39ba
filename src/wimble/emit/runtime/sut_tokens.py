"""Tokens (JWT) that tests sign with a secret of the system under test (SUT), which is read where the SUT reads it; or
with a key of their own, whose public half a mocked service answers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from pathlib import Path
from typing import Any

SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")  # before a digest in a signature of RSA
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256


def signed_token(known: dict[str, Any], claims: Any, folder: Path) -> str:
    """A token with these claims. known: where the secret is: an environment variable, or a place in a file below
    `folder`; or a private key."""
    if "private" in known:
        return _token_of_own_key(known, claims)
    algorithm, place = known["algorithm"], known["place"]
    secret = os.environ.get(known["variable"] or " ") or (_text_at(folder, **place) if place else "")
    if not secret:
        raise RuntimeError(f"set {known['variable'] or 'the variable of the secret'}: the SUT signs its tokens with it")
    signed = _signed_text({"alg": algorithm, "typ": "JWT"}, claims)
    digest = hmac.new(secret.encode(), signed.encode(), f"sha{algorithm[2:]}").digest()
    return f"{signed}.{_base64url(digest)}"


def _token_of_own_key(known: dict[str, Any], claims: Any) -> str:
    """Signs with RSA or ECDSA. The keys are for tests only, so the nonce of ECDSA may be the same in all signatures."""
    key = {name: _number(text) for name, text in known["private"].items() if name not in ("kty", "crv")}
    signed = _signed_text({"alg": known["algorithm"], "typ": "JWT", "kid": known["kid"]}, claims)
    digest = hashlib.sha256(signed.encode()).digest()
    if known["algorithm"] == "RS256":
        tail = b"\0" + SHA256_INFO + digest
        padded = b"\0\1" + b"\xff" * (254 - len(tail)) + tail
        signature = pow(int.from_bytes(padded, "big"), key["d"], key["n"]).to_bytes(256, "big")
    else:
        s = pow(key["nonce"], -1, ORDER) * (int.from_bytes(digest, "big") + key["r"] * key["d"]) % ORDER
        signature = key["r"].to_bytes(32, "big") + s.to_bytes(32, "big")
    return f"{signed}.{_base64url(signature)}"


def _signed_text(header: Any, claims: Any) -> str:
    texts = [json.dumps(part, separators=(",", ":"), ensure_ascii=False) for part in (header, claims)]
    return ".".join(_base64url(text.encode()) for text in texts)


def _number(text: str) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _text_at(folder: Path, file: str, before: str, index: int) -> str:
    """The text that stands in a file of the SUT after `before`; empty if the file has changed."""
    try:
        lines = (folder / file).read_text(encoding="utf-8").splitlines()
        rest = [line for line in lines if before in line][index].split(before, 1)[1].strip()
    except (OSError, IndexError):
        return ""
    return rest[1:].split(rest[0], 1)[0] if rest[:1] in "\"'`" and rest else rest
