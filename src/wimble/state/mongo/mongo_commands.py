"""Sends commands to MongoDB over a connection of the SUT's driver. Commands and replies are Extended JSON."""

from __future__ import annotations

import json
from typing import Final

from wimble.state.proxied_database import Refused, RunQuery, rows_of
from wimble.types import Json

BATCH: Final = 1000
"""The largest number of documents in one reply."""


def ask(run_query: RunQuery, command: str) -> Json:
    """Sends a command and returns the server's reply. Raises: Refused, also if a write of the command was refused."""
    ((reply,),) = rows_of(run_query, command)
    refused = reply.get("writeErrors")
    if refused:
        raise Refused(str(refused[0].get("errmsg")))
    return reply


def read_all(run_query: RunQuery, collection: str, most: int) -> list[Json] | None:
    """Returns all documents of a collection in natural order; None if there are more than `most`. Raises: Refused."""
    return _batches(
        run_query, f'{{"find":{json.dumps(collection)},"filter":{{}},"batchSize":{BATCH}}}', collection, most
    )


def read_list(run_query: RunQuery, command: str, most: int = 10_000) -> list[Json]:
    """Returns the documents that a command such as `listCollections` lists. Raises: Refused.

    An empty list if there are more than `most`.
    """
    return _batches(run_query, command, "", most) or []


def _batches(run_query: RunQuery, command: str, collection: str, most: int) -> list[Json] | None:
    cursor = ask(run_query, command)["cursor"]
    found: list[Json] = list(cursor["firstBatch"])
    while int(cursor["id"]["$numberLong"]) != 0:
        if len(found) > most:
            return None
        name = collection or cursor["ns"].split(".", 1)[1]
        more = f'{{"getMore":{json.dumps(cursor["id"])},"collection":{json.dumps(name)},"batchSize":{BATCH}}}'
        cursor = ask(run_query, more)["cursor"]
        found += cursor["nextBatch"]
    return found if len(found) <= most else None
