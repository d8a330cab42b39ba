"""Builds the inputs of an operation in path, query, header and cookie from its parameters."""

from __future__ import annotations

import re
from typing import Any, cast

from wimble.genes import (
    ArrayGene,
    CheckedGene,
    ChoiceGene,
    ConstantGene,
    EnumGene,
    Gene,
    NullableGene,
    OptionalGene,
    SeededGene,
    StringGene,
)
from wimble.http.declarations import HttpInput, Location
from wimble.spec.loading.document import Document, at, shown
from wimble.spec.openapi.media_types import FORM, bare, is_json
from wimble.spec.schemas.described_examples import described_examples
from wimble.spec.schemas.normalise import Schema, SchemaNormaliser
from wimble.spec.schemas.schema_genes import GeneBuilder
from wimble.types import Json

WHOLE_QUERY = "querystring"
"""3.2: the location of a parameter that is the whole query, written in a media type."""
LOCATIONS: tuple[Location, ...] = ("path", "query", "header", "cookie")

# "If in is "header" and the name field is "Accept", "Content-Type" or "Authorization", the parameter definition SHALL
# be ignored." -- OpenAPI 3.0.3, Parameter Object. In 2.0, Authorization is an ordinary parameter.
_STANDARD_HEADERS = frozenset(["accept", "content-type"])
# These headers control the connection: a generated value would break the exchange instead of testing the SUT.
_CONNECTION_HEADERS = frozenset(
    ["host", "connection", "content-length", "transfer-encoding", "upgrade", "expect", "te", "trailer", "keep-alive"]
)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

_STYLES = frozenset(
    ["form", "cookie", "simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject"],
)
_COLLECTION_FORMATS: dict[str, tuple[str, bool]] = {
    "csv": ("", False), "ssv": ("spaceDelimited", False), "pipes": ("pipeDelimited", False),
    "tsv": ("tabDelimited", False), "multi": ("form", True),
}  # fmt: skip


class Parameter:
    """A parameter object whose reference has been resolved."""

    __slots__ = ("location", "name", "place", "raw")

    def __init__(self, raw: dict[str, Json], place: str, name: str, location: str) -> None:
        self.raw = raw
        self.place = place
        self.name = name
        self.location = location


def collected(document: Document, lists: list[tuple[dict[str, Json], str]]) -> list[Parameter]:
    """Returns the parameters of (holder, place) pairs. Later holders override earlier ones by name and location."""
    found: dict[tuple[str, str], Parameter] = {}
    for holder, place in lists:
        for index, raw in enumerate(document.listing(holder, "parameters", place)):
            parameter = _parameter(document, raw, at(place, "parameters", index))
            if parameter is not None:
                found[(parameter.location, parameter.name)] = parameter
    return list(found.values())


def _parameter(document: Document, raw: Any, place: str) -> Parameter | None:
    target, target_place = document.followed(raw, place)
    if target is None:
        return None
    name, location = target.get("name"), target.get("in")
    if not isinstance(name, str) or not name:
        document.warn(target_place, "a parameter without a name", "ignored")
        return None
    known = (*LOCATIONS[:3], "body", "formData") if document.is_swagger2 else (*LOCATIONS, WHOLE_QUERY)
    if location not in known:
        lower = location.lower() if isinstance(location, str) else ""
        if lower not in LOCATIONS:
            document.warn(
                at(target_place, "in"), f"unknown place {shown(location)} for a parameter", "parameter ignored"
            )
            return None
        if lower != location:
            document.warn(at(target_place, "in"), f"unknown place {shown(location)}", f"`{lower}` is used")
        location = lower
    return Parameter(target, target_place, name, str(location))


