"""What generated code tells of the definitions that it was made of, by the style of the generator."""

import base64

import pytest

from wimble.model.protobuf_messages import grpc_frames
from wimble.spec.protobuf.descriptors import DescriptorError, read_descriptor
from wimble.spec.protobuf.grpc_methods import GrpcMethods

TS_PROTO = """
exports.StockService = {
    get: {
        path: "/shop.Stock/Get",
        requestStream: false,
        responseStream: false,
        responseDeserialize: (value) => exports.Item.decode(value),
    },
    list: { path: "/shop.Stock/List", responseStream: true, responseDeserialize: (value) => exports.Item.decode(value) },
};
exports.Item = {
    encode(message, writer) {
        writer.uint32(10).string(message.itemName);
        return writer;
    },
    decode(input, length) {
        while (reader.pos < end) {
            const tag = reader.uint32();
            switch (tag >>> 3) {
                case 1: {
                    if (tag !== 10) {
                        break;
                    }
                    message.itemName = reader.string();
                    continue;
                }
                case 2: {
                    message.lots.push(exports.Item_Lot.decode(reader, reader.uint32()));
                    continue;
                }
                case 3: {
                    const entry3 = exports.Item_PricesEntry.decode(reader, reader.uint32());
                    if (entry3.value !== undefined) {
                        message.prices[entry3.key] = entry3.value;
                    }
                    continue;
                }
            }
        }
        return message;
    },
    fromJSON(object) {
        return {};
    },
};
exports.Item_PricesEntry = {
    decode(input, length) {
        switch (tag >>> 3) {
            case 1: {
                message.key = reader.string();
                continue;
            }
            case 2: {
                message.value = reader.double();
                continue;
            }
        }
    },
};
exports.Item_Lot = {
    decode(input, length) {
        switch (tag >>> 3) {
            case 4: {
                message.count = longToNumber(reader.int64());
                continue;
            }
        }
    },
};
"""
TABLES = """
class Item$Type extends MessageType {
    constructor() {
        super("shop.Item", [
            { no: 1, name: "item_name", kind: "scalar", T: 9 /*ScalarType.STRING*/ },
            { no: 2, name: "lots", kind: "message", repeat: 2 /*RepeatType.UNPACKED*/, T: () => Item_Lot },
            { no: 3, name: "prices", kind: "map", K: 9 /*ScalarType.STRING*/, V: { kind: "scalar", T: 1 /*ScalarType.DOUBLE*/ } }
        ]);
    }
}
class Item_Lot$Type extends MessageType {
    constructor() {
        super("shop.Item.Lot", [
            { no: 4, name: "count", kind: "scalar", T: 3 /*ScalarType.INT64*/, L: 0 /*LongType.BIGINT*/ }
        ]);
    }
}
exports.Stock = new runtime_rpc_1.ServiceType("shop.Stock", [
    { name: "Get", options: {}, I: exports.Ask, O: exports.Item },
    { name: "List", serverStreaming: true, options: {}, I: exports.Ask, O: exports.Item }
]);
"""
GOOGLE = """
proto.shop.Item.deserializeBinaryFromReader = function(msg, reader) {
  while (reader.nextField()) {
    var field = reader.getFieldNumber();
    switch (field) {
    case 1:
      var value = /** @type {string} */ (reader.readString());
      msg.setItemName(value);
      break;
    case 2:
      var value = new proto.shop.Item.Lot;
      reader.readMessage(value,proto.shop.Item.Lot.deserializeBinaryFromReader);
      msg.addLots(value);
      break;
    case 3:
      var value = msg.getPricesMap();
      reader.readMessage(value, function(message, reader) {
        jspb.Map.deserializeBinary(message, reader, jspb.BinaryReader.prototype.readString, jspb.BinaryReader.prototype.readDouble, null, "", 0.0);
         });
      break;
    default:
      reader.skipField();
      break;
    }
  }
  return msg;
};
proto.shop.Item.Lot.deserializeBinaryFromReader = function(msg, reader) {
    switch (field) {
    case 4:
      var value = /** @type {number} */ (reader.readInt64());
      msg.setCount(value);
      break;
    }
};
function deserialize_shop_Item(buffer_arg) {
  return shop_pb.Item.deserializeBinary(new Uint8Array(buffer_arg));
}
var StockService = exports.StockService = {
  get: {
    path: '/shop.Stock/Get',
    responseStream: false,
    requestType: shop_pb.Ask,
    responseType: shop_pb.Item,
  },
  list: {
    path: '/shop.Stock/List',
    responseStream: true,
    responseType: shop_pb.Item,
  },
};
"""


