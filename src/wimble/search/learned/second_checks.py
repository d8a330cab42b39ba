"""Changes of a call that a later check refuses, and each check before it accepts.

Programs check an input twice: by a schema at the door, and by the model that writes it. Where they disagree, as about
200 and 120 letters, the door lets in what the model refuses, and no code expects that.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import jsonschema_rs

from wimble.model.testcase import Call
from wimble.search.learned.applied_parts import Part, together
from wimble.search.learned.schema_validators import SchemaValidators, errors_of
from wimble.search.learned.validated_places import sent_part
from wimble.types import Json

PlacedParts = tuple[str, tuple[str, ...], tuple[Part, ...]]
"""Location and path of a part of a call, and the schemas that were applied to it, in this order."""


class SecondChecks:
    """Compares the checks of the same inputs."""

    def __init__(self) -> None:
        self._validators = SchemaValidators()

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
                applied, pointer = part
                validator = self._validators.get((applied.text, pointer), partial(together, (part,)))
                if validator is None:
                    continue
                # What the program adds before a check is missing here, so some errors are there before as well.
                if _errors(validator, after) - _errors(validator, before):
                    return n_accepted > 0
                n_accepted += 1
        return False


def _errors(validator: jsonschema_rs.Draft202012Validator, value: Json) -> frozenset[tuple[str, ...]]:
    found = errors_of(validator, value)
    return frozenset((*map(str, error.instance_path), "", *map(str, error.schema_path)) for error in found)
