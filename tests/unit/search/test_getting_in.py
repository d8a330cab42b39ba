"""The search signs up, logs in, and carries what the login answers, whatever place the guards read."""

import json
import re
from random import Random
from urllib.parse import parse_qs

import pytest
from fake_sut import FakeSut, operation, searched

from wimble.genes import AnyGene, ArrayGene, CarriedGene, CredentialGene, EnumGene, ObjectGene, OptionalGene, StringGene
from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpResponse
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.carried_credentials import carried_by, with_carried
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import ComparisonHint, InputHint, PatternHint, SubstringHint, TokenClaimsHint
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Exchange, GivenCredential, Observation
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call, TestCase
from wimble.own_keys import OWN_KEYS, key_set
from wimble.search.access.access import Access
from wimble.search.access.choices import Choices
from wimble.search.access.identities import (
    names_of_user,
    with_fresh_identity,
    with_identity_alone,
    with_identity_as_form,
    with_identity_of,
    with_less_of_user,
    with_plausible_identity,
)
from wimble.search.access.made_up import signed_in, signed_token
from wimble.search.access.named_schemes import scheme_named
from wimble.search.access.obtained import Obtained
from wimble.search.access.openings import Attempt, Entry
from wimble.search.access.own_tokens import has_own_token
from wimble.search.access.stale_givers import STALE_AFTER, StaleGivers
from wimble.search.access.user_calls import UserCalls
from wimble.search.access.ways import BEARER, Way
from wimble.search.archive.archive import Improvement
from wimble.search.generators.entrance.getting_in import MAX_VAIN, MAX_VAIN_UNASKED, GettingIn, _Trial
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.learned.members import with_input
from wimble.search.minimise.minimiser import minimise_test
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

CREDENTIALS = ObjectGene((("email", StringGene()), ("password", StringGene())))
USER = ObjectGene((("login", StringGene()), ("password", StringGene()), ("email", StringGene())))
GUARDED = [f"GET /part{number}" for number in range(6)]
API = with_entrances(
    [
        operation("POST", "/users/register", CREDENTIALS),
        operation("POST", "/users/login", ObjectGene((("login", StringGene()), ("password", StringGene())))),
        *(operation(*name.split()) for name in GUARDED),
    ]
)
SIGN_UP, LOGIN = API[:2]


def secured(place: str, prefix: str):
    """A server whose guards read a token at one place."""

    def handler(operation_id, values, probe, state):
        body = values.get("body") or {}
        users = state.setdefault("users", {})
        if operation_id == SIGN_UP.id:
            if "@" not in body["email"] or len(body["password"]) < 8:
                return 400, {"error": "an e-mail address, and a password of 8 letters"}
            users[body["email"]] = body["password"]
            return 201, {"ok": True}
        if operation_id == LOGIN.id:
            if users.get(body["login"], "") != body["password"]:
                return 401, {"error": "wrong"}
            return 200, {"data": {"accessToken": "tok-" + body["login"]}}
        sent = (values.get("credentials") or {}).get(place, "")
        if not sent.startswith(prefix) or sent.removeprefix(prefix) not in ["tok-" + user for user in users]:
            return 401, {"error": "no token"}
        probe.line(100 + GUARDED.index(operation_id))
        return 200, {}

    return handler


@pytest.mark.parametrize(
    ("place", "prefix"),
    [
        ("header Authorization", "Bearer "),
        ("header Authorization", "Token "),
        ("header Authorization", ""),
        ("header x-access-token", ""),
        ("cookie jwt", ""),
        ("query access_token", ""),
    ],
)
def test_the_token_of_a_login_opens_all_operations(place, prefix):
    for seed in (1, 2, 3):
        sut = FakeSut(secured(place, prefix))
        search, _ = searched(sut, API, seed=seed, evaluations=150)
        covered = [search.archive.is_covered(sut.target("line", 100 + number)) for number in range(len(GUARDED))]
        assert all(covered), (seed, covered)
        (entry,) = search.sampler.access.openings.ways[GUARDED[0]][:1]
        assert entry.way.fields == ((place, prefix),), "only what is needed is carried"


def test_a_login_sends_what_the_sign_up_has_sent():
    rng = Random(1)
    signed_up = with_plausible_identity(_call(SIGN_UP), rng)
    sent = _texts(signed_up)
    assert "@" in sent["email"]
    assert _texts(with_identity_of(_call(LOGIN), signed_up, 0)) == {
        "login": sent["email"],
        "password": sent["password"],
    }


def test_another_user_has_another_name_in_all_calls_and_the_same_password():
    signed_up = with_plausible_identity(_call(SIGN_UP), Random(1))
    calls = TestCase((signed_up, with_identity_of(_call(LOGIN), signed_up, 0)))
    first, second = map(_texts, with_fresh_identity(calls, Random(2)).calls)
    assert first["email"] == second["login"] != _texts(signed_up)["email"]
    assert first["password"] == second["password"] == _texts(signed_up)["password"]


