"""The messages that every implementation of Protocol Buffers brings along, as far as services use them.

They are defined by their language, so projects import them without having them.
"""

from __future__ import annotations

from typing import Final

_WRAPPED: Final = ("Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes")
WELL_KNOWN: Final = "".join(
    (
        "package google.protobuf;",
        "message Empty {}",
        "message Timestamp { int64 seconds = 1; int32 nanos = 2; }",
        "message Duration { int64 seconds = 1; int32 nanos = 2; }",
        "message FieldMask { repeated string paths = 1; }",
        "message Any { string type_url = 1; bytes value = 2; }",
        "enum NullValue { NULL_VALUE = 0; }",
        "message Struct { map<string, Value> fields = 1; }",
        "message ListValue { repeated Value values = 1; }",
        (
            "message Value { oneof kind { NullValue null_value = 1; double number_value = 2; string string_value = 3;"
            " bool bool_value = 4; Struct struct_value = 5; ListValue list_value = 6; } }"
        ),
        *(f"message {name}Value {{ {name.lower()} value = 1; }}" for name in _WRAPPED),
    )
)
