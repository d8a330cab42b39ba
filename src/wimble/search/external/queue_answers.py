"""Answers of Amazon SQS, whose clients refuse messages with wrong checksums before the program sees them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wimble.genes.taint_markers import taint_marker
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.checksums import md5_of
from wimble.types import Json

_TARGET = "AmazonSQS."
_ERROR: Json = {"__type": "com.amazonaws.sqs#error-code", "message": "error-message"}


def queue_answers(request: ExternalRequest, sent: dict[str, Json], rng: Random) -> Iterator[tuple[int, Json]]:
    """Yields statuses and bodies; nothing if it is no request to SQS. sent: the members of the request's body."""
    target = request.header("x-amz-target")
    if not target.startswith(_TARGET):
        return
    match target.removeprefix(_TARGET):
        case "SendMessage":
            yield 200, _received(sent, rng)
        case "SendMessageBatch":
            entries = sent.get("Entries")
            found: list[Json] = [
                {"Id": one.get("Id"), **_received(one, rng)}
                for one in (entries if isinstance(entries, list) else [])
                if isinstance(one, dict)
            ]
            yield 200, {"Successful": found, "Failed": []}
        case "ReceiveMessage":
            message: Json = {
                "MessageId": taint_marker(rng),
                "ReceiptHandle": taint_marker(rng),
                "Body": "{}",
                "MD5OfBody": md5_of("{}"),
            }
            yield 200, {"Messages": [message]}
    yield 400, _ERROR


def _received(message: dict[str, Json], rng: Random) -> dict[str, Json]:
    return {"MessageId": taint_marker(rng), "MD5OfMessageBody": md5_of(str(message.get("MessageBody") or ""))}