def test_two_users_of_a_test_case_stay_two():
    ann, bob = (with_plausible_identity(_call(SIGN_UP), Random(seed)) for seed in (1, 2))
    logins = tuple(with_identity_of(_call(LOGIN), one, 0) for one in (ann, bob))
    first, second, *sent = map(_texts, with_fresh_identity(TestCase((ann, bob, *logins)), Random(3)).calls)
    assert first["email"] != second["email"]
    assert [one["login"] for one in sent] == [first["email"], second["email"]]


@pytest.mark.parametrize(
    ("accepted", "kind"),
    [
        ("ann@corp.example", r"[a-z0-9]+@corp\.example"),
        ("+4930123456", r"\+493012\d{4}"),
        (
            "8b1f2d6e-0c0d-4a55-9c6f-6f3f2f9b7a10",
            r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        ),
        ("ADMIN", r"[A-Za-z]+"),
    ],
)
def test_what_another_user_is_called_is_of_the_kind_that_was_accepted(accepted, kind):
    (sign_up,) = with_entrances([operation("POST", "/register", USER)])
    first = _call(sign_up).with_gene(0, USER.with_value({"login": accepted, "password": "pw", "email": "a@b.example"}))
    for seed in range(5):
        for call in (
            with_plausible_identity(_call(sign_up), Random(seed), first),
            with_fresh_identity(TestCase((first,)), Random(seed)).calls[0],
        ):
            sent = _texts(call)
            assert re.fullmatch(kind, sent["login"])
            assert sent["login"] != accepted
            assert "@" in sent["email"]


def test_an_address_stays_one_though_another_text_was_accepted():
    (sign_up,) = with_entrances([operation("POST", "/register", USER)])
    first = _call(sign_up).with_gene(0, USER.with_value({"login": "x1", "password": "pw", "email": "nothing"}))
    sent = _texts(with_plausible_identity(_call(sign_up), Random(1), first))
    assert "@" in sent["email"]
    assert sent["login"].startswith("u")


def test_bodies_of_any_shape_get_the_usual_members():
    (sign_up, login) = with_entrances([operation("POST", "/signup", AnyGene()), operation("POST", "/login", AnyGene())])
    signed_up = with_plausible_identity(_call(sign_up), Random(1))
    document = signed_up.genes[0].phenotype()
    assert {"username", "email", "password"} <= document.keys()
    assert with_identity_of(_call(login), signed_up, 0).genes[0].phenotype()["password"] == document["password"]


def _call(which) -> Call:
    return Call(which, tuple(given.template for given in which.inputs))


def _texts(call: Call) -> dict[str, str]:
    return {named.name: named.gene.phenotype() for named in iter_named_genes(call, 0)}


def test_members_that_a_validator_has_told_are_set_where_the_document_declares_none():
    (sign_up, login) = with_entrances([operation("POST", "/signup", AnyGene()), operation("POST", "/login", AnyGene())])
    learnt = ObjectGene((("email", StringGene("x1")), ("password", StringGene("x2"))))
    signed_up = with_plausible_identity(_call(sign_up), Random(1))
    sent = signed_up.genes[0].phenotype()
    logged_in = with_identity_of(_call(login).with_gene(0, learnt), signed_up, 0).genes[0].phenotype()
    assert logged_in == {"email": sent["email"], "password": sent["password"]}
    plausible = with_plausible_identity(_call(sign_up).with_gene(0, learnt), Random(1)).genes[0].phenotype()
    assert "@" in plausible["email"]


def test_a_document_that_an_edit_has_put_where_forms_were_is_of_a_user_as_well():
    sign_up, login = with_entrances(with_undeclared_inputs([operation("POST", "/signup"), operation("POST", "/login")]))
    document = {"organization": "y37ej", "email": "quih8@example.com", "password": "Aa1!wjqw4"}
    content = next(index for index, given in enumerate(sign_up.inputs) if given.role == "content")
    signed_up = _call(sign_up).with_gene(content, AnyGene(document))
    other = with_fresh_identity(TestCase((signed_up,)), Random(1)).calls[0].genes[content].phenotype()
    assert other["email"] != document["email"]
    assert {**other, "email": ""} == {**document, "email": ""}
    sent = build_request(with_identity_of(_call(login), signed_up, 0))
    assert json.loads(sent.body)["email"] == document["email"]


def test_an_undeclared_login_is_tried_as_a_page_with_a_form_sends_it():
    (login,) = with_entrances(with_undeclared_inputs([operation("POST", "/login")]))
    signed_up = with_plausible_identity(_call(SIGN_UP), Random(1))
    sent = _texts(signed_up)
    request = build_request(with_identity_as_form(_call(login), signed_up))
    assert dict(request.headers)["Content-Type"] == "application/x-www-form-urlencoded"
    assert parse_qs(request.body.decode()) == {name: [value] for name, value in sent.items()}
    declared = _call(LOGIN)
    assert with_identity_as_form(declared, signed_up) is declared


