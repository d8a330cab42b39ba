"""Describes the inputs of an operation: Parameter Objects and the Request Body Object."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import msgspec

from wimble.describe.call_records import OperationRecord
from wimble.describe.declared_inputs import joined_schema, of_type
from wimble.describe.gene_schemas import schema_of_gene
from wimble.describe.secret_names import is_secret_name
from wimble.describe.security_schemes import is_credential
from wimble.describe.sent_values import Key, is_room, key_of, read_text
from wimble.describe.shape_schemas import Schema, SchemaMaker, may_be_made_up
from wimble.describe.shapes import Shape
from wimble.genes import AnyGene, Gene, OptionalGene
from wimble.genes.wrappers import ChoiceGene
from wimble.http.binding import binding_of
from wimble.http.declarations import BodyForm, HttpInput
from wimble.types import Json

_NO_PARAMETERS: Final = frozenset(["accept", "content-type", "authorization"])
"""Headers that OpenAPI describes elsewhere."""
MANY_BODIES: Final = 5
"""Number of accepted bodies from which on a member that all of them had is taken for required."""
MULTIPART: Final = "multipart/form-data"
_FILE: Final[Schema] = {"type": "string", "contentMediaType": "application/octet-stream"}


def parameters_of(
    record: OperationRecord, shown: Mapping[Key, Json], maker: SchemaMaker, keys: Collection[tuple[str, str]] = ()
) -> list[Json]:
    """Returns the Parameter Objects of an operation.

    shown: the inputs of an accepted call. keys: where keys of security schemes are sent, with names in lower case.
    """
    found: list[Json] = []
    for given in declared_and_learnt(record):
        key = key_of(given)
        is_left_out = given.location == "header" and given.name.lower() in _NO_PARAMETERS
        is_key = (given.location, given.name.lower()) in keys
        if given.location == "body" or is_left_out or is_key or is_credential(key):
            continue
        parameter: dict[str, Json] = {"name": given.name, "in": given.location}
        if given.location == "path" or is_required(record, given):
            parameter["required"] = True
        parameter |= _style(given)
        parameter["schema"] = without_defaults(_parameter_schema(record, given, maker))
        if key in shown:
            parameter["example"] = _example(shown[key], parameter["schema"])
        found.append(parameter)
    return found


def declared_and_learnt(record: OperationRecord) -> list[HttpInput]:
    """Returns the inputs of an operation: those that are declared, then learnt ones that accepted calls had."""
    declared = [given for given in binding_of(record.operation).inputs if not is_room(given)]
    known = {key_of(given) for given in declared}
    learnt = sorted(key for key, one in record.accepted.items() if key in record.learnt - known and one.n_sent)
    return [
        *declared,
        *(
            HttpInput(name=name, location=place, template=record.validated.get((place, name), AnyGene()))
            for place, name in learnt
        ),
    ]


def is_required(record: OperationRecord, given: HttpInput) -> bool:
    """Whether a call without the input was refused, and none accepted. Without any accepted call: as declared."""
    known = record.accepted.get(key_of(given))
    if known is None or not known.n_sent:
        return given.required and not record.n_accepted
    return known.n_left_out == 0 and (given.required or key_of(given) in record.refused_without)


def _style(given: HttpInput) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if given.style and given.style != "querystring":
        found["style"] = given.style
    if given.explode is not None:
        found["explode"] = given.explode
    return found


def _parameter_schema(record: OperationRecord, given: HttpInput, maker: SchemaMaker) -> Schema:
    declared = schema_of_gene(given.template)
    if is_secret_name(given.name):
        declared = {"type": declared.get("type", "string")}
    known = record.accepted.get(key_of(given))
    shape = known.shapes.get("") if known is not None else None
    if given.location == "path":
        declared = {key: value for key, value in declared.items() if (key, value) != ("minLength", 1)}
    if shape is None:
        return declared or {"type": "string"}
    if given.location == "path":
        # Paths name things that are there: the few that were are no enumeration.
        shape = msgspec.structs.replace(shape, texts=shape.texts if "enum" in declared else None)
    declared = _as_declared(declared, shape)
    shape = of_type(shape, declared.get("type")) or _as_text(shape)
    return joined_schema(declared, shape, maker, given.name) or {"type": "string"}


def _as_declared(declared: Schema, shape: Shape) -> Schema:
    """Returns the declaration without its type if that is only the type of all parameters, and a better one is seen."""
    is_any_text = declared == {"type": "string"}
    return {} if is_any_text and not shape.n_texts and shape.n_scalars else declared


def _as_text(shape: Shape) -> Shape:
    """Returns the shape for values that are all sent as text: a text among numbers makes all of them texts."""
    if shape.n_texts and shape.n_texts < shape.n_scalars:
        return Shape(n_texts=shape.n_scalars, texts=None)
    if shape.n_booleans and shape.n_integers + shape.n_fractions:
        return Shape(n_texts=shape.n_scalars, texts=None)
    return shape


def _example(value: Json, schema: Schema) -> Json:
    """Returns the value in the type of the schema: numbers are texts if the parameter takes any text."""
    if schema.get("type") == "string" and isinstance(value, (int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, str) and schema.get("type") in ("integer", "number", "boolean"):
        return read_text(value)
    return value


def request_body(
    record: OperationRecord, shown: Mapping[Key, Json], shown_type: str, maker: SchemaMaker
) -> dict[str, Json] | None:
    """Returns the Request Body Object; None if the operation takes no body.

    shown: the inputs of an accepted call. shown_type: the media type of its body.
    """
    given = next((one for one in binding_of(record.operation).inputs if one.location == "body"), None)
    if given is None:
        return None
    key = key_of(given)
    known = record.accepted.get(key)
    shapes = {} if known is None else known.shapes
    forms = declared_forms(given)
    if given.is_undeclared:
        if not is_used_body(record):
            return _validated_body(record, maker)
        # It can be sent in many media types; those that were accepted are told.
        forms = {media_type: form for media_type, form in forms.items() if media_type in shapes}
        shapes = {media_type: shape for media_type, shape in shapes.items() if not _is_empty(shape)}
        if not shapes:
            return None
    content: dict[str, Json] = {}
    for media_type in dict.fromkeys([*shapes, *forms]):
        form, declared = forms.get(media_type, (None, {}))
        shape, wanted = shapes.get(media_type, Shape()), declared
        if given.is_undeclared or _is_free(declared):
            wanted = schema_of_gene(record.validated[key]) if key in record.validated else {}
            shape = _with_used_members(shape, record, wanted.get("properties", {}))
        files = [name for name, part in form.parts if part.is_file] if form is not None else []
        files += sorted(known.files) if known is not None and media_type == MULTIPART else []
        schema = _with_files(joined_schema(wanted, shape, maker), files) or declared
        media: dict[str, Json] = {"schema": without_defaults(schema)}
        if key in shown and media_type == shown_type:
            media["example"] = _without_made_up(shown[key], media["schema"])
        content[media_type] = media
    if given.is_undeclared:
        content = _with_members(content)
    made: dict[str, Json] = {"content": content or {"application/json": {}}}
    if is_required(record, given):
        made["required"] = True
    return made


def _validated_body(record: OperationRecord, maker: SchemaMaker) -> dict[str, Json] | None:
    """Returns the body that a validator asks for where no call was accepted yet; None if there is no validator."""
    gene = record.validated.get(("body", ""))
    if gene is None or record.n_accepted:
        return None
    schema = without_defaults(joined_schema(schema_of_gene(gene), Shape(), maker))
    return {"content": {"application/json": {"schema": schema}}}


def _with_members(content: dict[str, Json]) -> dict[str, Json]:
    """Returns the media types in which members are used; all if none is: a program may ignore what it cannot read."""
    used = {name: one for name, one in content.items() if isinstance(one, dict) and _has_members(one["schema"])}
    return used or content


def _has_members(schema: Json) -> bool:
    return isinstance(schema, dict) and any(
        schema.get(key) for key in ("properties", "$ref", "anyOf", "oneOf", "allOf")
    )


def _without_made_up(value: Json, schema: Json) -> Json:
    """Returns an example without members that the search has made up, and that are in no schema."""
    if isinstance(schema, dict) and isinstance(value, list):
        return [_without_made_up(one, schema.get("items")) for one in value]
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(value, dict) or not isinstance(properties, dict):
        return value
    return {
        name: _without_made_up(member, properties.get(name))
        for name, member in value.items()
        if name in properties or not may_be_made_up(name)
    }


def is_used_body(record: OperationRecord) -> bool:
    """Whether the SUT uses the body of an operation without a declared one: it reads members, or needs the body."""
    known = record.accepted.get(("body", ""))
    if known is None or not known.n_sent:
        return False
    if ("body", "") in record.validated:
        return True
    is_needed = not known.n_left_out and ("body", "") in record.refused_without
    return is_needed or any(place == "body" for place, _ in record.learnt)


def _is_free(declared: Schema) -> bool:
    """Whether any object is declared."""
    return declared.get("additionalProperties") is True and not declared.get("properties")


def _with_used_members(shape: Shape, record: OperationRecord, validated: Collection[str]) -> Shape:
    """Returns the shape with the members that the program is known to use, and those that most accepted bodies had.

    The search makes up others, which an API that takes any object does not refuse. validated: members that a
    validator's schema names; beside them, only those count that the program was seen to read.
    """
    learnt = {name.split(".", 1)[0] for place, name in record.learnt if place == "body"}
    used = {
        name: member
        for name, member in shape.members.items()
        if name in learnt
        or name in validated
        or (not validated and _is_needed(name, member, shape.n_objects, record.members_read))
    }
    return msgspec.structs.replace(shape, members=used, entries=None, has_data_keys=False)


def _is_needed(name: str, member: Shape, n_objects: int, members_read: Collection[str]) -> bool:
    """Whether most accepted bodies had a member; one whose name may be made up has to be in all of several.

    A program that looks for members by their names does not use one that it did not look for when it was left out.
    """
    if may_be_made_up(name):
        return member.n_values == n_objects >= MANY_BODIES
    if members_read and name not in members_read:
        return member.n_values == n_objects
    return 2 * member.n_values >= n_objects


def _is_empty(shape: Shape) -> bool:
    """Whether no value holds anything."""
    return not shape.members and shape.entries is None and shape.elements is None and not shape.n_scalars


def declared_forms(given: HttpInput) -> dict[str, tuple[BodyForm | None, Schema]]:
    """Returns form and declared schema by media type."""
    gene: Gene = given.template
    while isinstance(gene, OptionalGene):
        gene = gene.gene
    if len(given.forms) > 1 and isinstance(gene, ChoiceGene):
        return {
            form.media_type: (form, schema_of_gene(option))
            for form, option in zip(given.forms, gene.options, strict=False)
        }
    form = given.forms[0] if given.forms else None
    return {form.media_type if form else given.media_type or "application/json": (form, schema_of_gene(gene))}


def without_defaults(schema: Json) -> Json:
    """Returns the schema without `additionalProperties: true`, which says nothing."""
    if isinstance(schema, list):
        return [without_defaults(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: without_defaults(value)
        for key, value in schema.items()
        if not (key == "additionalProperties" and value is True)
    }


def _with_files(schema: Schema, files: list[str]) -> Schema:
    """Returns the schema of a form in which these fields are files."""
    properties = schema.get("properties")
    if not files or not isinstance(properties, dict):
        return schema
    return {**schema, "properties": {**properties, **{name: _FILE for name in files if name in properties}}}
