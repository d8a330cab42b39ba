"""Errors about claims that only wimble can have signed are no faults."""

import msgspec
import pytest

from wimble.genes import AffixedGene, CarriedGene, ObjectGene, SignedTokenGene, StringGene
from wimble.genes.signed_token import claim_gene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.entrances import CREDENTIALS
from wimble.model.testcase import Call
from wimble.oracles.security.signed_claims import is_about_signed_claim

QUERY = HttpInput(name="q", location="query", template=StringGene("x"), required=True)
OPERATION = http_operation(id="GET /orders", method="GET", path="/orders", inputs=[QUERY])
ENTERED = msgspec.structs.replace(OPERATION, inputs=(*OPERATION.inputs, CREDENTIALS))


def call(claims, searched="pen"):
    token = SignedTokenGene("0123456789abcdef", ObjectGene(tuple((k, claim_gene(v)) for k, v in claims.items())))
    return Call(
        ENTERED, (StringGene(searched), CarriedGene((("header Authorization", AffixedGene("Bearer ", token)),)))
    )


@pytest.mark.parametrize(
    ("claims", "message", "is_about"),
    [
        ({"sub": "k2p"}, 'error: invalid input syntax for type integer: "k2p"', True),
        ({"sub": ""}, 'error: invalid input syntax for type integer: ""', True),
        ({"sub": "k2p"}, "TypeError: Cannot read properties of null (reading 'name')", False),
        ({"sub": "pen"}, 'error: invalid input syntax for type integer: "pen"', False),
        ({"realm": {"roles": ["a", "k2p"]}}, 'error: no role "k2p"', True),
        ({"sub": 7}, 'error: value "7" is out of range', False),
    ],
)
def test_a_quoted_claim_is_nobodys_input(claims, message, is_about):
    assert is_about_signed_claim(call(claims), message) is is_about


def test_calls_without_such_a_token_are_judged_as_ever():
    assert not is_about_signed_claim(Call(OPERATION, (StringGene("pen"),)), 'no integer: "pen"')
