"""The connection proxy: queries to the SUT's databases over the SUT's own connections.

It also records which databases and models the agents report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import msgspec

from wimble.agent.protocol import database_messages, messages
from wimble.model.database import DatabaseLogin, QueryResult, TableRules
from wimble.types import Json

QUERY_TIMEOUT_S: Final = 30.0
GONE: Final = "the SUT has ended"


class Peer(Protocol):
    """The part of an agent that the connection proxy uses."""

    def tell(self, payload: bytes) -> None: ...
    @property
    def is_there(self) -> bool: ...


class Connected(msgspec.Struct, frozen=True, kw_only=True):
    """A database that the SUT has connected to."""

    id: str
    driver: str
    dialect: str
    """`postgres`, `mysql`, `sqlite`, `mongo`, `redis`."""
    host: str
    """Empty for a local server without a name, or for no server."""
    port: int
    name: str
    is_local: bool
    """Whether it is on this machine."""
    is_in_process: bool
    """Whether it is in the memory of the SUT's process, so that each start has a new one."""
    login: DatabaseLogin = DatabaseLogin()


class ConnectionProxy:
    """The databases of one start of the SUT, and the processes that are connected to them."""

    def __init__(self, poll_until: Callable[[Callable[[], bool], float], bool]) -> None:
        self._poll_until = poll_until
        self._peers: dict[str, list[Peer]] = {}
        self._answers: dict[int, database_messages.Rows] = {}
        self._n_queries = 0
        self._held: list[tuple[str, Peer]] = []
        self.connected: dict[str, Connected] = {}
        """Databases by id, in the order of their first use."""
        self.is_expected = False
        """Whether any start of the SUT has connected to a database. This one may do so in its first call."""
        self.is_disturbed_ahead = False
        """Whether any start of the SUT has connected to a database that other starts see, too, where one that is made
        ahead of its use would have done so before it is held.
        """
        self.models: tuple[TableRules, ...] = ()
        """Rules of the SUT's models in the order in which they were reported; kept over restarts."""

    def forget(self) -> None:
        """Forgets all databases and processes, before another start."""
        self._peers.clear()
        self._answers.clear()
        self._held.clear()
        self.connected.clear()

    def hear_database(self, peer: Peer, message: database_messages.DatabaseMessage) -> None:
        """Handles the first use of a database by a process."""
        self.is_expected = True
        self.is_disturbed_ahead |= not (message.is_in_process or message.is_reached_late)
        self._peers.setdefault(message.id, []).append(peer)
        if message.held:
            self._held.append((message.id, peer))
        self.connected.setdefault(
            message.id,
            Connected(
                id=message.id,
                driver=message.driver,
                dialect=message.dialect,
                host=message.host,
                port=message.port,
                name=message.name,
                is_local=message.is_local,
                is_in_process=message.is_in_process,
                login=msgspec.convert(message, DatabaseLogin, from_attributes=True),
            ),
        )

    def hear_rows(self, message: database_messages.Rows) -> None:
        """Handles the answer to a query. Late answers to earlier queries are dropped."""
        if message.n == self._n_queries:
            self._answers[message.n] = message

    def hear_models(self, message: database_messages.ModelsMessage) -> None:
        """Handles a report of models. Rules that are already known are not added again."""
        for table in message.tables:
            rules = TableRules(
                table=table.table, schema=table.schema, columns={one.column: one.rules for one in table.columns}
            )
            if rules not in self.models:
                self.models += (rules,)

    @property
    def has_held(self) -> bool:
        """Whether a process is waiting for `release` with its first command."""
        return bool(self._held)

    def release(self) -> None:
        """Lets the waiting processes run their first commands."""
        held, self._held = self._held, []
        for database, peer in held:
            peer.tell(messages.encode_core_message(database_messages.Release(database=database)))

    def query(self, database: str, text: str, params: Sequence[Json] = ()) -> QueryResult:
        """Runs a query on the SUT's own connection, outside of any transaction of the SUT.

        Errors are returned in the result, including a process that has ended or does not answer within QUERY_TIMEOUT_S.
        """
        peer = next((peer for peer in reversed(self._peers.get(database, ())) if peer.is_there), None)
        if peer is None:
            return QueryResult(error=GONE)
        self._n_queries += 1
        n = self._n_queries
        peer.tell(
            messages.encode_core_message(
                database_messages.Query(n=n, database=database, text=text, params=list(params))
            )
        )
        self._poll_until(lambda: n in self._answers or not peer.is_there, QUERY_TIMEOUT_S)
        answer = self._answers.pop(n, None)
        if answer is None:
            return QueryResult(error=f"no answer within {QUERY_TIMEOUT_S:g} s" if peer.is_there else GONE)
        return QueryResult(
            columns=tuple(answer.columns),
            rows=tuple(tuple(row) for row in answer.rows),
            affected=answer.affected,
            error=answer.error,
        )