def test_a_login_is_tried_with_one_name_and_the_password_alone():
    """Validators refuse what they do not know, such as the role that a sign-up takes (`forbidNonWhitelisted`)."""
    sign_up, login = (
        with_undeclared_inputs([one])[0]
        for one in with_entrances([operation("POST", "/users/register", None), operation("POST", "/login", None)])
    )
    sent = {"nick": "ann7", "email": "ann@example.com", "password": "Passw0rd!", "kind": "buyer"}
    signed_up = _call(sign_up)
    for name, value in sent.items():
        one = LearnedInput(location="body", path=(name,))
        signed_up = with_input(signed_up, one, StringGene(value)) or signed_up
    for preference, name in enumerate(("email", "nick")):
        request = build_request(with_identity_alone(_call(login), signed_up, preference))
        assert json.loads(request.body) == {name: sent[name], "password": "Passw0rd!"}
    other = _call(login)
    assert with_identity_alone(other, signed_up, 2) is other
    assert with_identity_alone(_call(LOGIN), signed_up, 0) == _call(LOGIN)


def test_a_user_who_is_not_let_in_signs_up_with_other_values_and_the_same_name():
    roles_of = EnumGene(("guest", "editor"))
    credentials = ObjectGene((*CREDENTIALS.fields, ("role", roles_of)))
    sign_up, login, guarded = with_entrances(
        [operation("POST", "/users/register", credentials), LOGIN, operation("GET", "/drafts")]
    )
    access, rng = Access([sign_up, login, guarded], Random(1)), Random(2)
    user_calls = UserCalls(access, Random(1))
    begun = TestCase((with_plausible_identity(_call(sign_up), Random(1)), _call(login)))
    roles = set()

    def new_call(which, earlier):
        return Call(which, tuple(given.template.sampled(rng) for given in which.inputs))

    assert user_calls.begun_otherwise(guarded, begun, new_call) is begun
    access.forbidden.add(guarded.id)
    for _ in range(20):
        otherwise = _texts(user_calls.begun_otherwise(guarded, begun, new_call).calls[0])
        roles.add(otherwise.pop("role"))
        before = _texts(begun.calls[0])
        before.pop("role")
        assert otherwise == before
    assert roles == {"guest", "editor"}


def test_an_operation_that_only_fails_for_its_users_gets_some_who_have_signed_up_otherwise():
    sign_up, guarded = with_entrances([operation("POST", "/users/register", CREDENTIALS), operation("GET", "/me")])
    access = Access([sign_up, guarded], Random(1))
    user_calls = UserCalls(access, Random(1))
    begun = TestCase((with_plausible_identity(_call(sign_up), Random(1)),))
    carrying = with_carried(_call(guarded), signed_token(Way((BEARER,)), "f00d", {"sub": 1}, Random(1)))
    asked = []

    def begins(outcome):
        answer = Observation(call_index=1, outcome=outcome, outcome_keys=("500",), exchange=Exchange())
        signed_up = Observation(call_index=0, outcome="ok", outcome_keys=("201",), exchange=Exchange())
        test_case = TestCase((*begun.calls, carrying))
        access.observe(Evaluation(test_case=test_case, observations=(signed_up, answer), reached={}))
        asked.clear()
        for _ in range(20):
            user_calls.begun_otherwise(guarded, begun, lambda which, _: asked.append(which) or _call(which))
        return bool(asked)

    assert not begins("refused")
    assert begins("failed")
    assert guarded.id in access.failed
    begins("ok")
    assert guarded.id not in access.failed
    assert access.sign_ups.knows_way_into(guarded.id)


def test_claims_that_have_let_a_call_in_are_signed_for_all_that_ask_for_a_user():
    one, other = with_entrances([operation("GET", "/drafts"), operation("GET", "/notes")])
    access = Access([one, other], Random(1))
    user_calls = UserCalls(access, Random(1))
    access.denied[one.id] = one
    claims = {"userId": "usr_1", "tenant": "acme", "level": 3}
    way = Way((BEARER,))
    let_in = with_carried(_call(one), signed_token(way, "f00d", claims, Random(1)))
    answer = Observation(call_index=0, outcome="ok", outcome_keys=("200",), exchange=Exchange())
    access.observe(Evaluation(test_case=TestCase((let_in,)), observations=(answer,), reached={}))
    assert access.openings.ways[one.id] == [Entry("f00d", way, is_signed=True)]
    user_calls.attempted(Attempt(other, Entry("f00d", way, is_signed=True)))
    sent = signed_in(carried_by(user_calls.carrying(_call(other), ())))
    assert sent is not None
    signed = sent[1].claims.phenotype()
    assert {name: signed[name] for name in claims} == claims


def test_a_second_token_is_carried_beside_the_cookie_where_the_cookie_alone_is_forbidden():
    def guarded(operation_id, values, probe, state):
        body = values.get("body") or {}
        users = state.setdefault("users", {})
        if operation_id == SIGN_UP.id:
            users[body["email"]] = body["password"]
            return 201, {"ok": True}
        if operation_id == LOGIN.id:
            if users.get(body["login"], "") != body["password"]:
                return 401, {"error": "wrong"}
            return 200, {"csrf": "forgery-" + body["login"]}, {"sid": f"s-{body['login']}"}
        sent = values.get("credentials") or {}
        user = sent.get("set-cookie sid", "").removeprefix("s-")
        if user not in users:
            return 401, {"error": "log in"}
        if sent.get("header x-forgery") != "forgery-" + user:
            probe.reads("header", "x-forgery")
            return 403, {"error": "no"}
        probe.line(100 + GUARDED.index(operation_id))
        return 200, {}

    for seed in (1, 2, 3):
        sut = FakeSut(guarded, with_hints=True)
        search, _ = searched(sut, API, seed=seed, evaluations=200)
        assert all(search.archive.is_covered(sut.target("line", 100 + number)) for number in range(len(GUARDED)))


