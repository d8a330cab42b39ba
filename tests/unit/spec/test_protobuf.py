"""Definitions of Protocol Buffers are read, and JSON documents become the bytes that other implementations read."""

from random import Random

import pytest

from wimble.genes import iter_genes
from wimble.model.protobuf_messages import grpc_frames, message_bytes
from wimble.spec.protobuf.grpc_methods import GrpcMethods
from wimble.spec.protobuf.message_genes import message_gene

ALL = """
syntax = "proto3"; // of all kinds
package t;
import "google/protobuf/timestamp.proto";
option (custom.thing) = { a: 1, b: "}" };
/* an enum; with } in a comment */
enum E { option allow_alias = true; A = 0; B = 1 [deprecated = true]; C = -1; reserved 5; }
message All {
  double d = 1; float f = 2; int32 i32 = 3; int64 i64 = 4; uint32 u32 = 5; uint64 u64 = 6; sint32 s32 = 7;
  sint64 s64 = 8; fixed32 f32 = 9; fixed64 f64 = 10; sfixed32 sf32 = 11; sfixed64 sf64 = 12; bool ok = 0x0d;
  string some_text = 14 [(rules) = { max: 3 }]; bytes raw = 15; reserved 100 to 110, 200; reserved "old";
  optional E e = 16; repeated int32 list = 17; repeated E es = 2000; map<string, All> by_name = 18; All inner = 19;
  map<int32, bool> flags = 20;
  oneof choice { Nested nested = 21; .google.protobuf.Timestamp at = 22; }
  message Nested { string message = 1; E enum = 2; }
}
service S {
  option deprecated = true;
  rpc X (All) returns (All) { option (http) = { get: "/x" }; }
  rpc Many (stream All) returns (stream t.All.Nested);
  rpc Unknown (All) returns (elsewhere.Message);
}
"""
VALUE = {
    "d": 1.5, "f": -2.25, "i32": -7, "i64": "-9007199254740993", "u32": 4294967295, "u64": 18446744073709551615,
    "s32": -2147483648, "s64": -3, "f32": 7, "f64": 8, "sf32": -7, "sf64": -8, "ok": True, "someText": "ä€",
    "raw": "AQID", "e": "C", "list": [1, -1, 300], "es": ["B", "C", 0],
    "by_name": {"x": {"d": 2.0, "inner": {"ok": False}}}, "inner": {"some_text": "z"}, "flags": {"7": True},
}  # fmt: skip
READ_BY_PROTOBUFJS = (
    "09000000000000f83f15000010c018f9ffffffffffffffff0120ffffffffffffffefff0128ffffffff0f30ffffffffffffffffff0138ffffff"
    "ff0f40054d070000005108000000000000005df9ffffff61f8ffffffffffffff68017205c3a4e282ac7a030102038001ffffffffffffffffff"
    "018801018801ffffffffffffffffff018801ac02807d01807dffffffffffffffffff01807d009201130a0178120e0900000000000000409a01"
    "0268009a010372017aa2010408071001"
)
"""What protobufjs 7 reads as the value."""


def methods(text=ALL):
    found = GrpcMethods()
    assert found.add(text)
    return found


def test_each_kind_of_field_is_written_as_other_implementations_read_it():
    assert message_bytes(methods().answer_of("/t.S/X").shape, VALUE).hex() == READ_BY_PROTOBUFJS


def test_types_are_found_in_their_scope_and_among_the_well_known_ones():
    shape = methods().answer_of("/t.S/X").shape
    fields = {one.name: one for one in shape.fields_of("t.All")}
    assert (fields["nested"].kind, fields["at"].kind) == ("t.All.Nested", "google.protobuf.Timestamp")
    assert fields["at"].is_choice and fields["es"].is_list and fields["flags"].is_map
    assert fields["ok"].number == 13
    assert message_bytes(shape, {"at": {"seconds": 5}}).hex() == "b201020805"
    assert [one.name for one in shape.fields_of("t.All.Nested")] == ["message", "enum"]


def test_streams_are_told_and_unknown_answers_are_none():
    known = methods()
    assert known.answer_of("/t.S/Many").is_stream and not known.answer_of("/t.S/X").is_stream
    assert known.answer_of("/t.S/Unknown") is None and known.answer_of("/t.S/Other") is None
    assert "/t.S/Unknown" in known


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"i32": "no number", "unknown": 1}, ""),
        ({"i32": float("nan"), "f": 1e300, "d": None}, ""),
        ({"i32": 2**40 + 1, "u32": -1}, "180128ffffffff0f"),
        ({"some_text": 12, "raw": "no base64!"}, "720231327a0a6e6f2062617365363421"),
        ({"list": 3, "inner": "no object", "e": "NONE", "flags": []}, "880103"),
        ("no object", ""),
    ],
)
def test_what_a_field_cannot_hold_is_left_out_or_cut(value, expected):
    assert message_bytes(methods().answer_of("/t.S/X").shape, value).hex() == expected


def test_a_body_of_grpc_has_the_length_of_each_message():
    shape = methods().answer_of("/t.S/X").shape
    assert grpc_frames(shape, {"ok": True}).hex() == "00000000026801"
    assert grpc_frames(shape, [{"ok": True}, {}]).hex() == "00000000026801" + "0000000000"
    assert grpc_frames(shape, []) == b""


@pytest.mark.parametrize(
    "text",
    [
        "message A {",
        "message A { string = 1; }",
        "message A { string a = x; }",
        "}",
        "a b",
        "message A { map<All, A> a = 1; }",
    ],
)
def test_what_is_no_definition_is_told(text):
    assert not GrpcMethods().add(text)


def test_messages_within_messages_have_an_end_in_text_and_in_genes():
    assert not GrpcMethods().add("message A {" * 200 + "}" * 200)
    tree = "message T { T left = 1; T right = 2; string name = 3; } service S { rpc G (T) returns (T); }"
    gene = message_gene(methods(tree).answer_of("/S/G").shape)
    assert len(list(iter_genes(gene.sampled(Random(1))))) < 1_000


def test_drawn_values_are_ones_that_the_message_can_hold():
    shape = methods().answer_of("/t.S/X").shape
    rng = Random(1)
    for _ in range(30):
        value = message_gene(shape).sampled(rng).phenotype()
        assert value.get("e", "A") in ("A", "B", "C")
        assert len(value) > 5 and set(value) <= {one.name for one in shape.fields_of("t.All")}
        assert (message_bytes(shape, value) == b"") == (not value)
