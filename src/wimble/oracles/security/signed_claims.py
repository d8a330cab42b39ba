"""Recognises errors about claims of a token that wimble has signed with the SUT's own secret.

Such tokens let calls in that no login has opened, and the search changes their claims. But nobody except the SUT can
sign one: that a claim is no id, say, which a database then refuses, is nothing that the program has to expect.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.genes import SignedTokenGene, iter_genes
from wimble.model.testcase import Call
from wimble.oracles.security.sent_inputs import texts_of_call
from wimble.types import Json

QUOTES: Final = ('"', "'", "`")


def is_about_signed_claim(call: Call, message: str) -> bool:
    """Whether a message quotes a text that the call has sent as a claim of such a token, and nowhere else."""
    quoted = [text for text in _signed_texts(call) if any(f"{quote}{text}{quote}" in message for quote in QUOTES)]
    return bool(quoted) and not any(sent in quoted for _, sent in texts_of_call(call))


def _signed_texts(call: Call) -> Iterator[str]:
    for root in call.genes:
        for _, gene in iter_genes(root):
            if isinstance(gene, SignedTokenGene):
                yield from _texts_in(gene.claims.phenotype())


def _texts_in(claims: Json) -> Iterator[str]:
    if isinstance(claims, str):
        yield claims
    inner = claims.values() if isinstance(claims, dict) else claims if isinstance(claims, list) else ()
    for one in inner:
        yield from _texts_in(one)