def test_a_user_is_known_by_the_first_text_if_nothing_is_called_a_name():
    agency = ObjectGene(
        (
            ("agency", StringGene("k7-north", pattern="^[a-z][a-z0-9-]{3,30}$")),
            ("passphrase", StringGene("a long secret")),
            ("level", EnumGene(("basic", "partner"), 1)),
        )
    )
    (sign_up,) = with_entrances([operation("POST", "/agencies/register", agency)])
    call = _call(sign_up).with_gene(0, agency)
    assert names_of_user(call) == ["k7-north"]
    others = [with_fresh_identity(TestCase((call,)), Random(seed)).calls[0].genes[0].phenotype() for seed in range(30)]
    assert len({one["agency"] for one in others}) == 30
    assert all(re.fullmatch("[a-z][a-z0-9-]{3,30}", one["agency"]) for one in others)
    assert {(one["passphrase"], one["level"]) for one in others} == {("a long secret", "partner")}


def test_a_login_is_tried_again_after_a_sign_up_that_has_sent_other_members():
    rng = Random(1)
    access = Access(API, rng)
    user_calls = UserCalls(access, rng)
    first, second = (
        _call(SIGN_UP).with_gene(0, ObjectGene(tuple((name, StringGene(name * 4)) for name in names)))
        for names in (("email", "phrase"), ("email", "secret"))
    )
    for call, n_shapes in ((first, 1), (first, 1), (second, 2)):
        access.observe(FakeSut(lambda *_: (201, {})).evaluate(TestCase((call,))))
        assert len(access.sign_up_shapes[SIGN_UP.id]) == n_shapes
    login = user_calls.login_after(SIGN_UP.id, _call(LOGIN), 0)
    assert _texts(login.calls[1])["password"] == "secretsecretsecretsecret"


def test_a_user_may_sign_up_with_less():
    fields = {name: OptionalGene(StringGene(name * 3)) for name in ("email", "password", "nick", "city")}
    fields["hobbies"] = OptionalGene(AnyGene(["chess"]))
    call = _call(SIGN_UP).with_gene(0, ObjectGene(tuple(fields.items())))
    login = with_identity_of(_call(LOGIN), call, 0)
    users = [with_less_of_user(TestCase((call, login)), Random(seed)) for seed in range(20)]
    missing = {tuple(fields.keys() - one.calls[0].genes[0].phenotype().keys()) for one in users}
    assert missing == {("city",), ("nick",), ("hobbies",)}
    assert all(one.calls[1] == login for one in users)


INVITED = ObjectGene((("email", StringGene()), ("password", StringGene()), ("invitation", OptionalGene(StringGene()))))
CLUB = with_entrances(
    [
        operation("POST", "/users/register", INVITED),
        operation("POST", "/users/login", ObjectGene((("email", StringGene()), ("password", StringGene())))),
        operation("POST", "/drafts"),
    ]
)


def test_a_new_kind_of_user_is_tried_at_once_where_nobody_was_let_in():
    sign_up, login, _ = CLUB

    def invited(operation_id, values, probe, state):
        body = values.get("body") or {}
        users = state.setdefault("users", {})
        if operation_id == sign_up.id:
            users[body["email"]] = probe.equals(1, body.get("invitation"), "a-password-of-editors")
            return 201, {"ok": True}
        if operation_id == login.id:
            return (200, {"token": "tok-" + body["email"]}) if body["email"] in users else (401, {})
        sent = (values.get("credentials") or {}).get("header Authorization", "").removeprefix("Bearer tok-")
        if sent not in users:
            return 401, {"error": "no token"}
        if not users[sent]:
            return 403, {"error": "editors only"}
        probe.line(100)
        return 201, {}

    for seed in range(1, 11):
        sut = FakeSut(invited, with_hints=True)
        _, needed = searched(sut, CLUB, seed=seed, evaluations=120, stop_at=100)
        assert needed < 120, seed


def _signed(access: Access, which, entry: Entry) -> dict:
    user_calls = UserCalls(access, Random(1))
    user_calls.attempted(Attempt(which, entry))
    sent = signed_in(carried_by(user_calls.carrying(_call(which), ())))
    assert sent is not None
    return sent[1].claims.phenotype()


def test_lists_of_claims_get_a_text_that_guards_can_replace_and_claims_keep_their_shape():
    (one,) = with_entrances([operation("GET", "/drafts")])
    access = Access([one], Random(1))
    access.signed_tokens.note_key("f00d", {"id": 3, "roles": ["member"], "realm": {"groups": [], "name": "acme"}})
    signed = _signed(access, one, Entry("f00d", Way((BEARER,)), is_signed=True))
    assert signed["roles"][0] == "member"
    assert [len(signed["roles"]), len(signed["realm"]["groups"])] == [2, 1]
    assert signed["realm"]["name"] == "acme"


