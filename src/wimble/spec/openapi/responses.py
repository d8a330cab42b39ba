"""Builds the response specs, with which oracles compare answers, from declared responses."""

from __future__ import annotations

import re
from typing import Final

from wimble.http.declarations import ResponseSpec
from wimble.spec.loading.document import Document, at, shown
from wimble.spec.openapi import media_types
from wimble.spec.schemas.normalise import SchemaNormaliser
from wimble.types import Json

ANY_MEDIA_TYPE = "*/*"
_OF_GENERATOR: Final = {"200": {"description": "Default Response"}}
"""What @fastify/swagger writes for a route that declares no response: the format demands one."""
_STATUS = re.compile(r"[1-5][0-9][0-9]|[1-5]XX")


class ResponseBuilder:
    """Builds the response specs of one document."""

    def __init__(self, document: Document, normaliser: SchemaNormaliser) -> None:
        self._document = document
        self._normaliser = normaliser

    def build(self, operation: dict[str, Json], produces: list[str], place: str) -> tuple[ResponseSpec, ...]:
        """Returns one spec for each declared status. `produces`: media types of a 2.0 operation."""
        found: dict[str, ResponseSpec] = {}
        declared = self._document.section(operation, "responses", place)
        if declared == _OF_GENERATOR:
            return ()
        for key, raw in declared.items():
            here = at(place, "responses", key)
            status = self._status(str(key), here)
            if status is None:
                continue
            response, target_place = self._document.followed(raw, here)
            # A status whose declaration cannot be read still counts as declared.
            content = self._content(response, produces, target_place) if response is not None else ()
            found[status] = ResponseSpec(status=status, content=content)
        return tuple(found.values())

    def _status(self, key: str, place: str) -> str | None:
        if key.startswith("x-"):
            return None
        if key.lower() == "default":
            return "default"
        upper = key.strip().upper()
        if _STATUS.fullmatch(upper):
            return upper
        self._document.warn(place, f"{shown(key)} is not a status", "response ignored")
        return None

    def _content(self, response: dict[str, Json], produces: list[str], place: str) -> tuple[tuple[str, Json], ...]:
        if self._document.is_swagger2:
            return self._swagger2_content(response, produces, place)
        found: dict[str, Json] = {}
        for written, media in self._document.section(response, "content", place).items():
            here = at(place, "content", written)
            media_type = media_types.bare(written)
            if "/" not in media_type:
                self._document.warn(here, f"{shown(written)} is not a media type", "any type is allowed")
                media_type = ANY_MEDIA_TYPE
            schema = media.get("schema") if isinstance(media, dict) else None
            found[media_type] = self._schema(schema, media_type, at(here, "schema"))
        return tuple(found.items())

    def _swagger2_content(
        self, response: dict[str, Json], produces: list[str], place: str
    ) -> tuple[tuple[str, Json], ...]:
        """Returns (media type, schema) pairs of a 2.0 response.

        Returns () without `schema`: by the standard, the response has no body; in practice, the body is just not
        described.
        """
        raw = response.get("schema")
        if raw is None:
            return ()
        return tuple(
            (media_type, self._schema(raw, media_type, at(place, "schema")))
            for media_type in dict.fromkeys(media_types.bare(one) for one in produces or [ANY_MEDIA_TYPE])
            if "/" in media_type
        )

    def _schema(self, raw: Json, media_type: str, place: str) -> Json:
        """Returns the schema, or None if there is nothing to compare with: no schema, or a body that is not JSON."""
        if raw is None or not (media_types.is_json(media_type) or "*" in media_type):
            return None
        schema = self._normaliser.self_contained(self._normaliser.normalise(raw, place))
        return schema if isinstance(schema, dict) and schema else None
