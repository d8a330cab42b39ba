"""How credentials are obtained: the calls that have answered them once, to be sent again as another user."""

from __future__ import annotations

import re
from random import Random
from typing import Final

import msgspec

from wimble.genes import AffixedGene, CarriedGene, CredentialGene, Gene, StringGene
from wimble.model.forgery_tokens import FORGERY_TOKEN
from wimble.model.observation import GivenCredential
from wimble.model.testcase import Call, TestCase
from wimble.search.access.identities import user_and_password, with_fresh_identity
from wimble.search.access.ways import Way
from wimble.users import basic_header

MADE_UP: Final = "wimble"
_NAME_IN_POINTER: Final = re.compile("[/:]")
"""What is before the name of a member, header, cookie or field."""


class Obtained(msgspec.Struct, frozen=True):
    """Calls that give credentials. The last one gives them, or makes those of earlier calls let a user in.

    A login on a page with a form may answer nothing but a redirect: then the cookie of the page is that of the user.
    """

    test_case: TestCase
    credentials: tuple[GivenCredential, ...] = ()
    sources: tuple[int, ...] = ()
    """The index of the call that answers each credential; of the last call if there are none."""

    @property
    def giver(self) -> str:
        """The id of the operation that gives the credentials."""
        return self.test_case.calls[-1].operation.id

    @property
    def is_page(self) -> bool:
        """Whether a page, or the like, gives a token against forged requests, to anybody."""
        calls = self.test_case.calls
        is_open = len(calls) == 1 and not calls[0].operation.entrance
        return is_open and any(one.is_against_forgery for one in self.credentials)

    @property
    def has_cookies(self) -> bool:
        return any(one.kind == "cookie" for one in self.credentials)

    @property
    def is_session(self) -> bool:
        """Whether the calls give a session to whoever makes them, without a login.

        A cookie that holds a document is none: the document is an input, of which the search sends other values.
        """
        has_id = any(one.kind == "cookie" and not one.is_document for one in self.credentials)
        return has_id and not self.has_token and not self.test_case.calls[-1].operation.entrance

    @property
    def has_token(self) -> bool:
        return any(one.kind == "token" for one in self.credentials)

    def own_places(self) -> tuple[str, ...]:
        """Returns the places that the names of the tokens suggest; a form has the token of its page in a field."""
        suggested = [one.own_place for one in self.credentials if one.own_place]
        return (*suggested, *(f"body {one.name}" for one in self.credentials if one.is_against_forgery))

    def as_new_user(self, rng: Random) -> TestCase:
        """Returns the calls with other names and addresses."""
        return with_fresh_identity(self.test_case, rng)

    def carried(self, way: Way, giver_index: int, calls: list[Call], preference: int = 0) -> CarriedGene:
        """Returns the credentials that the call at `giver_index` answers, as later calls carry them.

        preference: which of several tokens is taken.
        """
        if way.is_basic:
            return _basic(way, calls[: giver_index + 1], preference)
        given = self._given(giver_index, calls)
        tokens = [(one, index) for one, index in given if one.kind == "token"]
        fields: list[tuple[str, Gene]] = []
        if tokens:
            token, index = tokens[preference % len(tokens)]
            for place, prefix in way.fields:
                reference: Gene = CredentialGene(index, token.pointer, StringGene(MADE_UP))
                fields.append((place, AffixedGene(prefix, reference) if prefix else reference))
        taken = {place.partition(" ")[2] for place, _ in fields if place.startswith("cookie ")}
        for one, index in given:
            if one.kind == "cookie" and one.name not in taken:
                fields.append((f"set-cookie {one.name}", CredentialGene(index, one.pointer, StringGene(MADE_UP))))
        return CarriedGene(tuple(fields))

    def _given(self, giver_index: int, calls: list[Call]) -> list[tuple[GivenCredential, int]]:
        """Returns the credentials with the calls that answer them, if these are made as they were."""
        if not self.sources:
            return [(one, giver_index) for one in self.credentials]
        own = self.test_case.calls
        first = giver_index - len(own) + 1
        made = calls[max(0, first) : giver_index + 1]
        if [one.operation.id for one in made] != [one.operation.id for one in own]:
            return []
        return [(one, first + source) for one, source in zip(self.credentials, self.sources, strict=True)]


def with_inherited(test_case: TestCase, own: tuple[GivenCredential, ...]) -> Obtained:
    """Returns the calls with what the last one answers, and with what it has carried of the answers of earlier ones."""
    index = len(test_case.calls) - 1
    last = test_case.calls[index].genes
    carried = last[-1].fields if last and isinstance(last[-1], CarriedGene) else ()
    found = [(one, index) for one in own]
    known = {(one.kind, one.name) for one in own}
    for place, gene in carried:
        if not isinstance(gene, CredentialGene):
            continue
        one = _inherited(place, gene)
        if one is not None and (one.kind, one.name) not in known:
            known.add((one.kind, one.name))
            found.append((one, gene.call))
    return Obtained(test_case, tuple(one for one, _ in found), tuple(source for _, source in found))


def _inherited(place: str, gene: CredentialGene) -> GivenCredential | None:
    """Returns a cookie, or a token against forged requests, that a call has carried; None if it is another."""
    kind, _, name = place.partition(" ")
    if kind == "set-cookie":
        return GivenCredential("cookie", name, gene.pointer)
    name = _NAME_IN_POINTER.split(gene.pointer)[-1]
    if not FORGERY_TOKEN.search(name):
        return None
    return GivenCredential("token", name, gene.pointer, place, is_against_forgery=True)


def _basic(way: Way, calls: list[Call], preference: int) -> CarriedGene:
    for call in reversed(calls):
        known = user_and_password(call, preference) if call.operation.entrance else None
        if known is not None:
            return CarriedGene(((way.fields[0][0], StringGene(basic_header(*known))),))
    return CarriedGene()