def test_claims_that_the_code_looks_for_are_signed_from_then_on():
    (one,) = with_entrances([operation("GET", "/drafts")])
    access = Access([one], Random(1))
    entry = Entry("f00d", Way((BEARER,)), is_signed=True)
    claims = {"sub": "1", "realm": {"name": "acme"}}
    call = with_carried(_call(one), signed_token(Way((BEARER,)), "f00d", claims, Random(1)))
    top, below, other = (
        InputHint(target=7, call=0, location="", path=("groups",), held={"sub": "1", "realm": {}}),
        InputHint(target=7, call=0, location="", path=("isRoot",), held={"name": "acme"}),
        InputHint(target=7, call=0, location="", path=("colour",), held={"sub": "2"}),
    )
    answer = Observation(call_index=0, outcome="refused", outcome_keys=("403",), exchange=Exchange())
    access.observe(
        Evaluation(test_case=TestCase((call,)), observations=(answer,), reached={}, hints=(top, below, other))
    )
    access.signed_tokens.note_key("f00d", claims)
    signed = _signed(access, one, entry)
    assert len(signed["groups"]) == 1
    assert signed["realm"] == {"name": "acme", "isRoot": True}
    assert "colour" not in signed


def _answered_as(access, which, role, status):
    """Has an operation answer a call with a signed token of a role."""
    call = with_carried(_call(which), signed_token(Way((BEARER,)), "f00d", {"sub": "1", "role": role}, Random(1)))
    answer = http_observation(0, build_request(call), HttpResponse(status, (), b"{}"))
    access.observe(Evaluation(test_case=TestCase((call,)), observations=(answer,), reached={}))


def test_an_operation_gets_the_claims_with_which_it_has_let_a_call_in():
    one, other = with_entrances([operation("POST", "/rooms"), operation("GET", "/drafts")])
    access = Access([one, other], Random(1))
    access.signed_tokens.note_key("f00d", {"sub": "1", "role": "artist"})
    access.denied = {one.id: one, other.id: other}
    for role in ("artist", "singer", "guest"):
        _answered_as(access, other, role, 200)
    _answered_as(access, one, "artist", 403)
    _answered_as(access, one, "producer", 400)

    def share(which):
        entry = Entry("f00d", Way((BEARER,)), is_signed=True)
        return sum(_signed(access, which, entry)["role"] == "producer" for _ in range(60)) / 60

    assert share(one) > 0.6 and share(other) == 0
    _answered_as(access, one, "artist", 404)
    _answered_as(access, one, "engineer", 400)  # refused before the guard has seen it
    _answered_as(access, one, "producer", 201)
    _answered_as(access, one, "engineer", 400)
    assert share(one) > 0.6


def _asks_for_keys(operation, key: str) -> tuple[Call, ExternalRequest]:
    """Returns a call with a token of our own key, and the request for keys that it leads to."""
    call = with_carried(_call(operation), signed_token(Way((BEARER,)), key, {}, Random(1)))
    request = ExternalRequest(
        call=0, site="", n=0, origin="https://id.example:443", method="GET", target="/keys", answered_by=0
    )
    return call, request


def test_our_own_keys_are_tried_and_come_with_the_answers_that_bring_them():
    one, other = operations = with_entrances([operation("GET", "/drafts"), operation("GET", "/notes")])
    sampler = Sampler(operations, Settings(), Random(1))
    access = sampler.access
    getting_in = GettingIn(access, sampler)
    access.denied = {one.id: one, other.id: other}
    nothing = Evaluation(test_case=TestCase(()), observations=(), reached={})
    getting_in.observe(Outcome(Proposal(TestCase(())), nothing, Improvement()))
    assert {one.entry.giver for one in getting_in._attempts} == set(OWN_KEYS)

    call, request = _asks_for_keys(one, "ES256")
    keys = new_answer(request.origin, "GET", "/keys", body=key_set())
    demanded = TokenClaimsHint(target=7, call=0, demands={"iss": ["https://id.example/"], "nonce": []})
    refused = Observation(call_index=0, outcome="refused", outcome_keys=("401",), exchange=Exchange())
    access.observe(
        Evaluation(
            test_case=TestCase((call,), (keys,)),
            observations=(refused,),
            reached={},
            hints=(demanded,),
            interactions=(request,),
        )
    )
    made = sampler.sample_attempt(Attempt(other, Entry("ES256", Way((BEARER,)), is_signed=True)))
    assert keys in made.setup
    claims = signed_in(carried_by(made.calls[-1]))[1].claims.phenotype()
    assert claims["iss"] == "https://id.example/" and claims["nonce"]


def _refused_trials(getting_in, status=401):
    """Yields the attempts that a generator proposes while all their calls are answered with one status."""
    while isinstance(attempt := getting_in.propose(0.0), _Trial):
        yield attempt
        refused = tuple(
            http_observation(call_index=index, request=build_request(call), response=HttpResponse(status, (), b""))
            for index, call in enumerate(attempt.test_case.calls)
        )
        seen = Evaluation(test_case=attempt.test_case, observations=refused, reached={})
        getting_in.observe(Outcome(attempt, seen, Improvement()))


