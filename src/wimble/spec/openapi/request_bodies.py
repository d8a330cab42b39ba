"""Builds the body input of an operation: JSON, forms, XML or text.

If an operation accepts several media types, a gene chooses among them.
"""

from __future__ import annotations

from typing import Any

from wimble.genes import ChoiceGene, Gene, OptionalGene, probabilities
from wimble.http.declarations import BodyForm, HttpInput, Part
from wimble.spec.loading.document import MISSING, Document, at, shown
from wimble.spec.openapi import media_types
from wimble.spec.openapi.form_parts import parts_of
from wimble.spec.openapi.parameters import Parameter, example_values, without_parameter_keys
from wimble.spec.schemas.normalise import SchemaNormaliser
from wimble.spec.schemas.schema_genes import GeneBuilder
from wimble.spec.schemas.xml_shapes import xml_shape
from wimble.types import Json

_BODY_NAME = "body"
MAX_MEDIA_TYPES = 4
"""Maximum per operation; each media type has its own genes."""


class _Option:
    """One media type, and the schema of the content written in it."""

    __slots__ = ("encoding", "media_type", "place", "raw", "seeds")

    def __init__(
        self,
        media_type: str,
        raw: Any,
        place: str,
        *,
        seeds: tuple[Json, ...] = (),
        encoding: dict[str, Any] | None = None,
    ) -> None:
        self.media_type = media_type
        self.raw = raw
        self.place = place
        self.seeds = seeds
        self.encoding = encoding or {}


def _distinct(options: list[_Option]) -> list[_Option]:
    """Removes duplicate media types.

    Generators list `application/json`, `text/json` and `application/*+json` together; with the same schema, they are
    one option.
    """
    kept: list[_Option] = []
    for option in options:
        is_plain_json = media_types.is_json(option.media_type) and "patch" not in option.media_type
        same = [one for one in kept if one.raw == option.raw and media_types.is_json(one.media_type)]
        if not (is_plain_json and same) and all(one.media_type != option.media_type for one in kept):
            kept.append(option)
    return kept


def _joining(raw: dict[str, Json]) -> dict[str, Json]:
    """Returns the `collectionFormat` of a 2.0 form field as `style` and `explode` of 3.x."""
    style = {"ssv": "spaceDelimited", "pipes": "pipeDelimited", "tsv": "tabDelimited"}
    written = raw.get("collectionFormat", "csv")
    return {"style": style.get(str(written), "form"), "explode": written == "multi"}


