"""Free texts get the kind of value that their name speaks of."""

import re
from random import Random

import pytest
from fake_sut import operation

from wimble.genes import AnyGene, ArrayGene, IntegerGene, ObjectGene, StringGene
from wimble.genes.string_formats import FORMATS
from wimble.genes.value_names import VALUES_OF_NAMES, draw_for, signature_for
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.sampling.named_values import NAMED_PROBABILITY, WANTED_PROBABILITY, NamedValues


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("email", "email"),
        ("customerEmail", "email"),
        ("contact_e-mail", "email"),
        ("replyTo", "email"),
        ("homepageURL", "uri"),
        ("startDate", "date"),
        ("createdAt", "date-time"),
        ("user-uuid", "uuid"),
        ("clientIp", "ipv4"),
        ("leavesOn", "date"),
        ("departs_at", "date-time"),
    ],
)
def test_names_say_what_a_text_is(name, format_):
    draw = draw_for(name)
    assert draw is not None
    assert all(FORMATS[format_].is_valid(draw(Random(seed))) for seed in range(20))


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("stripe-signature", r"t=\d{10},v1=[0-9a-f]{64}"),
        ("x-hub-signature-256", r"sha256=[0-9a-f]{64}"),
        ("X-Slack-Signature", r"v0=[0-9a-f]{64}"),
        ("x-shopify-hmac-sha256", r"[A-Za-z0-9+/]{43}="),
        ("x-partner-signature", r"[0-9a-f]{64}"),
    ],
)
def test_headers_have_what_looks_like_a_signature(name, pattern):
    draw = signature_for(name)
    assert draw is not None
    assert re.fullmatch(pattern, draw(Random(1)))
    assert signature_for("email") is None


@pytest.mark.parametrize("name", ["to", "from", "dateTo"])
def test_ends_are_those_of_messages_or_of_ranges(name):
    drawn = [draw_for(name)(Random(seed)) for seed in range(40)]
    valid = [[FORMATS[format_].is_valid(one) for one in drawn] for format_ in ("email", "date")]
    assert any(valid[0]) and any(valid[1])
    assert all(mail or day for mail, day in zip(*valid, strict=True))


@pytest.mark.parametrize("name", ["", "name", "mailbox", "update", "id", "dateOrName", "on", "at", "flat"])
def test_other_names_say_nothing(name):
    assert draw_for(name) is None


def test_every_entry_can_be_drawn_and_found():
    for name, draw in VALUES_OF_NAMES.items():
        assert draw_for(name.replace(" ", "_")) is draw
        assert draw(Random(1))


def test_some_free_texts_are_replaced_and_declared_ones_never():
    one = operation(
        "POST",
        "/a",
        email=StringGene("x"),
        body=ObjectGene(
            (
                ("phone", AnyGene("y")),
                ("date", StringGene("z", pattern="^z$")),
                ("url", StringGene("u", max_length=3)),
                ("zip", IntegerGene(3)),
            )
        ),
    )
    step = NamedValues(Random(1))
    values = [
        [gene.phenotype() for gene in step.applied(Call(one, tuple(given.template for given in one.inputs)), ()).genes]
        for _ in range(400)
    ]
    for index, key in ((0, None), (1, "phone")):
        own = [value[index] if key is None else value[index][key] for value in values]
        share = sum(len(text) > 1 for text in own) / len(own)
        assert abs(share - NAMED_PROBABILITY) < 0.1
    assert all((value[1]["date"], value[1]["url"], value[1]["zip"]) == ("z", "u", 3) for value in values)


def test_a_text_that_a_database_has_refused_to_convert_gets_what_it_wants():
    one = operation("POST", "/a", body=ObjectGene((("first", StringGene("zq1")), ("second", StringGene("zq2")))))
    call = Call(one, tuple(given.template for given in one.inputs))
    error = 'invalid input syntax for type date: "zq2"'
    command = DatabaseCommand(database="main", call=0, site="", text="INSERT", params=("zq1", "zq2"), error=error)
    step = NamedValues(Random(1))
    step.observe(Evaluation(test_case=TestCase((call,)), observations=(), reached={}, interactions=(command,)))
    bodies = [step.applied(call, ()).genes[0].phenotype() for _ in range(400)]
    assert {body["first"] for body in bodies} == {"zq1"}
    dates = [body["second"] for body in bodies if body["second"] != "zq2"]
    assert all(FORMATS["date"].is_valid(one) for one in dates)
    assert abs(len(dates) / len(bodies) - WANTED_PROBABILITY) < 0.1


def test_texts_of_a_list_that_were_added_up_as_numbers_become_numbers_together():
    elements = tuple(AnyGene(text) for text in ("mk9tm", "dg0gz", "qujzw"))
    one = operation(
        "PUT", "/a", body=ObjectGene((("hours", ArrayGene(AnyGene("x"), elements)), ("note", AnyGene("kav5n"))))
    )
    call = Call(one, tuple(given.template for given in one.inputs))
    error = 'invalid input syntax for type integer: "0mk9tmdg0gzqujzw"'
    command = DatabaseCommand(database="main", call=0, site="", text="INSERT", params=(), error=error)
    step = NamedValues(Random(1))
    step.observe(Evaluation(test_case=TestCase((call,)), observations=(), reached={}, interactions=(command,)))
    bodies = [step.applied(call, ()).genes[0].phenotype() for _ in range(400)]
    assert {body["note"] for body in bodies} == {"kav5n"}
    kinds = [{type(value) for value in body["hours"]} for body in bodies]
    assert all(kind in ({int}, {str}) for kind in kinds)
    assert abs(kinds.count({int}) / len(kinds) - WANTED_PROBABILITY) < 0.1
