"""One process of the SUT, as the core knows it."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.agent import messages
from wimble.agent.transport import AgentConnection
from wimble.types import TargetId


class Agent:
    """One process of the SUT. Maps its target ids to ours and back."""

    def __init__(self, connection: AgentConnection, hello: messages.Hello) -> None:
        self.connection = connection
        self.hello = hello
        self.global_ids: list[TargetId] = []
        self._local_ids: dict[TargetId, int] = {}
        self._more_local_ids: dict[TargetId, list[int]] = {}
        self.serves = False
        self.is_silent = False
        """Did not answer an earlier `end`; not waited for until it does."""
        self.asked_seq: int | None = None
        """The evaluation that it was last asked to end."""
        self.announced: messages.Begin | None = None
        """The `begin` of the next evaluation that it has been sent already, together with the last `end`."""
        self.n_covered_told = 0
        """How much of the session's list of covered targets this process has been told."""
        self.late_covered: list[int] = []
        """Local ids of targets that were covered before this process loaded their file."""

    @property
    def is_passive(self) -> bool:
        return self.hello.is_passive

    @property
    def is_there(self) -> bool:
        return self.connection.is_open

    def tell(self, payload: bytes) -> None:
        self.connection.send(payload)

    def add_file(self, base: int, ids: Sequence[TargetId]) -> None:
        missing = base - len(self.global_ids)
        if missing > 0:
            self.global_ids.extend([TargetId(-1)] * missing)
        self.global_ids[base : base + len(ids)] = ids
        for local, global_id in enumerate(ids, base):
            if self._local_ids.setdefault(global_id, local) != local:
                self._more_local_ids.setdefault(global_id, []).append(local)

    def local_ids(self, global_ids: Sequence[TargetId]) -> list[int]:
        """Ids of this process for those of the targets that it knows."""
        known = self._local_ids
        out = [known[i] for i in global_ids if i in known]
        if self._more_local_ids:
            out += [local for i in global_ids for local in self._more_local_ids.get(i, ())]
        return out
