"""Tokens (JWT) that tests sign with a secret of the system under test (SUT), which is read where the SUT reads it."""

from __future__ import annotations

import base64
import hmac
import json
import os
from pathlib import Path
from typing import Any


def signed_token(known: dict[str, Any], claims: Any, folder: Path) -> str:
    """A token with these claims. known: where the secret is: an environment variable, or a place in a file below
    `folder`."""
    algorithm, place = known["algorithm"], known["place"]
    secret = os.environ.get(known["variable"] or " ") or (_text_at(folder, **place) if place else "")
    if not secret:
        raise RuntimeError(f"set {known['variable'] or 'the variable of the secret'}: the SUT signs its tokens with it")
    header = {"alg": algorithm, "typ": "JWT"}
    texts = [json.dumps(part, separators=(",", ":"), ensure_ascii=False) for part in (header, claims)]
    signed = ".".join(_base64url(text.encode()) for text in texts)
    digest = hmac.new(secret.encode(), signed.encode(), f"sha{algorithm[2:]}").digest()
    return f"{signed}.{_base64url(digest)}"


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
