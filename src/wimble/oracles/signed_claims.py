"""Recognises errors about claims of a token that wimble has signed with the SUT's own secret.

Such tokens let calls in that no login has opened, and the search changes their claims. But nobody except the SUT can
sign one: that a claim is no id, say, which a database then refuses, is nothing that the program has to expect.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.genes import SignedTokenGene, iter_genes
from wimble.model.testcase import Call
from wimble.oracles.sent_inputs import texts_of_call

QUOTES: Final = ('"', "'", "`")


def is_about_signed_claim(call: Call, message: str) -> bool:
    """Whether a message quotes a text that the call has sent as a claim of such a token, and nowhere else."""
    quoted = [text for text in _signed_texts(call) if any(f"{quote}{text}{quote}" in message for quote in QUOTES)]
    return bool(quoted) and not any(sent in quoted for _, sent in texts_of_call(call))


def _signed_texts(call: Call) -> Iterator[str]:
    for root in call.genes:
        for _, gene in iter_genes(root):
            if isinstance(gene, SignedTokenGene):
                claims = gene.claims.phenotype()
                if isinstance(claims, dict):
                    yield from (claim for claim in claims.values() if isinstance(claim, str))
