"""Credentials that were not given: made up, empty and malformed. The code behind a guard may fail on them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from random import Random
from typing import Final

from wimble.genes import (
    AffixedGene,
    AnyGene,
    ArrayGene,
    BooleanGene,
    CarriedGene,
    Gene,
    ObjectGene,
    OptionalGene,
    SignedTokenGene,
    StringGene,
)
from wimble.genes.signed_token import claim_gene
from wimble.genes.taint_markers import taint_marker
from wimble.search.access.ways import Way
from wimble.types import Json
from wimble.users import basic_header

USUAL_CLAIMS: Final[dict[str, Json]] = {"sub": "1", "id": 1, "userId": 1, "email": "a@example.com"}


def made_up_credentials(own: tuple[str, ...], rng: Random) -> Iterator[CarriedGene]:
    """Yields credentials for an operation that asks for a user, likeliest to be read first.

    own: places that the document or the code names.
    """
    for place in own:
        yield CarriedGene(((place, StringGene(taint_marker(rng))),))
    authorization: tuple[Gene, ...] = (
        AffixedGene("Bearer ", StringGene(taint_marker(rng))),
        StringGene(basic_header(taint_marker(rng), taint_marker(rng))),
        StringGene("Bearer "),
        AffixedGene("Bearer ", StringGene(_unsigned_token(rng))),
        StringGene(taint_marker(rng)),
        StringGene("Basic %%%"),
        StringGene("Bearer a.b.c"),
    )
    for gene in authorization:
        yield CarriedGene((("header Authorization", gene),))


def signed_token(way: Way, key: str, claims: dict[str, Json], rng: Random) -> CarriedGene:
    """Returns a token that is signed with a key of the SUT, carried in this way.

    claims: those that the SUT was seen to sign; usual ones are added if there are none.
    """
    known = {name: claim_gene(value) for name, value in claims.items()}
    if not known:
        known = {name: AnyGene(value) for name, value in USUAL_CLAIMS.items()}
    roles: dict[str, Gene] = {
        "role": StringGene(taint_marker(rng)),
        "roles": ArrayGene(StringGene(), (StringGene(taint_marker(rng)),)),
        "isAdmin": BooleanGene(True),
        "admin": BooleanGene(True),
        "scope": StringGene(taint_marker(rng)),
        "permissions": ArrayGene(StringGene(), (StringGene(taint_marker(rng)),)),
    }
    # Claims that the SUT has signed keep their types: nobody else signs tokens, so it need not expect others.
    added = {name: OptionalGene(gene, name == "role") for name, gene in roles.items() if name not in known}
    token = SignedTokenGene(key, ObjectGene((*known.items(), *added.items())))
    return CarriedGene(tuple((place, AffixedGene(prefix, token) if prefix else token) for place, prefix in way.fields))


def signed_in(carried: CarriedGene) -> tuple[Way, SignedTokenGene] | None:
    """Returns the token among the credentials that is signed with a key of the SUT, and the way in which it is sent."""
    for place, gene in carried.fields:
        if isinstance(gene, SignedTokenGene):
            return Way(((place, ""),)), gene
        if isinstance(gene, AffixedGene) and isinstance(gene.gene, SignedTokenGene):
            return Way(((place, gene.prefix),)), gene.gene
    return None


def _unsigned_token(rng: Random) -> str:
    """Returns a JWT without a valid signature, whose claims have the usual names."""
    claims = {"sub": "1", "id": 1, "userId": 1, "name": taint_marker(rng), "role": "admin"}
    parts = ({"alg": "HS256", "typ": "JWT"}, claims)
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, base64.urlsafe_b64encode(b"made up").decode().rstrip("=")])
