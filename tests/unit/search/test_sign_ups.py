"""Users who have signed up in another way may be let in where others are not; and a name may be taken."""

from random import Random

import pytest
from fake_sut import FakeSut, operation, searched

from wimble.genes import EnumGene, IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.http.entrances import with_entrances
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.identities import with_plausible_identity
from wimble.search.access.sign_ups import SignUps
from wimble.search.access.user_calls import UserCalls
from wimble.types import TargetId

CREDENTIALS = ObjectGene((("email", StringGene()), ("password", StringGene()), ("role", EnumGene(("guest", "editor")))))
SIGN_UP, DRAFTS, PUBLISH = with_entrances(
    [
        operation("POST", "/users/register", CREDENTIALS),
        operation("GET", "/drafts"),
        operation("POST", "/drafts/publish"),
    ]
)
LINE = TargetId(5)


def signed_up(seed: int, role: str) -> Call:
    body = CREDENTIALS.with_value({"email": "a@b.example", "password": "secret", "role": role})
    assert body is not None
    inputs = [body if given.name == "body" else given.template for given in SIGN_UP.inputs]
    return with_plausible_identity(Call(SIGN_UP, tuple(inputs)), Random(seed))


def noted(sign_ups: SignUps, call: Call, outcome: str, *, covered: bool = False) -> None:
    class Answer:
        call_index = 0

    answer = Answer()
    answer.outcome = outcome
    reached = {LINE: Reached(1.0, 0)} if covered else {}
    sign_ups.note(Evaluation(test_case=TestCase((call,)), observations=(), reached=reached), call, answer)


def body_of(call: Call) -> dict:
    return next(gene.phenotype() for gene in call.genes if isinstance(gene, ObjectGene))


def test_a_way_that_has_covered_something_is_taken_again_for_the_same_user():
    sign_ups = SignUps(Random(1))
    noted(sign_ups, signed_up(1, "editor"), "ok", covered=True)
    noted(sign_ups, signed_up(2, "guest"), "ok")
    plain = signed_up(3, "guest")
    taken = [sign_ups.otherwise(DRAFTS.id, plain, lambda: plain) for _ in range(60)]
    assert {body_of(call)["email"] for call in taken} == {body_of(plain)["email"]}
    roles = [body_of(call)["role"] for call in taken]
    assert 10 < roles.count("editor") < 40


def test_a_role_that_was_accepted_is_a_way_though_it_covers_nothing():
    sign_ups = SignUps(Random(1))
    noted(sign_ups, signed_up(1, "guest"), "ok", covered=True)
    noted(sign_ups, signed_up(2, "editor"), "ok")
    noted(sign_ups, signed_up(4, "editor"), "ok")
    assert sign_ups.n_ways == 2
    plain = signed_up(3, "guest")
    taken = [sign_ups.otherwise(DRAFTS.id, plain, lambda: plain) for _ in range(60)]
    assert "editor" in [body_of(call)["role"] for call in taken]


def test_a_user_for_an_operation_signs_up_as_the_one_who_was_let_in():
    sign_ups = SignUps(Random(1))
    assert not sign_ups.knows_way_into(DRAFTS.id)
    empty = Call(DRAFTS, tuple(given.template for given in DRAFTS.inputs))
    sign_ups.note_admitted(TestCase((signed_up(1, "editor"), empty)), 1)
    assert sign_ups.knows_way_into(DRAFTS.id)
    plain = signed_up(3, "guest")
    roles = [body_of(sign_ups.otherwise(DRAFTS.id, plain, lambda: plain))["role"] for _ in range(40)]
    assert roles.count("editor") > 30


def test_whom_one_operation_has_let_in_another_one_that_is_forbidden_may_let_in_too():
    access = Access((SIGN_UP, DRAFTS), Random(1))
    users = UserCalls(access, Random(1))
    draft, publish = (Call(one, tuple(given.template for given in one.inputs)) for one in (DRAFTS, PUBLISH))
    access.sign_ups.note_admitted(TestCase((signed_up(1, "editor"), draft)), 1)
    plain = signed_up(3, "guest")
    old = TestCase((plain, publish))
    assert users.with_admitted_user(old) is old, "nobody was turned away"
    access.forbidden.add(PUBLISH.id)
    made = [users.with_admitted_user(old).calls[0] for _ in range(60)]
    assert {body_of(call)["email"] for call in made} == {body_of(plain)["email"]}
    assert 20 < [body_of(call)["role"] for call in made].count("editor") < 50
    sent = [body_of(access.sign_ups.otherwise(PUBLISH.id, plain, lambda: plain))["role"] for _ in range(60)]
    assert 10 < sent.count("editor") < 40
    same = TestCase((signed_up(3, "editor"), publish))
    assert users.with_admitted_user(same) is same


@pytest.mark.parametrize(
    ("is_taken", "email", "changes"), [(True, None, True), (False, None, False), (True, "root@corp.example", False)]
)
def test_a_changed_copy_has_another_user_where_names_are_taken(is_taken, email, changes):
    sign_ups = SignUps(Random(9))
    call = signed_up(1, "guest")
    noted(sign_ups, call, "ok")
    noted(sign_ups, call if is_taken else signed_up(2, "guest"), "refused")
    if email is not None:
        body = CREDENTIALS.with_value({**body_of(call), "email": email})
        call = Call(SIGN_UP, tuple(body if isinstance(gene, ObjectGene) else gene for gene in call.genes))
    renewed = sign_ups.renewed(TestCase((call,)))
    assert (body_of(renewed.calls[0])["email"] != body_of(call)["email"]) == changes
    assert body_of(renewed.calls[0])["password"] == body_of(call)["password"]


def keeps_its_users(users: set[str]):
    """A server that refuses a name a second time, whatever test case it comes from."""

    def handler(operation_id, values, probe, state):
        body = values["body"]
        if body["email"] in users or "@" not in body["email"]:
            return 409, {"error": "taken"}
        users.add(body["email"])
        if probe.equals(1, body.get("age", 0), 73_421):
            probe.line(99)
        return 201, {"ok": True}

    return handler


def test_edits_of_a_sign_up_are_not_refused_because_of_its_name():
    credentials = ObjectGene((*CREDENTIALS.fields[:2], ("age", OptionalGene(IntegerGene()))))
    api = with_entrances([operation("POST", "/users/register", credentials)])
    for seed in range(4):
        sut = FakeSut(keeps_its_users(set()), with_hints=True)
        search, _ = searched(sut, api, seed=seed, evaluations=200, stop_at=99)
        assert search.archive.is_covered(sut.target("line", 99)), seed


def test_what_is_reported_though_it_is_covered_makes_no_other_way():
    sign_ups = SignUps(Random(1))
    for seed, role in enumerate(["editor", *["guest"] * 20]):
        noted(sign_ups, signed_up(seed, role), "ok", covered=True)
    plain = signed_up(30, "guest")
    roles = [body_of(sign_ups.otherwise(DRAFTS.id, plain, lambda: plain))["role"] for _ in range(60)]
    assert 10 < roles.count("editor") < 40
