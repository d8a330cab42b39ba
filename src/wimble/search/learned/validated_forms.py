"""Which media type of an undeclared content a validated program reads, as the validated values tell.

Where a form is read (`validator('form', schema)`, `request.formData()`), a JSON document counts as nothing: the schema
is applied to an empty value, and says the same of each such call. Of a form it sees the fields.
"""

from __future__ import annotations

from typing import Final

from wimble.model.testcase import Call
from wimble.model.validation import Validation
from wimble.search.learned.content_forms import form_sent
from wimble.search.learned.members import undeclared_content
from wimble.search.learned.validated_places import places_of
from wimble.types import ABSENT, OperationId

MAX_READ: Final = 60
"""Validations of one schema that are looked at."""


class _Seen:
    """The forms of one operation's content that reached a schema, and those that were nothing to it."""

    __slots__ = ("empty", "full", "n_read")

    def __init__(self) -> None:
        self.full: set[int] = set()
        self.empty: set[int] = set()
        self.n_read = 0


class ValidatedForms:
    """What the validations of all operations have shown."""

    def __init__(self) -> None:
        self._seen: dict[tuple[OperationId, str], _Seen] = {}

    def form_read(self, call: Call, one: Validation) -> int | None:
        """Notes a validation; returns the form that the program reads, once it is known that it is not JSON alone."""
        form = form_sent(call)
        if form is None or not _members_sent(call):
            return None
        seen = self._seen.setdefault((call.operation.id, one.applied.text), _Seen())
        if seen.n_read >= MAX_READ:
            return None
        seen.n_read += 1
        n_known = len(seen.full) + len(seen.empty)
        if one.value is ABSENT or one.value == {}:
            seen.empty.add(form)
        elif any(place.location == "body" and place.is_certain for place in places_of(call, one)):
            seen.full.add(form)
        read, unread = seen.full - seen.empty, seen.empty - seen.full
        is_new = len(seen.full) + len(seen.empty) > n_known
        return min(read) if is_new and read and unread and min(unread) < min(read) else None


def _members_sent(call: Call) -> bool:
    """Whether the undeclared content of a call has members."""
    content = undeclared_content(call.operation)
    value = ABSENT if content is None else call.genes[call.operation.inputs.index(content)].phenotype()
    return isinstance(value, dict) and bool(value)
