"""A user who logs in takes the place of a token that wimble has signed."""

import json
from random import Random

from fake_sut import operation

from wimble.genes import (
    AffixedGene,
    CarriedGene,
    CredentialGene,
    IntegerGene,
    ObjectGene,
    ReferenceGene,
    SignedTokenGene,
    StringGene,
    iter_genes,
)
from wimble.http.entrances import with_entrances
from wimble.model.carried_credentials import with_carried
from wimble.model.observation import GivenCredential
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.obtained import Obtained
from wimble.search.access.openings import Entry
from wimble.search.access.real_logins import RealLogins, signs_tokens
from wimble.search.access.ways import BEARER, Way

USER = ObjectGene(
    (("email", StringGene("ann@example.com")), ("password", StringGene("Passw0rd!")), ("city", StringGene("Bern")))
)
SIGN_UP, LOGIN, ORDER, ME = with_entrances(
    [
        operation("POST", "/register", USER),
        operation("POST", "/login", USER),
        operation("POST", "/orders", ObjectGene((("item", StringGene("pen")),))),
        operation("GET", "/me"),
    ]
)
KEY = "0" * 16


def plain(one) -> Call:
    return Call(one, tuple(given.template for given in one.inputs))


def signed(one, claims: ObjectGene) -> Call:
    token = AffixedGene("Bearer ", SignedTokenGene(KEY, claims))
    return with_carried(plain(one), CarriedGene((("header Authorization", token),)))


def logins(*opened) -> RealLogins:
    """Returns what makes logins, where a sign-up and a login have opened these operations."""
    access = Access([SIGN_UP, LOGIN, ORDER, ME], Random(1))
    token = GivenCredential("token", "token", "/token")
    access.obtained[LOGIN.id] = Obtained(TestCase((plain(SIGN_UP), plain(LOGIN))), (token,))
    for one in opened:
        access.openings.note(one, Entry(KEY, Way((BEARER,)), is_signed=True))
        access.openings.note(one, Entry(LOGIN.id, Way((BEARER,))))
    return RealLogins(access, Random(1))


def tokens_taken_from(call: Call) -> list[int]:
    return [gene.call for _, gene in iter_genes(call.genes[-1]) if isinstance(gene, CredentialGene)]


def test_a_user_signs_up_and_logs_in_before_the_first_call_with_a_signed_token():
    number = ObjectGene((("sub", IntegerGene(1)),))
    changed = logins(ME, ORDER).in_place_of_signed(TestCase((plain(ME), signed(ORDER, number), signed(ME, number))))
    assert changed is not None
    assert [call.operation for call in changed.calls] == [ME, SIGN_UP, LOGIN, ORDER, ME]
    assert tokens_taken_from(changed.calls[3]) == tokens_taken_from(changed.calls[4]) == [2]
    assert not signs_tokens(changed)
    sent = [json.dumps(call.genes[0].phenotype()["email"]) for call in changed.calls[1:3]]
    assert sent[0] == sent[1] != '"ann@example.com"'


def test_a_user_whom_the_test_case_has_signed_up_is_the_one_who_logs_in():
    odd = ObjectGene((*USER.fields[:2], ("city", StringGene(" "))))
    sign_up = Call(SIGN_UP, (odd, *plain(SIGN_UP).genes[1:]))
    own = ObjectGene((("sub", ReferenceGene(0, "/id", IntegerGene(1))),))
    order = plain(ORDER)
    item = ObjectGene((("item", ReferenceGene(0, "/id", StringGene("x"))),))
    order = Call(ORDER, (item, *order.genes[1:]))
    changed = logins(ME).in_place_of_signed(TestCase((sign_up, order, signed(ME, own))))
    assert changed is not None
    assert [call.operation for call in changed.calls] == [SIGN_UP, LOGIN, ORDER, ME]
    assert changed.calls[0].genes[0].phenotype()["city"] == " "
    assert changed.calls[0].genes[0].phenotype()["email"] == changed.calls[1].genes[0].phenotype()["email"]
    references = [gene.call for _, gene in iter_genes(changed.calls[2].genes[0]) if isinstance(gene, ReferenceGene)]
    assert references == [0]
    assert tokens_taken_from(changed.calls[3]) == [1]


def test_what_has_opened_other_operations_is_taken_for_one_that_no_login_has_opened():
    claims = ObjectGene((("sub", IntegerGene(1)),))
    changed = logins(ME).in_place_of_signed(TestCase((signed(ORDER, claims),)))
    assert changed is not None
    assert tokens_taken_from(changed.calls[-1]) == [1]


def test_without_a_login_or_a_signed_token_nothing_changes():
    claims = ObjectGene((("sub", IntegerGene(1)),))
    assert logins().in_place_of_signed(TestCase((signed(ME, claims),))) is None
    assert not logins().are_known
    assert logins(ME).in_place_of_signed(TestCase((plain(ME),))) is None
