"""Commands to MongoDB, over the SUT's own connection: a command is Extended JSON, and so is the server's reply."""

from __future__ import annotations

import json
from typing import Final

from wimble.state.lend import Lend, Refused
from wimble.types import Json

BATCH: Final = 1000
"""Documents of one reply."""


def ask(lend: Lend, command: str) -> Json:
    """The server's reply. Raises: Refused, also where a write was refused."""
    result = lend(command, ())
    if result.error:
        raise Refused(result.error)
    ((reply,),) = result.rows
    refused = reply.get("writeErrors")
    if refused:
        raise Refused(str(refused[0].get("errmsg")))
    return reply


def read_all(lend: Lend, collection: str, most: int) -> list[Json] | None:
    """All documents of a collection, as they lie in it; None where there are more than `most`. Raises: Refused."""
    return _batches(lend, f'{{"find":{json.dumps(collection)},"filter":{{}},"batchSize":{BATCH}}}', collection, most)


def read_list(lend: Lend, command: str, most: int = 10_000) -> list[Json]:
    """What a command such as `listCollections` lists. Raises: Refused."""
    return _batches(lend, command, "", most) or []


def _batches(lend: Lend, command: str, collection: str, most: int) -> list[Json] | None:
    cursor = ask(lend, command)["cursor"]
    found: list[Json] = list(cursor["firstBatch"])
    while int(cursor["id"]["$numberLong"]) != 0:
        if len(found) > most:
            return None
        name = collection or cursor["ns"].split(".", 1)[1]
        more = f'{{"getMore":{json.dumps(cursor["id"])},"collection":{json.dumps(name)},"batchSize":{BATCH}}}'
        cursor = ask(lend, more)["cursor"]
        found += cursor["nextBatch"]
    return found if len(found) <= most else None
