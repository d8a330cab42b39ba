"""Request bodies -> the body input: JSON, forms, text. One media type per operation, the one that can be built best."""

from __future__ import annotations

from typing import Any

from wimble.genes import Gene, OptionalGene
from wimble.model.operation import Input
from wimble.spec import media_types
from wimble.spec.document import MISSING, Document, at, shown
from wimble.spec.normalise import SchemaNormaliser
from wimble.spec.parameters import Parameter, example_values, without_parameter_keys
from wimble.spec.schema_genes import GeneBuilder
from wimble.types import Json

_BODY_NAME = "body"


class BodyBuilder:
    """Makes body inputs, for one document."""

    def __init__(self, document: Document, normaliser: SchemaNormaliser, genes: GeneBuilder) -> None:
        self._document = document
        self._normaliser = normaliser
        self._genes = genes

    def from_request_body(self, operation: dict[str, Json], place: str) -> Input | None:
        """OpenAPI 3.x: `requestBody`."""
        if operation.get("requestBody") is None:
            return None
        body, here = self._document.followed(operation["requestBody"], at(place, "requestBody"))
        if body is None:
            return None
        content = self._document.section(body, "content", here)
        written = self._chosen(list(content), at(here, "content"))
        if written is None:
            return None
        media = content[written]
        media_place = at(here, "content", written)
        if not isinstance(media, dict):
            self._document.warn(media_place, f"an object is expected, found {shown(media)}", "any value is sent")
            media = {}
        media_type = media_types.concrete(media_types.bare(written))
        raw = media.get("schema")
        if raw is None:
            raw = media.get("itemSchema", _default_schema(media_type))
        return self._input(
            raw,
            at(media_place, "schema"),
            media_type,
            required=body.get("required") is True,
            seeds=example_values(self._document, media, media_place),
        )

    def from_swagger2(self, parameters: list[Parameter], consumes: list[str], place: str) -> Input | None:
        """OpenAPI 2.0: one `in: body` parameter, or several `in: formData`."""
        bodies = [parameter for parameter in parameters if parameter.location == "body"]
        fields = [parameter for parameter in parameters if parameter.location == "formData"]
        if bodies:
            best = next((body for body in bodies if self._leads_somewhere(body)), bodies[0])
            if len(bodies) > 1 or fields:
                self._document.warn(place, "more than one body", f"only `{best.name}` is used")
            return self._body_parameter(best, consumes, place)
        return self._form(fields, consumes) if fields else None

    def _body_parameter(self, parameter: Parameter, consumes: list[str], place: str) -> Input | None:
        written = self._chosen(consumes or [media_types.JSON], at(place, "consumes"))
        if written is None:
            return None
        media_type = media_types.concrete(media_types.bare(written))
        raw = parameter.raw.get("schema")
        if raw is None:
            if "type" in parameter.raw:
                raw = without_parameter_keys(parameter.raw)
            else:
                self._document.warn(parameter.place, "a body without a schema", "any value is sent")
                raw = _default_schema(media_type)
        examples = parameter.raw.get("x-examples", parameter.raw.get("x-example"))
        seeds = tuple(examples.values()) if isinstance(examples, dict) else ()
        required = parameter.raw.get("required") is True
        return self._input(raw, at(parameter.place, "schema"), media_type, required=required, seeds=seeds)

    def _leads_somewhere(self, parameter: Parameter) -> bool:
        """Generators list injected arguments as bodies too, with references to types that they do not describe."""
        schema = parameter.raw.get("schema")
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        return not isinstance(reference, str) or self._document.pointed(reference)[0] is not MISSING

    def _form(self, fields: list[Parameter], consumes: list[str]) -> Input:
        declared = [media_types.bare(one) for one in consumes]
        has_file = any(field.raw.get("type") == "file" for field in fields)
        is_multipart = has_file or (media_types.MULTIPART in declared and media_types.FORM not in declared)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {field.name: without_parameter_keys(field.raw) for field in fields},
            "required": [field.name for field in fields if field.raw.get("required") is True],
        }
        gene_schema = self._normaliser.normalise(schema, fields[0].place.rsplit("/", 1)[0])
        gene = self._genes.build(gene_schema)
        is_joined = any(
            field.raw.get("type") == "array" and field.raw.get("collectionFormat", "csv") != "multi" for field in fields
        )
        required = bool(schema["required"])
        return Input(
            name=_BODY_NAME,
            location="body",
            template=gene if required else OptionalGene(gene),
            required=required,
            media_type=media_types.MULTIPART if is_multipart else media_types.FORM,
            style="form" if is_joined else "",
            explode=False if is_joined else None,
        )

    def _chosen(self, written: list[str], place: str) -> str | None:
        """The media type to use, as the document writes it."""
        best = min(
            written, key=lambda one: media_types.preference(media_types.concrete(media_types.bare(one))), default=None
        )
        if best is None:
            self._document.warn(place, "no media type", "no body is sent")
            return None
        bare = media_types.concrete(media_types.bare(best))
        if "/" not in bare:
            self._document.warn(place, f"{shown(best)} is not a media type", "no body is sent")
            return None
        if media_types.preference(bare) == 9:
            self._document.warn(place, f"bodies of type {bare} cannot be written", "no body is sent")
            return None
        return best

    def _input(self, raw: Any, place: str, media_type: str, *, required: bool, seeds: tuple[Json, ...]) -> Input:
        schema = self._normaliser.normalise(raw, place)
        if media_type not in (media_types.FORM, media_types.MULTIPART) and not media_types.is_json(media_type):
            schema = self._text_schema(schema)
        gene: Gene = self._genes.build(schema, extra_seeds=seeds)
        return Input(
            name=_BODY_NAME,
            location="body",
            template=gene if required else OptionalGene(gene),
            required=required,
            media_type=media_type,
        )

    def _text_schema(self, schema: Any) -> Any:
        """Text and other types have no structure that could be written: only scalars stay as they are."""
        kind = self._genes.flat(schema).keywords.get("type")
        return schema if kind in ("string", "integer", "number", "boolean") else {"type": "string"}


def _default_schema(media_type: str) -> Any:
    if media_types.is_json(media_type):
        return True
    return {"type": "object"} if media_type in (media_types.FORM, media_types.MULTIPART) else {"type": "string"}
