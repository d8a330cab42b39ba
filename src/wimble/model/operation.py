"""Operations: the entry points of the API, as the specification (or discovery) gives them. Plain, frozen data."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.genes.base import Gene
from wimble.types import Json, OperationId

Location = Literal["path", "query", "header", "cookie", "body"]


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """One input of an operation. `template` is the gene that each call starts from (already optional if not required)."""

    name: str
    location: Location
    template: Gene
    required: bool = False
    style: str = ""
    """OpenAPI parameter style (`form`, `simple`, `deepObject`, ...); empty: the location's default."""
    explode: bool | None = None
    """None: the style's default. Swagger 2 `collectionFormat` is translated by the spec layer."""
    media_type: str = ""
    """For a body: `application/json`, `application/x-www-form-urlencoded`, ..."""


class ResponseSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What the document declares for one status. `status` is `200`, `4XX` or `default`, upper case."""

    status: str
    content: tuple[tuple[str, Json], ...] = ()
    """(media type, self-contained JSON schema in draft 2020-12 form or None where none is declared)."""


class Operation(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One operation; compared by identity. `inputs` are in a fixed order: path, query, header, cookie, body."""

    id: OperationId
    method: str
    """Upper case."""
    path: str
    """Template with `{name}`, the server's base path included."""
    inputs: tuple[Input, ...] = ()
    responses: tuple[ResponseSpec, ...] = ()
    """Empty: the document declares none, so no response can break it."""
    operation_id: str = ""
    """The document's own name for it; empty where it has none."""
    summary: str = ""
    tags: tuple[str, ...] = ()


class Specification(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded API description."""

    title: str
    operations: tuple[Operation, ...]
    source: str
    """File or URL it came from."""
    kind: str = "openapi"
    version: str = ""
    warnings: tuple[str, ...] = ()
    """One line each: place in the document, what is wrong, what was done instead."""
