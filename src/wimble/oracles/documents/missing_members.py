"""Groups members that answers lack: members that were missing together are one fault.

A handler that forgets to select three columns leaves out three members. A member that another answer lacks alone has a
cause of its own.
"""

from __future__ import annotations

from collections.abc import Sequence


class MissingMembers:
    """For each place in a schema, the groups of members that were missing together. One instance per run."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, ...], dict[str, str]] = {}

    def group_of(self, place: tuple[str, ...], members: Sequence[str]) -> str:
        """Returns the name of the group of the members, which is its first member."""
        groups = self._groups.setdefault(place, {})
        name = next((groups[member] for member in members if member in groups), members[0])
        for member in members:
            groups.setdefault(member, name)
        return name
