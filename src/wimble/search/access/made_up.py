"""Credentials that were not given: made up, empty and malformed. The code behind a guard may fail on them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from wimble.base64url import to_base64url
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
from wimble.model.hints import InputHint
from wimble.model.testcase import Call
from wimble.own_keys import OWN_KEYS
from wimble.search.access.own_tokens import own_claims
from wimble.search.access.ways import Way
from wimble.types import Json
from wimble.users import basic_header

MAX_CLAIM_DEPTH: Final = 3
_YES_OR_NO: Final = re.compile(r"(?:is|has|can)(?:[A-Z_]|$)|(?:super_?)?admin$", re.IGNORECASE)
_SEVERAL: Final = re.compile(r"(?<!s)s$|list$|authorities$", re.IGNORECASE)
"""Names of claims that are lists of texts."""
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


def signed_token(
    way: Way,
    key: str,
    claims: dict[str, Json],
    rng: Random,
    *,
    read: Iterable[tuple[str, ...]] = (),
    demands: Mapping[str, Sequence[Json]] | None = None,
) -> CarriedGene:
    """Returns a token that is signed with a key of the SUT or of our own, carried in this way.

    claims: those that the SUT was seen to sign; usual ones are added if there are none. read: paths of claims that the
    SUT has read in tokens that lack them; they are added, too. demands: claims that a check demands, with the values
    that it accepts.
    """
    known = {name: _with_marker(claim_gene(value), rng) for name, value in claims.items()}
    if not known:
        known = own_claims(rng) if key in OWN_KEYS else {name: AnyGene(value) for name, value in USUAL_CLAIMS.items()}
    roles: dict[str, Gene] = {
        "role": StringGene(taint_marker(rng)),
        "roles": ArrayGene(StringGene(), (StringGene(taint_marker(rng)),)),
        "isAdmin": BooleanGene(True),
        "admin": BooleanGene(True),
        "scope": StringGene(taint_marker(rng)),
        "permissions": ArrayGene(StringGene(), (StringGene(taint_marker(rng)),)),
    }
    for name, values in (demands or {}).items():
        known[name] = claim_gene(rng.choice(values)) if values else known.get(name, StringGene(taint_marker(rng)))
    for path in read:
        _add_claim(known, path, rng)
    # Claims that the SUT has signed keep their types: nobody else signs tokens, so it need not expect others.
    added = {name: OptionalGene(gene, name == "role") for name, gene in roles.items() if name not in known}
    token = SignedTokenGene(key, ObjectGene((*known.items(), *added.items())))
    return CarriedGene(tuple((place, AffixedGene(prefix, token) if prefix else token) for place, prefix in way.fields))


def claim_read(call: Call, hint: InputHint) -> tuple[str, tuple[str, ...]] | None:
    """Returns the key of the signed token that a call carries, and the path of the claim in it that the hint tells of.

    None if what was read does not hold the claims of such a token.
    """
    gene = call.genes[-1] if call.genes else None
    signed = signed_in(gene) if isinstance(gene, CarriedGene) else None
    if signed is None or not isinstance(hint.held, dict) or not hint.held or not hint.path:
        return None
    token = signed[1]
    found = _path_to(hint.held, token.claims.phenotype(), 0)
    return None if found is None else (token.key, (*found, *hint.path))


def _path_to(held: dict[str, Json], claims: Json, depth: int) -> tuple[str, ...] | None:
    """Returns the path of the object within the claims that holds all of these members, with the same scalars."""
    if not isinstance(claims, dict) or depth > MAX_CLAIM_DEPTH:
        return None
    scalars = {name: value for name, value in held.items() if not isinstance(value, (dict, list))}
    if held.keys() <= claims.keys() and all(claims[name] == value for name, value in scalars.items()):
        return ()
    for name, inner in claims.items():
        below = _path_to(held, inner, depth + 1)
        if below is not None:
            return (name, *below)
    return None


def _add_claim(known: dict[str, Gene], path: tuple[str, ...], rng: Random) -> None:
    """Adds a claim of a type that its name suggests, unless there is one; what it is read from is an object."""
    if len(path) == 1:
        known.setdefault(path[0], OptionalGene(_claim_called(path[0], rng), True))
        return
    above = known.get(path[0])
    inner = dict(above.fields) if isinstance(above, ObjectGene) else {}
    _add_claim(inner, path[1:], rng)
    known[path[0]] = ObjectGene(tuple(inner.items()))


def _claim_called(name: str, rng: Random) -> Gene:
    if _YES_OR_NO.match(name):
        return BooleanGene(True)
    text = StringGene(taint_marker(rng))
    return ArrayGene(StringGene(), (text,)) if _SEVERAL.search(name) else text


def _with_marker(claim: Gene, rng: Random) -> Gene:
    """Returns the claim with a made-up text in each list of texts: what guards look for there takes its place."""
    if isinstance(claim, ObjectGene):
        return ObjectGene(tuple((name, _with_marker(inner, rng)) for name, inner in claim.fields))
    if isinstance(claim, ArrayGene):
        return claim.with_items((*claim.items, StringGene(taint_marker(rng))))
    return claim


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
    encoded = [to_base64url(json.dumps(part).encode()) for part in parts]
    return ".".join([*encoded, to_base64url(b"made up")])
