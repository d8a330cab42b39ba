"""Texts in which one piece is repeated: regular expressions and loops that backtrack or scan again show there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

PIECES: Final = (
    " ", "a", "0", "-", "/", "\t", "\n", '"', "\\", "(", "[", "<", ",", "=", ".", "_", ":", "`", "*", "&", "{", ";",
    "'", "#", "!", "+", "|", "a ", "0a", "- ", "1. ", "%", "~", "$", "?", "@", "^", ">", ")", "]", "}",
)  # fmt: skip
"""Pieces that are tried beside those of the text itself."""
ENDS: Final = ("\u0000", "")
"""What follows the repeated piece: a character that fits nothing, or nothing."""
MAX_OWN: Final = 8
"""Number of pieces that are taken from the text itself."""
MAX_HEAD: Final = 40


class PumpedText(msgspec.Struct, frozen=True):
    """`head`, then `piece` as often as wanted, then `end`."""

    head: str
    piece: str
    end: str

    def text(self, times: int) -> str:
        return self.head + self.piece * times + self.end


def iter_pumped(text: str, known: Sequence[str] = ()) -> Iterator[PumpedText]:
    """Yields forms of a text with a repeated piece, the simplest first.

    known: pieces that have shown growth elsewhere, which come before others.
    """
    own = [text[at : at + size] for size in (1, 2, 3) for at in range(max(0, len(text) - size + 1))]
    pieces = dict.fromkeys([*known, *own[:MAX_OWN], *PIECES])
    heads = dict.fromkeys(("", text[:MAX_HEAD]))
    for end in ENDS:
        for piece in pieces:
            for head in heads:
                yield PumpedText(head, piece, end)
