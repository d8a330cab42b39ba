"""The core's view of one process of the SUT."""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from wimble.agent.protocol import messages
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
        self._serves = False
        self._has_seen_calls = False
        self._is_silent = False
        self._asked_seq: int | None = None
        self._announced: messages.Begin | None = None
        self._n_covered_told = 0
        """Length of the part of the session's list of covered targets that was sent to this process."""
        self._late_covered: list[int] = []
        """Local ids of targets that were already covered when this process loaded their file."""

    # ---- what is known of it ----------------------------------------------------------------------------------------

    @property
    def serves(self) -> bool:
        """Whether it has a server, or hosts a library."""
        return self._serves

    def note_serving(self) -> None:
        self._serves = True

    def note_schema(self, message: messages.SchemaMessage) -> None:
        self.schemas[message.id] = AppliedSchema.of(message.library, message.schema)

    @property
    def is_passive(self) -> bool:
        return self.hello.is_passive

    @property
    def is_there(self) -> bool:
        return self.connection.is_open

    # ---- evaluations ------------------------------------------------------------------------------------------------

    def tell(self, payload: bytes) -> None:
        self.connection.send(payload)

    @property
    def reads_before_calls(self) -> bool:
        """Whether it reads all that was sent to it before a call begins, if the mark says that there is something."""
        return self.hello.reads_mark and self._has_seen_calls and self.connection.is_flushed

    def begin(self, begin: messages.Begin, covered: Sequence[TargetId], *, mark: int) -> bool:
        """Sends `begin`, unless it was announced as it is; returns whether it replaces one that was announced.

        covered: all targets that are covered, in order; those that this process was not told of are sent. mark: what
        the mark will say if it replaces one.
        """
        announced, self._announced = self._announced, None
        if self._n_covered_told == len(covered) and not self._late_covered and announced == begin:
            return False
        is_replaced = announced is not None
        self._send(msgspec.structs.replace(begin, mark=mark) if is_replaced else begin, covered)
        return is_replaced

    def announce(self, begin: messages.Begin, covered: Sequence[TargetId], *, after: Sequence[bytes]) -> None:
        """Sends the `begin` of the next evaluation together with the messages that end the present one."""
        self._announced = begin
        self._send(begin, covered, after=after)

    def _send(self, begin: messages.Begin, covered: Sequence[TargetId], *, after: Sequence[bytes] = ()) -> None:
        news = self._late_covered
        if self._n_covered_told < len(covered):
            news = news + self.local_ids(covered[self._n_covered_told :])
            self._n_covered_told = len(covered)
        self._late_covered = []
        payload = messages.encode_core_message(msgspec.structs.replace(begin, covered=news) if news else begin)
        self.connection.send(*after, payload)

    def note_asked(self, seq: int) -> None:
        """Notes that it is asked to end an evaluation."""
        self._asked_seq = seq

    def note_result(self, seq: int, n_calls: int) -> None:
        """Notes that it has ended an evaluation, in which it has seen so many calls begin."""
        if seq == self._asked_seq:
            self._is_silent = False
        self._has_seen_calls = n_calls > 0

    def note_silence(self) -> None:
        """Notes that it left an `end` unanswered. Until it answers, nothing waits for it."""
        self._is_silent = True

    @property
    def is_silent(self) -> bool:
        """Whether it left an earlier `end` unanswered."""
        return self._is_silent

    def is_awaited(self, seq: int) -> bool:
        """Whether it was asked to end this evaluation, and may be waited for."""
        return self._asked_seq == seq and not self._is_silent

    # ---- ids of targets ---------------------------------------------------------------------------------------------

    def add_file(self, base: int, ids: Sequence[TargetId], covered: Container[TargetId]) -> None:
        """Adds the ids of the targets of one file; `base` is the local id of the first one.

        covered: all targets that are covered. A process that was told of some before is told of those of the file, too.
        """
        missing = base - len(self.global_ids)
        if missing > 0:
            self.global_ids.extend([TargetId(-1)] * missing)
        self.global_ids[base : base + len(ids)] = ids
        for local, global_id in enumerate(ids, base):
            if self._local_ids.setdefault(global_id, local) != local:
                self._more_local_ids.setdefault(global_id, []).append(local)
        if self._n_covered_told:
            self._late_covered += self.local_ids([one for one in ids if one in covered])

    def local_ids(self, global_ids: Sequence[TargetId]) -> list[int]:
        """Returns the local ids of those targets that this process has."""
        known = self._local_ids
        out = [known[i] for i in global_ids if i in known]
        if self._more_local_ids:
            out += [local for i in global_ids for local in self._more_local_ids.get(i, ())]
        return out
