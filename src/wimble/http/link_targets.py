"""Resolves declared links to the inputs of later operations that take their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from wimble.http.binding import HttpBinding, binding_of
from wimble.http.declarations import DeclaredLink, HttpInput
from wimble.model.operation import Link, Operation
from wimble.types import OperationId


def with_links(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Returns the operations of one API, with the resolved links that their bindings declare."""
    known = tuple(operations)
    return tuple(
        msgspec.structs.replace(one, links=tuple(_link(one, link, known) for link in binding_of(one).links))
        if binding_of(one).links
        else one
        for one in known
    )


def _link(producer: Operation, link: DeclaredLink, operations: Sequence[Operation]) -> Link:
    return Link(
        pointer="" if link.sent_in not in ("", "body") else link.pointer,
        is_sent=bool(link.sent_in),
        sent_input=_sending_input(binding_of(producer), link),
        name=link.name,
        is_subject=link.location in ("", "path"),
        feeds=tuple(_feeds(producer, link, operations)),
    )


def _sending_input(binding: HttpBinding, link: DeclaredLink) -> int | None:
    for index, given in enumerate(binding.inputs):
        if given.location == link.sent_in and (link.sent_in == "body" or given.name == link.pointer):
            return index
    return None


def _feeds(
    producer: Operation, link: DeclaredLink, operations: Sequence[Operation]
) -> Iterator[tuple[OperationId, int]]:
    for target in _targets(link, operations):
        if target is not producer:
            taking = (i for i, given in enumerate(binding_of(target).inputs) if _is_meant(link, given))
            index = next(taking, None)
            if index is not None:
                yield target.id, index


def _targets(link: DeclaredLink, operations: Sequence[Operation]) -> list[Operation]:
    """Returns the operation that a link names; if it names none, all operations whose path has the parameter."""
    if not link.target:
        is_meant = link.location in ("", "path")
        return [one for one in operations if is_meant and f"{{{link.name}}}" in binding_of(one).path]
    named = [one for one in operations if binding_of(one).operation_id == link.target]
    if named:
        return named
    verb, _, path = link.target.partition(" ")
    # An operation's path begins with the server's base path, which the link's path does not contain.
    ending = [
        one for one in operations if path and binding_of(one).method == verb and binding_of(one).path.endswith(path)
    ]
    return [min(ending, key=lambda one: len(binding_of(one).path))] if ending else []


def _is_meant(link: DeclaredLink, given: HttpInput) -> bool:
    if link.location == "body":
        # With several media types, the body's gene chooses among them, so a reference must not replace it.
        return given.location == "body" and len(given.forms) < 2
    return given.location != "body" and given.name == link.name and link.location in ("", given.location)