def test_a_giver_that_has_let_in_once_is_not_tried_in_each_way_on_all_that_stay_closed():
    page, *guarded = with_entrances([operation("GET", "/page"), *(operation("GET", f"/n{at}") for at in range(60))])
    sampler = Sampler([page, *guarded], Settings(), Random(1))
    access = sampler.access
    getting_in = GettingIn(access, sampler)
    access.denied = {one.id: one for one in guarded}
    access.obtained[page.id] = Obtained(TestCase((_call(page),)), (GivenCredential("token", "token", "/token"),))
    access.openings.note(guarded[0], Entry(page.id, Way((BEARER,))), is_first=False)
    nothing = Evaluation(test_case=TestCase(()), observations=(), reached={})
    getting_in.observe(Outcome(Proposal(TestCase(())), nothing, Improvement()))
    tried = [attempt.attempt.entry for attempt in _refused_trials(getting_in) if attempt.attempt.entry.giver == page.id]
    others = [entry for entry in tried if entry != Entry(page.id, Way((BEARER,)))]
    assert 0 < len(others) <= MAX_VAIN
    assert len(tried) - len(others) == len(guarded) - 1  # what has let in is tried on all of them


def test_an_answer_that_says_too_many_calls_lets_nobody_in():
    page, notes = with_entrances([operation("GET", "/page"), operation("GET", "/notes")])
    sampler = Sampler([page, notes], Settings(), Random(1))
    access = sampler.access
    getting_in = GettingIn(access, sampler)
    access.denied = {notes.id: notes}
    access.obtained[page.id] = Obtained(TestCase((_call(page),)), (GivenCredential("token", "token", "/token"),))
    nothing = Evaluation(test_case=TestCase(()), observations=(), reached={})
    getting_in.observe(Outcome(Proposal(TestCase(())), nothing, Improvement()))
    assert list(_refused_trials(getting_in, status=429))
    assert not access.openings.ways


def test_our_own_keys_take_few_turns_if_no_service_is_asked_for_them():
    operations = with_entrances([operation("GET", f"/drafts{number}") for number in range(30)])
    access = Access(operations, Random(1))
    getting_in = GettingIn(access, Sampler(operations, Settings(), Random(1)))
    access.denied = {one.id: one for one in operations}
    nothing = Evaluation(test_case=TestCase(()), observations=(), reached={})
    getting_in.observe(Outcome(Proposal(TestCase(())), nothing, Improvement()))
    tried = len(list(_refused_trials(getting_in)))
    assert 0 < tried <= len(OWN_KEYS) * MAX_VAIN_UNASKED


def test_an_entrance_that_joins_during_the_search_is_tried():
    (notes,) = with_entrances([operation("GET", "/notes")])
    sampler = Sampler([notes], Settings(), Random(1))
    getting_in = GettingIn(sampler.access, sampler)
    assert not getting_in.is_ready()
    sampler.access.join([SIGN_UP])
    assert getting_in.is_ready()
    assert getting_in.propose(0.0).test_case.calls[-1].operation is SIGN_UP


def test_an_attempt_repeats_a_call_that_was_denied_with_what_it_needs():
    (notes,) = with_entrances([operation("POST", "/notes", ObjectGene((("tenant", StringGene()),)))])
    sampler = Sampler([notes], Settings(), Random(1))
    denied = _call(notes).with_gene(0, AnyGene({"tenant": "acme"}))
    row = new_answer("https://tenants.example:443", "GET", "/tenants/acme", body={"name": "acme"})
    seen = http_observation(call_index=0, request=build_request(denied), response=HttpResponse(401, (), b""))
    sampler.access.observe(Evaluation(test_case=TestCase((denied,), (row,)), observations=(seen,), reached={}))
    made = sampler.sample_attempt(Attempt(notes, Entry("f00d", Way((BEARER,)), is_signed=True)))
    assert made.calls[-1].genes[0] is denied.genes[0] and made.setup == (row,)
    assert signed_in(carried_by(made.calls[-1])) is not None


def test_a_sign_up_is_never_repeated_as_it_was():
    sampler = Sampler(API, Settings(), Random(1))
    denied = _call(SIGN_UP)
    seen = http_observation(call_index=0, request=build_request(denied), response=HttpResponse(403, (), b"csrf"))
    sampler.access.observe(Evaluation(test_case=TestCase((denied,)), observations=(seen,), reached={}))
    assert sampler.access.denied_calls.after(TestCase(()), SIGN_UP) is None


def test_a_test_keeps_the_keys_that_the_program_has_kept():
    (one,) = with_entrances([operation("GET", "/drafts")])
    call, request = _asks_for_keys(one, "RS256")
    keys = new_answer(request.origin, "GET", "/keys", body=key_set())
    other = new_answer(request.origin, "GET", "/prices", body={"a": 1})
    smallest = minimise_test(TestCase((call,), (keys, other)), lambda tried: has_own_token(tried.calls[0]), 60)
    assert smallest.setup == (keys,)


