"""The core's view of one process of the SUT."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.agent import messages
from wimble.agent.transport import AgentConnection
from wimble.model.validation import AppliedSchema
from wimble.types import TargetId


class Agent:
    """One process of the SUT that has an agent. It maps the agent's target ids to the core's, and back."""

    def __init__(self, connection: AgentConnection, hello: messages.Hello) -> None:
        self.connection = connection
        self.hello = hello
        self.global_ids: list[TargetId] = []
        self._local_ids: dict[TargetId, int] = {}
        self._more_local_ids: dict[TargetId, list[int]] = {}
        self.schemas: dict[int, AppliedSchema] = {}
        """Schemas of validation libraries by the numbers that the process has given them."""
        self.serves = False
        self.is_silent = False
        """Whether it left an earlier `end` unanswered. Until it answers, nothing waits for it."""
        self.asked_seq: int | None = None
        """The last evaluation that it was asked to end."""
        self.announced: messages.Begin | None = None
        """The `begin` of the next evaluation, if it was already sent together with the last `end`."""
        self.n_covered_told = 0
        """Length of the part of the session's list of covered targets that was sent to this process."""
        self.late_covered: list[int] = []
        """Local ids of targets that were already covered when this process loaded their file."""

    @property
    def is_passive(self) -> bool:
        return self.hello.is_passive

    @property
    def is_there(self) -> bool:
        return self.connection.is_open

    def tell(self, payload: bytes) -> None:
        self.connection.send(payload)

    def add_file(self, base: int, ids: Sequence[TargetId]) -> None:
        """Adds the ids of the targets of one file; `base` is the local id of the first one."""
        missing = base - len(self.global_ids)
        if missing > 0:
            self.global_ids.extend([TargetId(-1)] * missing)
        self.global_ids[base : base + len(ids)] = ids
        for local, global_id in enumerate(ids, base):
            if self._local_ids.setdefault(global_id, local) != local:
                self._more_local_ids.setdefault(global_id, []).append(local)

    def local_ids(self, global_ids: Sequence[TargetId]) -> list[int]:
        """Returns the local ids of those targets that this process has."""
        known = self._local_ids
        out = [known[i] for i in global_ids if i in known]
        if self._more_local_ids:
            out += [local for i in global_ids for local in self._more_local_ids.get(i, ())]
        return out
