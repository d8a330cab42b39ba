"""Resets and fills a MongoDB database.

Documents are canonical Extended JSON, so that values keep their types. They are compared as texts, so that the order of
fields matters. As for tables, no change is overlooked: a command that is not known to only read counts as a change of
the collection that it names, or of all collections if it names none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from wimble.agent.mocks.connection_proxy import Connected
from wimble.model.database import Database, InsertRows, TableName
from wimble.state.mongo.mongo_catalogue import is_data, read_collections
from wimble.state.mongo.mongo_commands import ask, read_all
from wimble.state.proxied_database import Refused, RunQuery
from wimble.state.recovery_file import RecoveryFile
from wimble.state.resettable import Resettable
from wimble.types import Json

READING: Final = frozenset(
    [
        "find",
        "getMore",
        "aggregate",
        "count",
        "distinct",
        "explain",
        "listCollections",
        "listIndexes",
        "listDatabases",
        "collStats",
        "dbStats",
        "dbHash",
        "validate",
        "hostInfo",
        "createIndexes",
        "dropIndexes",
        "create",
        "commitTransaction",
        "abortTransaction",
        "getLastError",
        "startSession",
        "usersInfo",
        "rolesInfo",
    ]
)
"""Commands that change no document, including those that create indexes or empty collections."""
MAX_DOCUMENTS: Final = 20_000
BATCH_UNITS: Final = 4_000_000
"""The largest number of characters of the documents in one command; servers accept 48 MB."""

_TEXT = re.compile(r"(?P<collection>.*)\.(?P<verb>\w+)(?P<writes> \$\w+)?", re.DOTALL)
Documents: TypeAlias = dict[str, str]
"""Text of `_id` -> text of the document, in the collection's order."""


class SavedCollections(msgspec.Struct, frozen=True):
    """The content of a database before the run."""

    database: str
    collections: dict[str, list[str]]


