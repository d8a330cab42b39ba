"""Removes content codings (RFC 9110 §8.4) up to a size limit.

The client never asks for a coding, but a generated header may, and some servers always encode.
"""

from __future__ import annotations

import zlib
from typing import Final, NamedTuple

import brotli  # type: ignore[import-untyped]

MAX_CODINGS: Final = 4
"""More nested codings are an attack on clients."""

_NEEDS_NO_UNDOING: Final = frozenset({"", "identity"})
_ZLIB_HEADERS: Final = (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS)
"""With a gzip or zlib header; without a header, as some servers send `deflate`."""


class Decoded(NamedTuple):
    """A body without its codings. `is_known` is False if a coding is not supported; the body is then unchanged."""

    body: bytes
    is_cut: bool
    is_known: bool = True


def decoded(body: bytes, codings: str, limit_bytes: int) -> Decoded:
    """Returns a body without its codings, at most `limit_bytes` of it.

    codings: the value of Content-Encoding, the last one applied last. A body that does not have the coding named there
    stays unchanged.
    """
    names = [name for name in (part.strip().lower() for part in codings.split(",")) if name not in _NEEDS_NO_UNDOING]
    if len(names) > MAX_CODINGS or any(name not in _DECODERS for name in names):
        return Decoded(body, False, False)
    is_cut = False
    for name in reversed(names):
        body, is_still_cut = _DECODERS[name](body, limit_bytes)
        is_cut = is_cut or is_still_cut
    return Decoded(body, is_cut)


def _from_zlib(body: bytes, limit_bytes: int) -> tuple[bytes, bool]:
    for window_bits in _ZLIB_HEADERS:
        decoder = zlib.decompressobj(window_bits)
        try:
            plain = decoder.decompress(body, limit_bytes)
        except zlib.error:
            continue
        return plain, not decoder.eof
    return body, False


def _from_brotli(body: bytes, limit_bytes: int) -> tuple[bytes, bool]:
    decoder = brotli.Decompressor()
    plain = bytearray()
    rest = body
    try:
        while not decoder.is_finished() and len(plain) < limit_bytes:
            piece = decoder.process(rest, output_buffer_limit=limit_bytes - len(plain))
            if not piece and not rest:
                break  # the body ends before its coding does
            plain += piece
            rest = b""
    except brotli.error:
        return body, False
    is_cut = len(plain) > limit_bytes or not decoder.is_finished()  # the decoder's own limit is approximate
    return bytes(plain[:limit_bytes]), is_cut


_DECODERS: Final = {"gzip": _from_zlib, "x-gzip": _from_zlib, "deflate": _from_zlib, "br": _from_brotli}
