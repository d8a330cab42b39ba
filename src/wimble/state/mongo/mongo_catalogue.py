"""Reads MongoDB's collections as tables: the fields that a validator describes, and the unique indexes."""

from __future__ import annotations

import json
from typing import Final

from wimble.agent.mocks.connection_proxy import Connected
from wimble.databases.mongo.collection_schema import columns_of_schema
from wimble.model.database import Column, Database, Table, TableName, UniqueKey
from wimble.state.mongo.mongo_commands import read_list
from wimble.state.proxied_database import Refused, RunQuery
from wimble.types import Json

ID: Final = Column(name="_id", type_name="objectId", type="objectid", is_nullable=False)


def is_data(name: str) -> bool:
    """Returns whether a collection holds data of programs, and is not one of the server's own."""
    return not name.startswith("system.")


def read_collections(run_query: RunQuery, connected: Connected) -> Database:
    """Returns the database with all collections and views except time series. Raises: Refused."""
    listed = read_list(run_query, '{"listCollections":1,"filter":{}}')
    tables = [_table(run_query, one) for one in listed if is_data(one["name"]) and one.get("type") != "timeseries"]
    tables.sort(key=lambda table: table.name)
    return Database(id=connected.id, dialect="mongo", tables=tuple(tables), name=connected.name)


def _table(run_query: RunQuery, listed: Json) -> Table:
    name = listed["name"]
    is_view = listed.get("type") == "view"
    validator = listed.get("options", {}).get("validator", {})
    columns = columns_of_schema(validator.get("$jsonSchema", {}))
    return Table(
        name=TableName(name),
        columns=columns if any(column.name == "_id" for column in columns) else (ID, *columns),
        primary_key=("_id",),
        unique=() if is_view else _unique_keys(run_query, name),
        is_view=is_view,
    )


def _unique_keys(run_query: RunQuery, name: str) -> tuple[UniqueKey, ...]:
    try:
        indexes = read_list(run_query, f'{{"listIndexes":{json.dumps(name)}}}')
    except Refused:  # a server without that command, or a collection that was dropped
        return ()
    return tuple(
        UniqueKey(tuple(index["key"]))
        for index in indexes
        if index.get("unique") is True and "partialFilterExpression" not in index
    )
