"""What a service can do so that a client's error has a certain name: the words between runtimes, which know the names,
and the search, which plans what services do."""

from __future__ import annotations

from typing import Literal, TypeAlias

ClientFailure: TypeAlias = Literal[
    "no_host", "try_again", "refused", "timed_out", "reset", "closed", "truncated", "hang",
    "expired", "wrong_name", "self_signed", "unknown_authority", "own_authority",
    "malformed", "client_error", "not_found", "server_error", "redirected",
]  # fmt: skip
"""An outcome of a mocked service, or an answer: JSON that ends too early, status 400, 404, 500, an endless redirect."""
