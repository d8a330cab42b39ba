"""Content codings are undone, within a bound."""

import gzip
import os
import zlib

import brotli
import pytest

from wimble.execute.http.content_decoding import Decoded, decoded

TEXT = b'{"a": 1}' * 50
LIMIT = 10_000


@pytest.mark.parametrize(
    ("codings", "body"),
    [
        ("gzip", gzip.compress(TEXT)),
        ("X-GZip", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", zlib.compress(TEXT, wbits=-15)),
        ("br", brotli.compress(TEXT)),
        ("gzip, br", brotli.compress(gzip.compress(TEXT))),
        ("identity", TEXT),
        ("br", TEXT),
        ("gzip", TEXT),
    ],
    ids=["gzip", "x-gzip", "deflate", "raw deflate", "br", "gzip, br", "identity", "not br", "not gzip"],
)
def test_codings_are_undone_where_they_are_what_they_say(codings, body):
    assert decoded(body, codings, LIMIT) == Decoded(TEXT, False)


@pytest.mark.parametrize("codings", ["rot13", "gzip, rot13", ", ".join(["gzip"] * 5)])
def test_what_cannot_be_undone_stays_and_is_said_to(codings):
    assert decoded(TEXT, codings, LIMIT) == Decoded(TEXT, False, False)


@pytest.mark.parametrize(("codings", "encode"), [("gzip", gzip.compress), ("br", brotli.compress)])
@pytest.mark.parametrize("plain", [bytes(LIMIT * 100), os.urandom(LIMIT + 1)], ids=["bomb", "noise"])
def test_no_more_comes_out_than_the_bound(codings, encode, plain):
    assert decoded(encode(plain), codings, LIMIT) == Decoded(plain[:LIMIT], True)


@pytest.mark.parametrize(("codings", "encode"), [("gzip", gzip.compress), ("br", brotli.compress)])
def test_half_of_a_coded_body_is_cut(codings, encode):
    coded = encode(os.urandom(5_000))
    assert decoded(coded[:-500], codings, LIMIT).is_cut
