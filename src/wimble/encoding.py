"""Encodes test cases as JSON, so that they outlive the run, and decodes them for the operations of another run.

Every gene and setup action has a tag. Calls refer to their operation by its id, and to inputs by location and name,
since operations are compared by identity, and neither they nor the positions of inputs are the same in another run.
Fields with their default value are left out. `to_text` also keeps values that JSON does not define: lone surrogates,
integers of any size, and numbers that are not finite.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

from wimble.errors import UsageError
from wimble.genes import (
    AffixedGene,
    AnyGene,
    ArrayGene,
    BooleanGene,
    CarriedGene,
    CheckedGene,
    ChoiceGene,
    ConstantGene,
    CredentialGene,
    EnumGene,
    Gene,
    IntegerGene,
    JsonTextGene,
    LinkedGene,
    MapGene,
    NeededGene,
    NullableGene,
    NullGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    SignedTokenGene,
    StringGene,
    SubsetGene,
    TupleGene,
    TwinsGene,
)
from wimble.genes.text_table import TextTableGene
from wimble.genes.undeclared import FileGene, FileTraitGene, UnaskedGene, UndeclaredGene
from wimble.model.operation import Input, Operation
from wimble.model.setup_kinds.kinds import SETUP_KINDS
from wimble.model.testcase import Call, TestCase
from wimble.spec.graphql.call_gene import CallGene, FieldGene
from wimble.types import Json

VERSION: Final = 1  # 1: first.
TAG: Final = "type"

GENES: Final[dict[str, type[Gene]]] = {
    "affixed": AffixedGene,
    "any": AnyGene,
    "array": ArrayGene,
    "boolean": BooleanGene,
    "graphql-call": CallGene,
    "graphql-field": FieldGene,
    "carried": CarriedGene,
    "checked": CheckedGene,
    "choice": ChoiceGene,
    "constant": ConstantGene,
    "credential": CredentialGene,
    "enum": EnumGene,
    "file": FileGene,
    "file-trait": FileTraitGene,
    "integer": IntegerGene,
    "json-text": JsonTextGene,
    "linked": LinkedGene,
    "map": MapGene,
    "needed": NeededGene,
    "null": NullGene,
    "nullable": NullableGene,
    "number": NumberGene,
    "object": ObjectGene,
    "optional": OptionalGene,
    "reference": ReferenceGene,
    "seeded": SeededGene,
    "signed-token": SignedTokenGene,
    "string": StringGene,
    "subset": SubsetGene,
    "table": TextTableGene,
    "tuple": TupleGene,
    "twins": TwinsGene,
    "unasked": UnaskedGene,
    "undeclared": UndeclaredGene,
}
_TAGS = {kind: tag for table in (GENES, SETUP_KINDS) for tag, kind in cast("Mapping[str, type]", table).items()}

S = TypeVar("S", bound=msgspec.Struct)


def encode_test_case(test_case: TestCase) -> Json:
    """Returns the test case as a JSON object, which `decode_test_case` reads."""
    return {
        "version": VERSION,
        "setup": [_encoded_struct(action) for action in test_case.setup],
        "calls": [_encoded_call(call) for call in test_case.calls],
        **({} if test_case.at_once is None else {"at_once": test_case.at_once}),
    }


def decode_test_case(value: Json, operations: Iterable[Operation]) -> TestCase:
    """Returns the test case, with calls of `operations`.

    Raises UsageError if the value is not an encoded test case, or refers to operations or inputs that do not exist. The
    genes of an input are not checked against its schema: a test case stays usable if the limits of a schema change.
    """
    if not isinstance(value, dict) or value.get("version") != VERSION:
        found = value.get("version") if isinstance(value, dict) else type(value).__name__
        raise _misfit(f"it is of version {found!r}, this wimble reads version {VERSION}")
    by_id = {operation.id: operation for operation in operations}
    try:
        return TestCase(
            tuple(_decoded_call(call, cast("Mapping[str, Operation]", by_id)) for call in value["calls"]),
            tuple(_decoded_struct(action, SETUP_KINDS) for action in value["setup"]),
            _decoded_index(value.get("at_once"), len(value["calls"])),
        )
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise _misfit(f"{type(error).__name__}: {error}") from error


def _decoded_index(value: Json, n_calls: int) -> int | None:
    if value is None or (isinstance(value, int) and 0 <= value < n_calls - 1):
        return value
    raise ValueError(f"no call and next call at {value!r}")


def n_parts(test_case: TestCase, most: int) -> int:
    """Returns the number of genes and setup actions that the encoded test case would hold, or `most` if it is larger.

    The genes of a call hold all alternatives, of which there may be too many to encode them only to see that. Many are
    the same object, and are looked at once.
    """
    known: dict[int, int] = {}

    def parts_of(value: Any) -> int:
        if not isinstance(value, (msgspec.Struct, tuple)):
            return 0
        if id(value) not in known:
            held = value if isinstance(value, tuple) else [getattr(value, name) for name in value.__struct_fields__]
            known[id(value)] = total(held, int(type(value) in _TAGS))
        return known[id(value)]

    def total(values: Iterable[Any], count: int = 0) -> int:
        for value in values:
            if count >= most:
                break
            count += parts_of(value)
        return min(count, most)

    return total([*test_case.setup, *(call.genes for call in test_case.calls)])


def to_text(value: Json) -> str:
    """Returns the value as one line of ASCII."""
    return json.dumps(value, separators=(",", ":"))


def _misfit(*details: str) -> UsageError:
    return UsageError(
        "test-case-does-not-fit",
        "a test case of an earlier run does not fit this API",
        details=details,
        hint="Run the search again without it.",
    )


# ---- calls -----------------------------------------------------------------------------------------------------------


def _encoded_call(call: Call) -> Json:
    encoded: dict[str, Json] = {
        "operation": call.operation.id,
        "inputs": {
            _input_name(declared): _encoded_struct(gene)
            for declared, gene in zip(call.operation.inputs, call.genes, strict=True)
            # Most calls have no undeclared inputs.
            if not (declared.is_undeclared and gene == declared.template)
        },
    }
    return encoded | {"user": call.user} if call.user else encoded


def _decoded_call(value: Json, operations: Mapping[str, Operation]) -> Call:
    operation = operations.get(value["operation"])
    if operation is None:
        nearest = get_close_matches(value["operation"], operations, n=1)
        raise _misfit(f"there is no operation {value['operation']}", *(f"nearest: {name}" for name in nearest))
    inputs = value["inputs"]
    by_name = {_input_name(declared): declared for declared in operation.inputs}
    gone = [f"{operation.id} has no input `{name}`" for name in inputs if name not in by_name]
    new = [
        f"{operation.id} has a new input, `{name}`"
        for name, declared in by_name.items()
        if name not in inputs and not declared.is_undeclared
    ]
    if gone or new:
        raise _misfit(*gone, *new)
    genes = tuple(
        _decoded_struct(inputs[name], GENES) if name in inputs else declared.template
        for name, declared in by_name.items()
    )
    return Call(operation, genes, value.get("user", ""))


def _input_name(declared: Input) -> str:
    """Returns a name that is unique within an operation."""
    return f"{declared.sent_in} {declared.name}".strip()


# ---- structs: genes, setup actions, and what stands in their fields --------------------------------------------------


def _encoded_struct(struct: msgspec.Struct) -> Json:
    encoded: dict[str, Json] = {}
    tag = _TAGS.get(type(struct))
    if tag is not None:
        encoded[TAG] = tag
    hints, defaults = _fields(type(struct))
    for name, hint in hints.items():
        value = getattr(struct, name)
        if name in defaults and (value is defaults[name] or _is_same(value, defaults[name])):
            continue
        encoded[name] = value if hint is Any else _encoded(value)
    return encoded


def _is_same(value: Any, default: Any) -> bool:
    """Whether two values are equal and of the same kind: in Python True equals 1, 1 equals 1.0, and -0.0 equals 0.0."""
    return (
        type(value) is type(default) and value == default and (type(value) is not float or str(value) == str(default))
    )


def _encoded(value: Any) -> Json:
    if isinstance(value, msgspec.Struct):
        return _encoded_struct(value)
    if isinstance(value, tuple):
        return [_encoded(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return value


def _decoded_struct(value: Json, kinds: Mapping[str, type[S]]) -> S:
    tag = value[TAG]
    if tag not in kinds:
        raise _misfit(f"{tag!r} is no type of gene or setup action that this wimble knows")
    fields = {name: field for name, field in value.items() if name != TAG}
    return cast("S", _filled(fields, kinds[tag]))


def _filled(value: Mapping[str, Json], kind: type[msgspec.Struct]) -> msgspec.Struct:
    hints, _ = _fields(kind)
    return kind(**{name: _decoded(field, hints[name]) for name, field in value.items()})


def _decoded(value: Json, hint: Any) -> Any:
    """Returns the value as a field with this type hint contains it."""
    if hint is Any:
        return value
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise TypeError(f"{value!r} is no list")
        types = get_args(hint)
        if types[-1] is Ellipsis:
            return tuple(_decoded(item, types[0]) for item in value)
        return tuple(_decoded(item, type_) for item, type_ in zip(value, types, strict=True))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        if issubclass(hint, Gene):
            return _decoded_struct(value, GENES)
        return _filled(value, hint)
    if get_origin(hint) is frozenset:
        return frozenset(value)
    alternatives = get_args(hint)
    structs = [one for one in alternatives if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    if structs and value is not None:
        return _decoded(value, structs[0])
    if Any in alternatives:
        return value
    # The value is checked, but not converted: 1 stays 1 for a float.
    msgspec.convert(value, hint)
    return value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns (name -> type hint, name -> default) of a struct's fields."""
    fields = msgspec.structs.fields(kind)
    hints = get_type_hints(kind)
    defaults: dict[str, Any] = {field.name: field.default for field in fields if field.default is not msgspec.NODEFAULT}
    return {field.name: hints[field.name] for field in fields}, defaults