def test_tokens_are_signed_again_in_a_way_that_opens_something_later():
    key = "f00d"
    operations = with_entrances([operation("GET", "/drafts"), operation("GET", "/notes")])
    access = Access(operations, Random(1))
    getting_in = GettingIn(access, Sampler(operations, Settings(), Random(1)))
    access.denied = {one.id: one for one in operations}
    access.signed_tokens.note_key(key, {"id": 1})

    def ways() -> set[Way]:
        getting_in.observe(
            Outcome(
                Proposal(TestCase(())), Evaluation(test_case=TestCase(()), observations=(), reached={}), Improvement()
            )
        )
        return {one.entry.way for one in getting_in._attempts}

    assert ways() == {Way((BEARER,))}
    other = Way((("header Authorization", "Token "),))
    access.openings.note(operations[1], Entry("POST /login", other))
    assert ways() == {Way((BEARER,)), other}


def test_credentials_in_place_of_another_input_have_not_let_a_call_in_that_is_refused():
    """As a token in `X-Tenant`: the call is refused before the guard, for there is no such tenant."""
    (one,) = with_entrances(with_undeclared_inputs([operation("GET", "/teams")]))
    access = Access([one], Random(1))
    tenant = with_input(_call(one), LearnedInput(location="header", path=("x-tenant",)), StringGene("acme"))
    in_place = CarriedGene((("header X-Tenant", StringGene("t0ken")),))
    beside = CarriedGene((("header Authorization", StringGene("t0ken")),))
    for carried, status, expected in [(in_place, 404, False), (in_place, 200, True), (beside, 404, True)]:
        answer = http_observation(0, build_request(tenant), HttpResponse(status, (), b"{}"))
        assert access.has_come_in(with_carried(tenant, carried), answer) is expected


def _key_given(keys, guarded, *, before=(), status):
    """Evaluation of a call that gives a key, after others, and of one that carries the key."""
    way = Way((("header x-api-key", ""),))
    made = [*before, _call(keys)]
    obtained = Obtained(TestCase((_call(keys),)), (GivenCredential("token", "apiKey", "/apiKey"),))
    carrying = with_carried(_call(guarded), obtained.carried(way, len(made) - 1, made))
    answers = [(201, b"{}")] * len(before) + [
        (status, b'{"apiKey": "k7-20f3a9c1"}'),
        (200 if status == 201 else 401, b"{}"),
    ]
    calls = (*made, carrying)
    observations = tuple(
        http_observation(
            index, build_request(call), HttpResponse(answer[0], (("content-type", "application/json"),), answer[1])
        )
        for index, (call, answer) in enumerate(zip(calls, answers, strict=True))
    )
    return Evaluation(test_case=TestCase(calls), observations=observations, reached={})


def test_calls_that_no_longer_give_credentials_are_left_out_and_another_one_takes_their_place():
    """The program was started afresh and has forgotten the account whose code the first call has sent."""
    account, keys, guarded = with_entrances(
        [operation("POST", "/accounts"), operation("POST", "/keys"), operation("GET", "/me")]
    )
    access = Access([account, keys, guarded], Random(1))
    user_calls = UserCalls(access, Random(1))
    access.denied[guarded.id] = guarded
    access.observe(_key_given(keys, guarded, status=201))
    access.openings.note(guarded, Entry(keys.id, Way((("header x-api-key", ""),))))
    for _ in range(STALE_AFTER):
        assert not access.stale_givers.is_stale(keys.id)
        access.observe(_key_given(keys, guarded, status=401))
    begun = [len(user_calls.begun(guarded).calls) for _ in range(100)]
    assert 5 < sum(n == 1 for n in begun) < 40

    access.observe(_key_given(keys, guarded, before=(_call(account),), status=201))
    assert [call.operation.id for call in access.obtained[keys.id].test_case.calls] == [account.id, keys.id]
    assert sum(len(user_calls.begun(guarded).calls) == 2 for _ in range(100)) > 60


def test_the_name_of_another_user_is_as_long_as_one_that_was_accepted():
    """A limit of 16 letters refused each user whose name had grown twice."""
    (sign_up,) = with_entrances([operation("POST", "/users/register", USER)])
    begun = TestCase((with_plausible_identity(_call(sign_up), Random(1)), _call(LOGIN)))
    rng, names = Random(3), set()
    for _ in range(5):
        begun = with_fresh_identity(begun, rng)
        names.add(_texts(begun.calls[0])["login"])
    assert len(names) == 5
    assert {len(name) for name in names} == {6}