STATIC = """
    /**
     * Encodes the specified Item message.
     * @memberof shop.Item
     */
    Item.encode = function (message, writer, _depth) {
        if (message.itemName != null && $Object.hasOwnProperty.call(message, "itemName"))
            writer.uint32(/* id 1, wireType 2 =*/10).string(message.itemName);
        if (message.lots != null && message.lots.length)
            for (var i = 0; i < message.lots.length; ++i)
                $root.shop.Item.Lot.encode(message.lots[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth).ldelim();
        if (message.prices != null)
            for (var keys = $Object.keys(message.prices), i = 0; i < keys.length; ++i)
                writer.uint32(/* id 3, wireType 2 =*/26).fork().uint32(/* id 1, wireType 2 =*/10).string(keys[i]).uint32(/* id 2, wireType 1 =*/17).double(message.prices[keys[i]]).ldelim();
        return writer;
    };
    Item.Lot.encode = function encode(message, writer) {
        writer.uint32(/* id 4, wireType 0 =*/32).int64(message.count);
        return writer;
    };
    /**
     * @memberof shop.Stock
     */
    $Object.defineProperties(Stock.prototype.get = function(request, callback) {
        return $protobuf.rpc.Service.prototype.rpcCall.call(this, Stock.prototype.get, $root.shop.Ask, $root.shop.Item, request, callback);
    }, {
        name: { value: "Get" },
        responseStream: { value: $undefined }
    });
    $Object.defineProperties(Stock.prototype.list = function(request, callback) {
        return $protobuf.rpc.Service.prototype.rpcCall.call(this, Stock.prototype.list, $root.shop.Ask, $root.shop.Item, request, callback);
    }, {
        name: { value: "List" },
        responseStream: { value: true }
    });
"""
OLD_STATIC = """
    Item.encode = function encode(message, writer) {
        if (message.codes != null && message.codes.length) {
            writer.uint32(/* id 1, wireType 2 =*/10).fork();
            for (var i = 0; i < message.codes.length; ++i)
                writer.int32(message.codes[i]);
            writer.ldelim();
        }
        for (var i = 0; i < message.names.length; ++i)
            writer.uint32(/* id 2, wireType 2 =*/18).string(message.names[i]);
        writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.raw);
        return writer;
    };
    /** @memberof shop.Stock */
    Object.defineProperty(Stock.prototype.get = function get(request, callback) {
        return this.rpcCall(get, $root.shop.Ask, $root.shop.Item, request, callback);
    }, "name", { value: "Get" });
"""


def part(number, value):
    """One field of a message: a number, or bytes."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    data = value.encode() if isinstance(value, str) else value
    length = [len(data)] if len(data) < 128 else [len(data) & 127 | 128, len(data) >> 7]
    return bytes([number << 3 | 2, *length]) + data


def field(name, number, kind, *, label=1, type_name=""):
    return part(
        2,
        part(1, name) + part(3, number) + part(4, label) + part(5, kind) + ((type_name and part(6, type_name)) or b""),
    )


ENTRY = part(3, part(1, "PricesEntry") + field("key", 1, 9) + field("value", 2, 1) + part(7, part(7, 1)))
LOT = part(3, part(1, "Lot") + field("count", 4, 3))
ITEM = part(4, part(1, "Item") + field("item_name", 1, 9) + field("lots", 2, 11, label=3, type_name=".shop.Item.Lot")
            + field("prices", 3, 11, label=3, type_name=".shop.Item.PricesEntry") + ENTRY + LOT)  # fmt: skip
GET = part(2, part(1, "Get") + part(2, ".shop.Ask") + part(3, ".shop.Item"))
LIST = part(2, part(1, "List") + part(2, ".shop.Ask") + part(3, ".shop.Item") + part(6, 1))
DESCRIPTOR = part(1, "shop.proto") + part(2, "shop") + ITEM + part(6, part(1, "Stock") + GET + LIST)
ES = f'exports.file_shop = fileDesc("{base64.b64encode(DESCRIPTOR).decode().rstrip("=")}");'


@pytest.mark.parametrize(
    "text",
    [TS_PROTO, TABLES, GOOGLE, ES, STATIC],
    ids=["ts-proto", "tables", "google", "descriptor", "static module"],
)
def test_messages_are_written_as_their_definition_would_be(text):
    methods = GrpcMethods()
    methods.add_generated(text)
    answer, stream = (methods.answer_of(f"/shop.Stock/{name}") for name in ("Get", "List"))
    assert not answer.is_stream and stream.is_stream
    [root] = [one for one in answer.shape.messages if one.name == answer.shape.root]
    name, lots, prices = (one.name for one in root.fields)
    body = {name: "Emma", lots: [{"count": 7}], prices: {"EUR": 2.0}}
    expected = GrpcMethods()
    expected.add(
        'syntax = "proto3"; package shop; message Item { string item_name = 1; repeated Lot lots = 2; '
        "map<string, double> prices = 3; message Lot { int64 count = 4; } } service Stock { rpc Get(A) returns (Item); }"
    )
    defined = {"itemName": "Emma", "lots": [{"count": 7}], "prices": {"EUR": 2.0}}
    shape = expected.answer_of("/shop.Stock/Get").shape
    written = grpc_frames(answer.shape, body)
    assert written in (grpc_frames(shape, defined), grpc_frames(shape, {**defined, "item_name": "Emma"}))
    assert len(written) > 20


def test_static_modules_of_older_versions_have_packed_lists_and_methods_named_in_one_place():
    methods = GrpcMethods()
    methods.add_generated(OLD_STATIC)
    [root] = methods.answer_of("/shop.Stock/Get").shape.messages
    assert [(one.name, one.number, one.kind, one.is_list) for one in root.fields] == [
        ("names", 2, "string", True),
        ("raw", 3, "bytes", False),
        ("codes", 1, "int32", True),
    ]


def test_other_code_defines_nothing():
    methods = GrpcMethods()
    methods.add_generated("const reader = 1; reader.uint32(); fetch('/shop.Stock/Get');")
    assert methods.answer_of("/shop.Stock/Get") is None


def test_bytes_that_are_no_descriptor_are_refused():
    for data in (b"\x0a\xff\x01", b"\x0b", b"\xff" * 20):
        with pytest.raises(DescriptorError):
            read_descriptor(data)
