"""The binding of operations to HTTP, and the properties of an operation that the search derives from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from wimble.http.declarations import SAFE_METHODS, DeclaredLink, HttpInput, Location, ResponseSpec
from wimble.model.operation import Binding, Effect, Encoding, Input, InputRole, Operation, Subject
from wimble.model.resource_names import ONE, Place, named_resource, noun_of, singular
from wimble.types import OperationId

_EFFECTS: Final[dict[str, Effect]] = {
    "GET": "read", "POST": "create", "PUT": "replace", "PATCH": "change", "DELETE": "remove",
}  # fmt: skip
_ROLES: Final[dict[Location, InputRole]] = {"path": "subject", "body": "content"}
_WHOLE_PARAMETER: Final = re.compile(r"^\{([^{}]+)\}$")
_GRAPHQL_VARIABLES: Final = "variables"


class HttpBinding(Binding, frozen=True, kw_only=True):
    """The HTTP side of one operation. `inputs` are in a fixed order: path, query, header, cookie, body."""

    method: str
    """In upper case."""
    path: str
    """Template with `{name}`, including the server's base path."""
    inputs: tuple[HttpInput, ...] = ()
    """In the same order as the operation's inputs."""
    responses: tuple[ResponseSpec, ...] = ()
    """Empty if the document declares none; then no response is a violation."""
    operation_id: str = ""
    """The document's own name of the operation; empty if it has none."""
    links: tuple[DeclaredLink, ...] = ()
    summary: str = ""
    tags: tuple[str, ...] = ()
    security: tuple[tuple[str, ...], ...] | None = None
    """The same as `Operation.access`."""
    graphql: Literal["", "query", "mutation"] = ""
    """The root type of a GraphQL field; empty for operations of other APIs."""


def http_operation(
    *,
    id: OperationId,
    method: str,
    path: str,
    inputs: Sequence[HttpInput] = (),
    responses: Sequence[ResponseSpec] = (),
    operation_id: str = "",
    links: Sequence[DeclaredLink] = (),
    summary: str = "",
    tags: Sequence[str] = (),
    security: tuple[tuple[str, ...], ...] | None = None,
    graphql: Literal["", "query", "mutation"] = "",
    resource: str = "",
    provides: Literal["", "new", "existing"] = "",
    needs: tuple[tuple[str, str], ...] = (),
    credential_places: tuple[str, ...] = (),
) -> Operation:
    """Returns an operation with an HttpBinding of these fields. `link_targets.with_links` resolves its links later."""
    binding = HttpBinding(
        method=method,
        path=path,
        inputs=tuple(inputs),
        responses=tuple(responses),
        operation_id=operation_id,
        links=tuple(links),
        summary=summary,
        tags=tuple(tags),
        security=security,
        graphql=graphql,
    )
    operation = bound(binding, id=id, resource=resource, provides=provides, needs=needs)
    return msgspec.structs.replace(operation, credential_places=credential_places) if credential_places else operation


def bound(
    binding: HttpBinding,
    *,
    id: OperationId,
    resource: str = "",
    provides: Literal["", "new", "existing"] = "",
    needs: tuple[tuple[str, str], ...] = (),
) -> Operation:
    """Returns the operation of a binding.

    `resource`, if given, replaces the resource that the path implies: all fields of a GraphQL API share one path.
    """
    return Operation(
        id=id,
        binding=binding,
        inputs=inputs_of(binding),
        is_safe=binding.graphql == "query" or binding.method in SAFE_METHODS,
        effect=_EFFECTS.get(binding.method, "other"),
        place=("", resource) if resource else place_of(binding.path),
        group=binding.path,
        action=binding.path.rsplit("/", 1)[-1],
        subjects=_subjects(binding),
        resource=resource,
        provides=provides,
        needs=needs,
        answer_root=f"/data/{binding.operation_id}" if binding.graphql else "",
        results=tuple(
            schema
            for response in binding.responses
            if response.status.startswith("2")
            for _, schema in response.content
        ),
        access=binding.security,
    )


def inputs_of(binding: HttpBinding) -> tuple[Input, ...]:
    """Returns the operation's inputs, in the same order as those of the binding."""
    return tuple(_input(given, is_graphql=bool(binding.graphql)) for given in binding.inputs)


def binding_of(operation: Operation) -> HttpBinding:
    """Returns the operation's HTTP binding. Raises TypeError if it has another kind of binding."""
    binding = operation.binding
    if not isinstance(binding, HttpBinding):
        raise TypeError(f"not an operation over HTTP: {operation.id}")
    return binding


def place_of(path: str) -> Place:
    """Returns the segments of a path template, with nouns in singular and ONE for each segment with a parameter."""
    return tuple(ONE if "{" in part else singular(part) for part in path.split("/") if part)


def _input(given: HttpInput, *, is_graphql: bool) -> Input:
    return Input(
        name=given.name,
        template=given.template,
        required=given.required,
        role=_ROLES.get(given.location, "argument"),
        encoding=_encoding(given),
        is_repeatable=_is_repeatable(given),
        sent_in=given.location,
        varying_member=_GRAPHQL_VARIABLES if is_graphql else "",
        media_types=tuple(form.media_type for form in given.forms),
        is_undeclared=given.is_undeclared,
    )


def _encoding(given: HttpInput) -> Encoding:
    if "json" in given.media_type:
        return "json"
    is_form = given.location == "body" and given.media_type == "application/x-www-form-urlencoded"
    return "form" if is_form or given.location == "query" else "text"


def _is_repeatable(given: HttpInput) -> bool:
    return (
        given.location == "query"
        and given.style in ("", "form")
        and given.explode is not False
        and not given.media_type
    )


def _subjects(binding: HttpBinding) -> tuple[Subject, ...]:
    """Returns a subject for each path parameter that is a whole segment."""
    index_of = {given.name: index for index, given in enumerate(binding.inputs) if given.location == "path"}
    place = place_of(binding.path)
    found = []
    for position, part in enumerate(part for part in binding.path.split("/") if part):
        whole = _WHOLE_PARAMETER.match(part)
        if whole is None or whole[1] not in index_of:
            continue
        scope = place[:position]
        noun = noun_of(scope) or named_resource(whole[1]) or ""
        found.append(Subject(input_index=index_of[whole[1]], name=whole[1], resource=noun, scope=scope))
    return tuple(found)