def test_a_key_is_asked_for_other_scopes_where_it_is_forbidden():
    scopes = ArrayGene(EnumGene(("read", "write", "admin")), (EnumGene(("read", "write", "admin")),), min_items=1)
    keys, guarded = with_entrances(
        [operation("POST", "/keys", ObjectGene((("scopes", scopes),))), operation("POST", "/notes")]
    )
    access, way = Access([keys, guarded], Random(1)), Way((("header x-api-key", ""),))
    user_calls = UserCalls(access, Random(1))
    key = Obtained(TestCase((_call(keys),)), (GivenCredential("token", "apiKey", "/apiKey"),))

    def asked(status):
        """The scopes that a key is asked for, which the operation answers with a status if one of them lets write."""
        begun = user_calls.begun_otherwise(guarded, key.test_case, lambda which, _: _call(which)).calls
        sent = build_request(begun[0]).body
        if b"write" in sent or status == 403:
            calls = (*begun, with_carried(_call(guarded), key.carried(way, 0, list(begun))))
            answers = zip(calls, (201, status), strict=True)
            observations = tuple(
                http_observation(index, build_request(call), HttpResponse(answer, (), b"{}"))
                for index, (call, answer) in enumerate(answers)
            )
            access.observe(Evaluation(test_case=TestCase(calls), observations=observations, reached={}))
        return sent

    assert len({asked(403) for _ in range(40)}) > 4
    while not access.choices.knows_way_into(guarded.id):
        asked(201)
    assert sum(b"write" in asked(201) for _ in range(100)) > 80


HEAD = {"target": 1, "call": 0, "wanted": True}


@pytest.mark.parametrize(
    ("hint", "scheme"),
    [
        (PatternHint(text="k3x9q", source="^ApiKey ([a-z]{2}_[0-9a-f]{24})$", **HEAD), "ApiKey "),
        (PatternHint(text="k3x9q", source=r"^(?:Session)\s+(\S+)", **HEAD), "Session "),
        (PatternHint(text="k3x9q", source="^[A-Z]+ ", **HEAD), ""),
        (PatternHint(text="other", source="^ApiKey (.+)$", **HEAD), ""),
        (SubstringHint(text="k3x9q", part="Key-", place="start", **HEAD), "Key-"),
        (SubstringHint(text="k3x9q", part="@", place="start", **HEAD), ""),
        (SubstringHint(text="k3x9q", part="Key ", place="end", **HEAD), ""),
        (ComparisonHint(operator="identical", left="k3x9q", right="Signature", **HEAD), "Signature "),
        (ComparisonHint(operator="identical", left="other", right="Signature", **HEAD), ""),
    ],
)
def test_the_text_before_the_credentials_is_what_the_program_compares_the_header_with(hint, scheme):
    (keys,) = with_undeclared_inputs([operation("GET", "/part0")])
    authorization = LearnedInput(location="header", path=("authorization",))
    call = with_input(_call(keys), authorization, StringGene("k3x9q"))
    assert scheme_named(call, hint) == scheme


def test_a_call_on_the_way_in_chooses_words_with_which_it_has_succeeded_and_keeps_its_user():
    (invites,) = with_entrances(
        [operation("POST", "/invites", ObjectGene((("email", StringGene()), ("role", StringGene()))))]
    )

    def invite(email, role):
        body = ObjectGene((("email", StringGene(email)), ("role", StringGene(role))))
        return Call(invites, (body, *_call(invites).genes[1:]))

    def sent(call):
        return json.loads(build_request(call).body)

    choices = Choices(Random(1))
    for email, role in (("a@b.no", "reader"), ("c@d.no", "editor"), ("e@f.no", "k3x9q")):
        choices.note_success(invite(email, role))
    chosen = [sent(choices.otherwise("POST /articles", invite("own@b.no", "reader"))) for _ in range(60)]
    assert {one["email"] for one in chosen} == {"own@b.no"}
    assert {one["role"] for one in chosen} == {"reader", "editor"}, "made-up words are no choices"
    choices.note_admitted("POST /articles", TestCase((invite("c@d.no", "editor"),)))
    chosen = [sent(choices.otherwise("POST /articles", invite("own@b.no", "reader"))) for _ in range(60)]
    assert sum(one["role"] == "editor" for one in chosen) > 45


def test_calls_that_have_let_nobody_in_are_given_up_sooner():
    opened = set()
    stale = StaleGivers(Random(1), opened.__contains__)
    login = _call(LOGIN)

    def carrying(giver):
        cookie = CredentialGene(giver, "cookie:sid", StringGene("x"))
        return with_carried(_call(API[2]), CarriedGene((("set-cookie sid", cookie),)))

    def refused(*calls):
        observations = tuple(
            http_observation(index, build_request(call), HttpResponse(401, (), b"{}"))
            for index, call in enumerate(calls)
        )
        evaluation = Evaluation(test_case=TestCase(calls), observations=observations, reached={})
        stale.observe(evaluation, {LOGIN.id: Obtained(TestCase((login,)))})
        return stale.is_stale(LOGIN.id)

    other = login.with_gene(0, ObjectGene((("login", StringGene()), ("password", StringGene("other")))))
    assert not any(refused(other, carrying(0)) for _ in range(STALE_AFTER)), "refused for what was changed"
    assert not any(refused(_call(SIGN_UP), login, carrying(1)) for _ in range(STALE_AFTER)), (
        "refused as what was before"
    )
    assert [refused(login, carrying(0)), refused(login, carrying(0))] == [False, True]
    opened.add(LOGIN.id)
    assert not stale.is_stale(LOGIN.id)
    assert any(refused(login, carrying(0)) for _ in range(STALE_AFTER))