class BodyBuilder:
    """Builds the body inputs of one document."""

    def __init__(self, document: Document, normaliser: SchemaNormaliser, genes: GeneBuilder) -> None:
        self._document = document
        self._normaliser = normaliser
        self._genes = genes

    def from_request_body(self, operation: dict[str, Json], place: str) -> HttpInput | None:
        """Returns the body input of an OpenAPI 3.x operation (`requestBody`), or None if it has no usable body."""
        if operation.get("requestBody") is None:
            return None
        body, here = self._document.followed(operation["requestBody"], at(place, "requestBody"))
        if body is None:
            return None
        content = self._document.section(body, "content", here)
        options = []
        for written in self._chosen(list(content), at(here, "content")):
            media, media_place = content[written], at(here, "content", written)
            if isinstance(media, dict) and "$ref" in media:  # 3.2
                media, media_place = self._document.followed(media, media_place)
            if not isinstance(media, dict):
                self._document.warn(media_place, f"an object is expected, found {shown(media)}", "any value is sent")
                media = {}
            options.append(self._media(media, media_types.concrete(media_types.bare(written)), media_place))
        return self._input(_distinct(options), required=body.get("required") is True)

    def _media(self, media: dict[str, Json], media_type: str, place: str) -> _Option:
        raw = media.get("schema")
        if raw is None and media.get("itemSchema") is not None:  # 3.2
            items = media["itemSchema"]
            raw = {"type": "array", "items": items} if media_type in media_types.SEQUENCES else items
        if raw is None:
            raw = _default_schema(media_type)
        return _Option(
            media_type,
            raw,
            at(place, "schema"),
            seeds=example_values(self._document, media, place),
            encoding=self._document.section(media, "encoding", place),
        )

    def from_swagger2(self, parameters: list[Parameter], consumes: list[str], place: str) -> HttpInput | None:
        """Returns the body input of a 2.0 operation: of one `in: body` parameter or several `in: formData`, or None."""
        bodies = [parameter for parameter in parameters if parameter.location == "body"]
        fields = [parameter for parameter in parameters if parameter.location == "formData"]
        if bodies:
            best = next((body for body in bodies if self._leads_somewhere(body)), bodies[0])
            if len(bodies) > 1 or fields:
                self._document.warn(place, "more than one body", f"only `{best.name}` is used")
            return self._body_parameter(best, consumes, place)
        return self._form(fields, consumes) if fields else None

    def _body_parameter(self, parameter: Parameter, consumes: list[str], place: str) -> HttpInput | None:
        chosen = self._chosen(consumes or [media_types.JSON], at(place, "consumes"))
        if not chosen:
            return None
        types = [media_types.concrete(media_types.bare(written)) for written in chosen]
        raw = parameter.raw.get("schema")
        if raw is None:
            if "type" in parameter.raw:
                raw = without_parameter_keys(parameter.raw)
            else:
                self._document.warn(parameter.place, "a body without a schema", "any value is sent")
                raw = _default_schema(types[0])
        examples = parameter.raw.get("x-examples", parameter.raw.get("x-example"))
        seeds = tuple(examples.values()) if isinstance(examples, dict) else ()
        required = parameter.raw.get("required") is True
        here = at(parameter.place, "schema")
        return self._input(
            _distinct([_Option(media_type, raw, here, seeds=seeds) for media_type in types]), required=required
        )

    def _leads_somewhere(self, parameter: Parameter) -> bool:
        """Whether the schema of a body parameter can be resolved.

        Generators list injected arguments as bodies too, with references to types that the document does not describe.
        """
        schema = parameter.raw.get("schema")
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        return not isinstance(reference, str) or self._document.pointed(reference)[0] is not MISSING

    def _form(self, fields: list[Parameter], consumes: list[str]) -> HttpInput | None:
        declared = [media_types.bare(one) for one in consumes]
        has_file = any(field.raw.get("type") == "file" for field in fields)
        is_multipart = has_file or (media_types.MULTIPART in declared and media_types.FORM not in declared)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {field.name: without_parameter_keys(field.raw) for field in fields},
            "required": [field.name for field in fields if field.raw.get("required") is True],
        }
        place = fields[0].place.rsplit("/", 1)[0]
        encoding = {field.name: _joining(field.raw) for field in fields if field.raw.get("type") == "array"}
        types = [media_types.MULTIPART if is_multipart else media_types.FORM]
        if not has_file and {media_types.MULTIPART, media_types.FORM} <= set(declared):
            types = [media_types.FORM, media_types.MULTIPART]
        options = [_Option(media_type, schema, place, encoding=encoding) for media_type in types]
        return self._input(options, required=bool(schema["required"]))

    def _chosen(self, written: list[str], place: str) -> list[str]:
        """Returns the media types that can be sent, best first, as written in the document; at most MAX_MEDIA_TYPES."""
        if not written:
            self._document.warn(place, "no media type", "no body is sent")
        usable = []
        for one in written:
            if "/" in media_types.concrete(media_types.bare(one)):
                usable.append(one)
            else:
                instead = "ignored" if len(written) > 1 else "no body is sent"
                self._document.warn(place, f"{shown(one)} is not a media type", instead)
        usable.sort(key=lambda one: media_types.preference(media_types.concrete(media_types.bare(one))))
        return usable[:MAX_MEDIA_TYPES]

    def _input(self, options: list[_Option], *, required: bool) -> HttpInput | None:
        if not options:
            return None
        built = [self._built(option) for option in options]
        genes = tuple(gene for gene, _ in built)
        gene = (
            genes[0] if len(genes) == 1 else ChoiceGene(genes, first_probability=probabilities.FIRST_MEDIA_PROBABILITY)
        )
        return HttpInput(
            name=_BODY_NAME,
            location="body",
            template=gene if required else OptionalGene(gene),
            required=required,
            media_type=options[0].media_type,
            forms=tuple(form for _, form in built),
        )

    def _built(self, option: _Option) -> tuple[Gene, BodyForm]:
        schema = self._normaliser.normalise(option.raw, option.place)
        media_type = option.media_type
        parts: tuple[tuple[str, Part], ...] = ()
        xml = None
        if not media_types.is_structured(media_type):
            schema = self._text_schema(schema)
        elif media_types.is_xml(media_type):
            xml = xml_shape(schema, self._genes)
        elif media_type in (media_types.FORM, media_types.MULTIPART):
            parts = parts_of(self._document, schema, option.encoding, option.place, self._genes)
        gene = self._genes.build(schema, extra_seeds=option.seeds)
        self._genes.warn_of_unmet(self._document, option.place, schema)
        return gene, BodyForm(media_type=media_type, parts=parts, xml=xml)

    def _text_schema(self, schema: Any) -> Any:
        """Returns the schema of a text body: scalars stay as they are, everything else becomes a string."""
        kind = self._genes.flat(schema).keywords.get("type")
        return schema if kind in ("string", "integer", "number", "boolean") else {"type": "string"}


def _default_schema(media_type: str) -> Any:
    if media_type == media_types.JSON_PATCH:
        return _JSON_PATCH_SCHEMA
    if media_type.endswith("merge-patch+json") or media_type in (media_types.FORM, media_types.MULTIPART):
        return {"type": "object"}
    if media_types.is_xml(media_type):
        return {"type": "object"}
    return True if media_types.is_structured(media_type) else {"type": "string"}


def _patch(operation: list[str], more: dict[str, Any]) -> dict[str, Any]:
    own = {"op": {"enum": operation}, "path": {"type": "string", "pattern": "^/[a-z]{1,8}$"}, **more}
    return {"type": "object", "properties": own, "required": list(own), "additionalProperties": False}


_JSON_PATCH_SCHEMA: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "items": {
        "oneOf": [
            _patch(["add", "replace", "test"], {"value": True}),
            _patch(["remove"], {}),
            _patch(["move", "copy"], {"from": {"type": "string", "pattern": "^/[a-z]{1,8}$"}}),
        ]
    },
}
"""JSON Patch (RFC 6902), for documents that name its media type without a schema."""