class InputBuilder:
    """Builds the inputs of one document's parameters."""

    def __init__(self, document: Document, normaliser: SchemaNormaliser, genes: GeneBuilder) -> None:
        self._document = document
        self._normaliser = normaliser
        self._genes = genes

    def input_of(self, parameter: Parameter) -> HttpInput | None:
        """Returns the input of a parameter; None for a header that a test must not set."""
        if parameter.location == "header" and not self._is_own_header(parameter):
            return None
        schema, media_type = self._schema_of(parameter)
        gene = self._genes.build(schema, extra_seeds=self._examples_of(parameter, schema))
        if parameter.location == "path":
            gene = never_empty(gene)
        required = self._is_required(parameter)
        if required and not media_type:
            gene = never_no_items(gene)
        self._genes.warn_of_unmet(self._document, parameter.place, schema)
        style, explode = self._style(parameter)
        return HttpInput(
            name=parameter.name,
            location="query" if parameter.location == WHOLE_QUERY else cast(Location, parameter.location),
            template=gene if required else OptionalGene(gene),
            required=required,
            style=style,
            explode=explode,
            media_type=media_type,
            has_segments=parameter.location == "path" and parameter.raw.get("allowReserved") is True,
        )

    def undeclared_path_input(self, name: str) -> HttpInput:
        """Returns an input of any text for a path parameter that the document does not declare."""
        return HttpInput(name=name, location="path", template=StringGene("1", min_length=1), required=True)

    def _is_own_header(self, parameter: Parameter) -> bool:
        name = parameter.name.lower()
        if name in _STANDARD_HEADERS or (name == "authorization" and not self._document.is_swagger2):
            return False
        if name in _CONNECTION_HEADERS:
            self._document.warn(
                parameter.place, f"header `{parameter.name}` belongs to the connection", "parameter ignored"
            )
            return False
        if not _HEADER_NAME.fullmatch(parameter.name):
            self._document.warn(
                parameter.place, f"{shown(parameter.name)} cannot be a header's name", "parameter ignored"
            )
            return False
        return True

    def _is_required(self, parameter: Parameter) -> bool:
        value = parameter.raw.get("required", False)
        if parameter.location == "path":
            return True
        if isinstance(value, bool):
            return value
        is_yes = value in ("true", "True", 1)
        self._document.warn(
            at(parameter.place, "required"), f"true or false is expected, found {shown(value)}", f"read as {is_yes}"
        )
        return is_yes

    def _examples_of(self, parameter: Parameter, schema: Schema) -> tuple[Json, ...]:
        found = example_values(self._document, parameter.raw, parameter.place)
        keywords = schema if isinstance(schema, dict) else {}
        return found or tuple(described_examples(keywords, parameter.raw.get("description")))

    def _schema_of(self, parameter: Parameter) -> tuple[Schema, str]:
        """Returns (schema, media type that the value is written in, or "")."""
        raw, place = parameter.raw, parameter.place
        if self._document.is_swagger2 and "schema" not in raw:
            return self._normaliser.normalise(without_parameter_keys(raw), place), ""
        if "schema" in raw:
            return self._normaliser.normalise(raw["schema"], at(place, "schema")), ""
        content = self._document.section(raw, "content", place)
        for media_type, media in content.items():
            here = at(place, "content", media_type)
            schema = self._normaliser.normalise(media.get("schema", True) if isinstance(media, dict) else True, here)
            return schema, "application/json" if is_json(bare(media_type)) else ""
        if "type" in raw:
            self._document.warn(place, "`type` beside the parameter's name is OpenAPI 2.0", "used as its schema")
            return self._normaliser.normalise(without_parameter_keys(raw), place), ""
        self._document.warn(place, "a parameter without a schema", "any text is sent")
        return {"type": "string"}, ""

    def _style(self, parameter: Parameter) -> tuple[str, bool | None]:
        raw = parameter.raw
        if parameter.location == WHOLE_QUERY:
            content = [bare(one) for one in self._document.section(raw, "content", parameter.place)]
            return ("form", True) if FORM in content else (WHOLE_QUERY, None)
        if self._document.is_swagger2:
            if raw.get("type") != "array":
                return "", None
            written = raw.get("collectionFormat", "csv")
            known = _COLLECTION_FORMATS.get(written) if isinstance(written, str) else None
            if known is None:
                here = at(parameter.place, "collectionFormat")
                self._document.warn(here, f"{shown(written)} is not supported", "`csv` is used")
                known = _COLLECTION_FORMATS["csv"]
            return known
        style, explode = raw.get("style"), raw.get("explode")
        if style is not None and (not isinstance(style, str) or style not in _STYLES):
            self._document.warn(at(parameter.place, "style"), f"unknown style {shown(style)}", "the default is used")
            style = None
        if explode is not None and not isinstance(explode, bool):
            self._document.warn(at(parameter.place, "explode"), f"found {shown(explode)}", "the default is used")
            explode = None
        return str(style or ""), explode


def without_parameter_keys(raw: dict[str, Json]) -> dict[str, Json]:
    """Returns the schema in a 2.0 parameter: its keys without those that describe the parameter itself."""
    return {key: value for key, value in raw.items() if key not in ("name", "in", "required", "$ref")}


def example_values(document: Document, holder: dict[str, Json], place: str) -> tuple[Json, ...]:
    """Returns the values of `example` and `examples` (a map of example objects) of a parameter or media type."""
    found = [holder["example"]] if holder.get("example") is not None else []
    examples = holder.get("examples")
    if isinstance(examples, dict):
        for name, example in examples.items():
            if isinstance(example, dict) and "$ref" in example:
                example, _ = document.followed(example, at(place, "examples", name))
            if isinstance(example, dict):
                found += [example[key] for key in ("value", "dataValue") if key in example]
    elif isinstance(examples, list):
        found += examples
    return tuple(found)


def never_no_items(gene: Gene) -> Gene:
    """Excludes empty arrays, which are written as nothing, as if the parameter were missing."""
    if isinstance(gene, ArrayGene) and gene.min_items == 0 and gene.max_items != 0:
        return ArrayGene(gene.element, gene.items, 1, gene.max_items, gene.unique)
    if isinstance(gene, SeededGene):
        return SeededGene(never_no_items(gene.gene), tuple(seed for seed in gene.seeds if seed != []))
    if isinstance(gene, CheckedGene):
        return CheckedGene(never_no_items(gene.gene), gene.schema)
    return gene


def never_empty(gene: Gene) -> Gene:
    """Excludes empty texts and null: an empty path segment changes the path, so the call would miss the operation."""
    if isinstance(gene, StringGene):
        if gene.min_length > 0:
            return gene
        return StringGene(
            gene.value or "1",
            min_length=1,
            max_length=max(1, gene.max_length) if gene.max_length is not None else None,
            pattern=gene.pattern,
            format=gene.format,
        )
    if isinstance(gene, SeededGene):
        seeds = tuple(seed for seed in gene.seeds if seed not in ("", None))
        inner = never_empty(gene.gene)
        return SeededGene(inner, seeds) if seeds else inner
    if isinstance(gene, CheckedGene):
        return CheckedGene(never_empty(gene.gene), gene.schema)
    if isinstance(gene, NullableGene):
        return never_empty(gene.gene)
    if isinstance(gene, ChoiceGene):
        return ChoiceGene(tuple(never_empty(option) for option in gene.options))
    if isinstance(gene, EnumGene):
        options = tuple(option for option in gene.options if option not in ("", None))
        return EnumGene(options) if options else StringGene("1", min_length=1)
    if isinstance(gene, ConstantGene) and gene.value in ("", None):
        return StringGene("1", min_length=1)
    return gene
