"""Changes of a call that a later check refuses, and each check before it accepts.

Programs check an input twice: by a schema at the door, and by the model that writes it. Where they disagree, as about
200 and 120 letters, the door lets in what the model refuses, and no code expects that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import jsonschema_rs

from wimble.model.testcase import Call
from wimble.search.learned.applied_parts import Part, together
from wimble.search.learned.validated_places import sent_part
from wimble.types import ABSENT, Json

MAX_VALIDATORS: Final = 1000

PlacedParts = tuple[str, tuple[str, ...], tuple[Part, ...]]
"""Location and path of a part of a call, and the schemas that were applied to it, in this order."""


class SecondChecks:
    """Compares the checks of the same inputs."""

    def __init__(self) -> None:
        self._validators: dict[tuple[str, tuple[str, ...]], jsonschema_rs.Draft202012Validator | None] = {}

    def refuse(self, checks: Iterable[PlacedParts], call: Call, changed: Call) -> bool:
        """Whether a check refuses the change of a call, and those before it accept it, of which there is one at least.

        checks: in the order in which they are applied.
        """
        n_accepted = 0
        for location, path, parts in checks:
            before, after = (sent_part(one, location, path) for one in (call, changed))
            if before == after:
                continue
            for part in parts:
                validator = self._validator(part)
                if validator is None:
                    continue
                # What the program adds before a check is missing here, so some errors are there before as well.
                if _errors(validator, after) - _errors(validator, before):
                    return n_accepted > 0
                n_accepted += 1
        return False

    def _validator(self, part: Part) -> jsonschema_rs.Draft202012Validator | None:
        key = part[0].text, part[1]
        if key not in self._validators:
            if len(self._validators) >= MAX_VALIDATORS:
                return None
            try:
                made = jsonschema_rs.Draft202012Validator(together((part,)), validate_formats=True, offline=True)
            except (jsonschema_rs.ValidationError, ValueError):
                made = None  # a pattern or reference that only the library understands
            self._validators[key] = made
        return self._validators[key]


def _errors(validator: jsonschema_rs.Draft202012Validator, value: Json) -> frozenset[tuple[str, ...]]:
    errors = validator.iter_errors(None if value is ABSENT else value)
    return frozenset((*map(str, error.instance_path), "", *map(str, error.schema_path)) for error in errors)
