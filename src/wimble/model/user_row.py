"""What a sign-up has stored about its user."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from wimble.model.testcase import Call, SetupAction
from wimble.types import Json


class UserRow(msgspec.Struct, frozen=True, kw_only=True):
    """The user's row as a setup action, after the rows that it references."""

    sign_up: Call
    setup: tuple[SetupAction, ...]
    peers: Mapping[str, tuple[Json, ...]] = {}
    """Short texts that other rows have, by column."""