class MongoDatabase(Resettable):
    """A MongoDB database, whose documents are restored by collection."""

    contents = "documents"

    def __init__(
        self, connected: Connected, run_query: RunQuery, journal: RecoveryFile | None, warn: Callable[[str], None]
    ) -> None:
        super().__init__(connected, run_query, journal, warn)
        self._initial: dict[str, Documents] = {}
        self._base: dict[str, Documents] = {}
        """The documents at `attach`. `rebaseline` changes `_initial` only."""
        self._left_alone: set[str] = set()
        self._pending: set[str] = set()
        self._is_swept = False
        self._new: set[str] = set()
        """Collections that are not in the schema and that commands have named since it was last read."""
        self._schema: Database | None = None

    @property
    def label(self) -> str:
        return f"MongoDB database {self.connected.name} on {self.connected.host}"

    @property
    def schema(self) -> Database | None:
        return self._schema

    @property
    def left_alone(self) -> tuple[TableName, ...]:
        return tuple(TableName(name) for name in sorted(self._left_alone))

    # ---- the initial content ----------------------------------------------------------------------------------------

    def attach(self, *, can_write: bool) -> None:
        """Reads the collections and, if documents may be written later, the documents."""
        try:
            self._read_schema()
            if can_write:
                self._put_back_saved()
                self._read_documents()
                self.can_write = True
        except (Refused, OSError) as error:
            self._warn(f"the {self.label} is not reset between tests: {error}")

    def _read_schema(self) -> None:
        self._schema = read_collections(self._run_query, self.connected)
        self._new.clear()

    def _read_documents(self) -> None:
        """Reads the documents of all collections and writes the recovery file. Raises: Refused, OSError."""
        for name in self._collections():
            documents = self._read(name)
            if documents is None:
                self._left_alone.add(name)
            else:
                self._initial[name] = documents
        if self._left_alone:
            names = ", ".join(sorted(self._left_alone)[:5])
            self._warn(
                f"collections of the {self.label} with more than {MAX_DOCUMENTS:,} documents are not reset: {names}"
            )
        self._base = dict(self._initial)
        if self._journal is not None:
            saved = {name: list(documents.values()) for name, documents in self._initial.items()}
            self._journal.write(SavedCollections(self.connected.id, saved))

    def _put_back_saved(self) -> None:
        """Restores documents that a killed run has changed, from its recovery file. Raises: Refused."""
        saved = self._journal.read(SavedCollections) if self._journal is not None else None
        if saved is None:
            return
        self._initial = {name: _by_id(map(json.loads, texts)) for name, texts in saved.collections.items()}
        self._is_swept = True
        self._take_back()
        self._initial = {}
        self._warn(f"documents of the {self.label} that an earlier run had left changed were put back")

    # ---- changes ----------------------------------------------------------------------------------------------------

    def note(self, text: str, params: Sequence[Json]) -> None:
        """Records what a command of the SUT may have changed; an empty text stands for an unknown command."""
        found = _TEXT.fullmatch(text)
        if found is None:
            self._is_swept = True
            return
        collection, verb = found["collection"], found["verb"]
        self._name(collection)
        if verb in READING and not found["writes"]:
            return
        if verb not in ("insert", "update", "delete", "findAndModify") or not collection:
            self._is_swept = True
        self._pending.add(collection)

    def _name(self, collection: str) -> None:
        """Records that a command names a collection, which it may have created."""
        if collection and self._schema is not None and all(one.name.name != collection for one in self._schema.tables):
            self._new.add(collection)

    def note_everything(self) -> None:
        self._is_swept = True

    @property
    def is_touched(self) -> bool:
        return self._is_swept or bool(self._pending)

    def _saved_rows(self, table: TableName) -> object | None:
        return self._initial.get(table.name)

    def _may_have_changed(self, table: TableName) -> bool:
        return self._is_swept or table.name in self._pending

    def _rebaseline(self) -> None:
        for name in self._suspects():
            documents = self._read(name)
            if documents is not None:
                self._initial[name] = documents
        self._settle()

    def baseline(self) -> object:
        return dict(self._initial)

    def use_baseline(self, baseline: object) -> None:
        assert isinstance(baseline, dict)
        names = self._initial.keys() | baseline.keys()
        self._pending |= {name for name in names if self._initial.get(name, {}) is not baseline.get(name, {})}
        self._initial = dict(baseline)

    def forget_rebaseline(self) -> None:
        changed = {name for name, documents in self._initial.items() if documents != self._base.get(name, {})}
        self._pending |= changed
        self._initial = dict(self._base)

    # ---- restoring and inserting ------------------------------------------------------------------------------------

    def _put_back(self, *, is_exact: bool) -> None:
        if self._new:
            self._read_schema()
        self._take_back()

    def insert(self, inserts: Sequence[InsertRows]) -> tuple[str, ...]:
        if not self.can_write:
            return ("the database is not written to",) * len(inserts)
        errors = []
        for one in inserts:
            self._name(one.table.name)
            self._pending.add(one.table.name)
            documents = [dict(zip(one.columns, row, strict=True)) for row in one.rows]
            try:
                self._insert(one.table.name, [_text(document) for document in documents])
                errors.append("")
            except Refused as error:
                errors.append(str(error))
        return tuple(errors)

    def _take_back(self) -> None:
        """Restores all collections that may have changed. Raises: Refused."""
        for name in self._suspects():
            current = self._read(name)
            if current is not None:
                self._restore(name, self._initial.get(name, {}), current)
        self._settle()

    def _settle(self) -> None:
        self._pending.clear()
        self._is_swept = False

    def _suspects(self) -> list[str]:
        names = set(self._pending)
        if self._is_swept:
            names |= {*self._collections(), *self._initial}
        return sorted(name for name in names if name not in self._left_alone and is_data(name))

    def _collections(self) -> list[str]:
        assert self._schema is not None
        if self._is_swept:
            self._read_schema()
        return [table.name.name for table in self._schema.tables if not table.is_view]

    def _restore(self, name: str, before: Documents, after: Documents) -> None:
        """Restores the documents in their order.

        A collection keeps insertion order, so all documents after a deleted one are inserted again.
        """
        lost = next((key for key in before if key not in after), None)
        keys = list(before)
        moved = set(keys[keys.index(lost) :]) if lost is not None else set()
        self._delete(name, [key for key in after if key not in before or key in moved])
        for key, text in before.items():
            if key not in moved and after[key] != text:
                self._replace(name, key, text)
        self._insert(name, [before[key] for key in keys if key in moved])

    def _read(self, name: str) -> Documents | None:
        """Returns the documents of a collection; None if there are more than MAX_DOCUMENTS. Raises: Refused."""
        found = read_all(self._run_query, name, MAX_DOCUMENTS)
        return None if found is None else _by_id(found)

    def _insert(self, name: str, texts: Sequence[str]) -> None:
        for some in _batches(texts):
            self._write(f'"insert":{json.dumps(name)},"documents":[{",".join(some)}]')

    def _delete(self, name: str, keys: Sequence[str]) -> None:
        for some in _batches(keys):
            self._write(
                f'"delete":{json.dumps(name)},"deletes":[{{"q":{{"_id":{{"$in":[{",".join(some)}]}}}},"limit":0}}]'
            )

    def _replace(self, name: str, key: str, text: str) -> None:
        self._write(f'"update":{json.dumps(name)},"updates":[{{"q":{{"_id":{{"$eq":{key}}}}},"u":{text}}}]')

    def _write(self, command: str) -> None:
        """Runs a writing command without validation of documents. Raises: Refused."""
        is_delete = command.startswith('"delete"')
        ask(self._run_query, "{" + command + ("}" if is_delete else ',"bypassDocumentValidation":true}'))


def _by_id(documents: Iterator[Json] | Sequence[Json]) -> Documents:
    return {_text(document.get("_id")): _text(document) for document in documents}


def _text(document: Json) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    units = 0
    for text in texts:
        if batch and units + len(text) > BATCH_UNITS:
            yield batch
            batch, units = [], 0
        batch.append(text)
        units += len(text)
    if batch:
        yield batch
