"""Values of requests that earlier answers give: a person who repeats the commands may have to put in others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from wimble.genes.reference import ReferenceGene
from wimble.http.exchange import COOKIE_POINTER, HEADER_POINTER, exchange_of, request_of
from wimble.http.http_messages import HttpRequest
from wimble.model.observation import FIELD_POINTER, Observation
from wimble.model.testcase import TestCase
from wimble.types import Json

MAX_CHARS: Final = 60
"""Length of a value from which on it is no id that a person could look for in a command."""


def taken_values(test_case: TestCase, observations: Sequence[Observation]) -> list[str]:
    """Returns comments for the commands of the calls: `# 7 in command 2: /id in the answer to command 1`.

    Not for credentials, which are variables in the commands.
    """
    return list(dict.fromkeys(_comments(test_case, observations)))


def _comments(test_case: TestCase, observations: Sequence[Observation]) -> Iterator[str]:
    exchanges = [exchange_of(one) for one in observations]
    secrets = [one.pointed(given.pointer) for one in exchanges for given in one.credentials()]
    for address, gene in test_case.iter_genes():
        index = address.call
        if not (isinstance(gene, ReferenceGene) and 0 <= gene.call < index < len(observations)):
            continue
        if test_case.calls[index].operation.inputs[address.input].role == "credential":
            continue
        value = exchanges[gene.call].pointed(gene.pointer)
        if _is_id(value) and value not in secrets and _holds(request_of(observations[index]), str(value)):
            yield f"# {value} in command {index + 1}: {_told(gene.pointer)} in the answer to command {gene.call + 1}"


def _is_id(value: Json) -> bool:
    is_plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return is_plain and 0 < len(str(value)) <= MAX_CHARS


def _holds(request: HttpRequest, text: str) -> bool:
    return text in unquote(request.target) or text in (request.body or b"").decode("utf-8", "replace")


def _told(pointer: str) -> str:
    for prefix, told in (
        (COOKIE_POINTER, "cookie "),
        (HEADER_POINTER, "header "),
        (FIELD_POINTER, "the field "),
    ):
        if pointer.startswith(prefix):
            return told + pointer.removeprefix(prefix)
    return pointer or "the whole body"
