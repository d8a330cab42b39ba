"""How credentials are obtained: the calls that have answered them once, to be sent again as another user."""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from wimble.genes import AffixedGene, CarriedGene, CredentialGene, Gene, StringGene
from wimble.model.observation import GivenCredential
from wimble.model.testcase import Call, TestCase
from wimble.search.access.identities import user_and_password, with_fresh_identity
from wimble.search.access.ways import Way
from wimble.users import basic_header

MADE_UP: Final = "wimble"


class Obtained(msgspec.Struct, frozen=True):
    """Calls, of which the last one has answered the credentials."""

    test_case: TestCase
    credentials: tuple[GivenCredential, ...] = ()

    @property
    def giver(self) -> str:
        """The id of the operation that gives the credentials."""
        return self.test_case.calls[-1].operation.id

    @property
    def has_cookies(self) -> bool:
        return any(one.kind == "cookie" for one in self.credentials)

    @property
    def has_token(self) -> bool:
        return any(one.kind == "token" for one in self.credentials)

    def own_places(self) -> tuple[str, ...]:
        """Returns the places that the names of the tokens suggest."""
        return tuple(one.own_place for one in self.credentials if one.own_place)

    def as_new_user(self, rng: Random) -> TestCase:
        """Returns the calls with other names and addresses."""
        return with_fresh_identity(self.test_case, rng)

    def carried(self, way: Way, giver_index: int, calls: list[Call], preference: int = 0) -> CarriedGene:
        """Returns the credentials that the call at `giver_index` answers, as later calls carry them.

        preference: which of several tokens is taken.
        """
        if way.is_basic:
            return _basic(way, calls[: giver_index + 1], preference)
        tokens = [one for one in self.credentials if one.kind == "token"]
        fields: list[tuple[str, Gene]] = []
        if tokens:
            pointer = tokens[preference % len(tokens)].pointer
            for place, prefix in way.fields:
                reference: Gene = CredentialGene(giver_index, pointer, StringGene(MADE_UP))
                fields.append((place, AffixedGene(prefix, reference) if prefix else reference))
        taken = {place.partition(" ")[2] for place, _ in fields if place.startswith("cookie ")}
        for one in self.credentials:
            if one.kind == "cookie" and one.name not in taken:
                reference = CredentialGene(giver_index, one.pointer, StringGene(MADE_UP))
                fields.append((f"set-cookie {one.name}", reference))
        return CarriedGene(tuple(fields))


def _basic(way: Way, calls: list[Call], preference: int) -> CarriedGene:
    for call in reversed(calls):
        known = user_and_password(call, preference) if call.operation.entrance else None
        if known is not None:
            return CarriedGene(((way.fields[0][0], StringGene(basic_header(*known))),))
    return CarriedGene()
