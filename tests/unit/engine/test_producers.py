"""Faults that need what earlier test cases made."""

import json

from wimble.engine.candidates.producers import with_makers, with_provenance
from wimble.engine.faults.fault_book import FaultBook, Witness
from wimble.engine.faults.history import History
from wimble.genes import IntegerGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.binding import binding_of, http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.resources import Resources

CUSTOMER = ObjectGene((("name", StringGene("a")),))
ORDER = ObjectGene((("customerId", IntegerGene(0)), ("quantity", IntegerGene(1))))


def operation(method, path, *inputs):
    return http_operation(id=f"{method} {path}", method=method, path=path, inputs=inputs)


def body(template):
    return HttpInput(name="body", location="body", template=template, media_type="application/json")


ID = HttpInput(name="id", location="path", template=IntegerGene(0))
MAKE_CUSTOMER = operation("POST", "/customers", body(CUSTOMER))
MAKE_ORDER = operation("POST", "/orders", body(ORDER))
SHIP = operation("POST", "/orders/{id}/ship", ID)
PAY = operation("POST", "/orders/{id}/pay", ID)
SHOW = operation("GET", "/orders/{id}", ID)
LIST = operation("GET", "/orders")
OPERATIONS = (MAKE_CUSTOMER, MAKE_ORDER, SHIP, PAY, SHOW, LIST)


def order_for(customer):
    return Call(MAKE_ORDER, (ObjectGene((("customerId", IntegerGene(customer)), ("quantity", IntegerGene(1)))),))


def on_order(operation, number):
    return Call(operation, (IntegerGene(number),))


def evaluation(*answered):
    """(call, status, body of the answer)."""
    return Evaluation(
        test_case=TestCase(tuple(call for call, _, _ in answered)),
        observations=tuple(
            http_observation(
                call_index=index,
                request=HttpRequest(binding_of(call.operation).method, binding_of(call.operation).path),
                response=HttpResponse(status, (("content-type", "application/json"),), json.dumps(answer).encode()),
            )
            for index, (call, status, answer) in enumerate(answered)
        ),
        reached={},
    )


def witness_of(*before, fault, history=None):
    book, history = FaultBook(), history or History()
    finding = Finding(
        oracle="server-error", key=("k",), operation="x", status=500, title="", observed="", expected="",
        cause=Cause(), call_index=0,
    )  # fmt: skip
    for one in before:
        history.note(one)
    book.note(fault, [finding], history, calls=0, elapsed_s=0)
    (found,) = book
    (witness,) = found.witnesses
    assert isinstance(witness, Witness)
    return witness


def made_customer(number):
    return evaluation((Call(MAKE_CUSTOMER, (CUSTOMER,)), 201, {"id": number}))


def made_order(number, customer):
    return evaluation((order_for(customer), 201, {"id": number, "customerId": customer}))


def test_makers_come_first_and_their_answers_are_referred_to():
    witness = witness_of(
        made_customer(16),
        made_customer(17),
        made_order(128, 16),
        made_order(129, 17),
        made_customer(129),
        evaluation((on_order(PAY, 128), 200, {})),
        fault=evaluation((on_order(SHIP, 129), 500, {})),
    )
    joined = with_provenance(witness, Resources(OPERATIONS))
    assert joined is not None
    assert [call.operation for call in joined.calls] == [MAKE_CUSTOMER, MAKE_ORDER, SHIP]
    customer = joined.calls[1].genes[0].children()[0]
    assert customer == ReferenceGene(0, "/id", IntegerGene(17))
    assert joined.calls[2].genes[0] == ReferenceGene(1, "/id", IntegerGene(129))


def test_what_was_done_with_the_resource_since_comes_along():
    witness = witness_of(
        made_order(5, 1),
        evaluation((on_order(PAY, 5), 200, {})),
        evaluation((on_order(PAY, 6), 200, {})),
        fault=evaluation((on_order(SHIP, 5), 500, {})),
    )
    joined = with_provenance(witness, Resources(OPERATIONS))
    assert joined is not None
    assert [call.operation for call in joined.calls] == [MAKE_ORDER, PAY, SHIP]
    assert joined.calls[1].genes[0] == ReferenceGene(0, "/id", IntegerGene(5))


def test_of_what_was_there_from_the_start_the_last_changes_come_along():
    witness = witness_of(
        *(evaluation((on_order(PAY, 5), 200, {"n": n})) for n in range(4)),
        evaluation((on_order(PAY, 6), 200, {})),
        evaluation((on_order(SHOW, 5), 200, {})),
        fault=evaluation((on_order(SHIP, 5), 500, {})),
    )
    joined = with_provenance(witness, Resources(OPERATIONS))
    assert joined is not None
    assert [call.operation for call in joined.calls] == [PAY, PAY, PAY, PAY, SHIP]
    assert {call.genes[0].phenotype() for call in joined.calls} == {5}


def test_what_was_made_is_found_under_names_that_tell_nothing():
    hang = operation("POST", "/hooks", body(ObjectGene((("below", IntegerGene(0)),))))

    def below(number):
        return Call(hang, (ObjectGene((("below", IntegerGene(number)),)),))

    witness = witness_of(
        made_order(4, 2),
        evaluation((below(4), 201, {})),
        made_order(5, 1),
        evaluation((below(5), 201, {})),
        fault=evaluation((on_order(SHIP, 5), 500, {})),
    )
    resources = Resources((*OPERATIONS, hang))
    narrow = with_provenance(witness, resources)
    assert narrow is not None
    assert [call.operation for call in narrow.calls] == [MAKE_ORDER, SHIP]
    wide = with_provenance(witness, resources, under_any_name=True)
    assert wide is not None
    assert [call.operation for call in wide.calls] == [MAKE_ORDER, hang, SHIP]
    assert wide.calls[1].genes[0].children()[0] == ReferenceGene(0, "/id", IntegerGene(5))


def test_what_a_listing_showed_was_made_by_somebody_else():
    listed = Call(SHIP, (ReferenceGene(0, "/0/id", IntegerGene(1)),))
    witness = witness_of(
        made_order(5, 1),
        made_order(6, 2),
        fault=evaluation((Call(LIST, ()), 200, [{"id": 6}, {"id": 5}]), (listed, 500, {})),
    )
    joined = with_provenance(witness, Resources(OPERATIONS))
    assert joined is not None
    assert [call.operation for call in joined.calls] == [MAKE_ORDER, LIST, SHIP]
    assert joined.calls[2].genes[0] == ReferenceGene(0, "/id", IntegerGene(6))


def test_what_was_refused_or_came_later_made_nothing():
    refused = evaluation((order_for(1), 409, {"id": 5}))
    witness = witness_of(refused, fault=evaluation((on_order(SHIP, 5), 500, {})))
    assert with_provenance(witness, Resources(OPERATIONS)) is None


def test_a_fresh_start_forgets_what_was_made():
    history = History()
    history.note(made_order(5, 1))
    history.forget()
    witness = witness_of(fault=evaluation((on_order(SHIP, 5), 500, {})), history=history)
    assert with_provenance(witness, Resources(OPERATIONS)) is None


CREATE_PAD, SET_TEXT, GET_TEXT = (
    operation(method, path, HttpInput(name="padID", location="query", template=StringGene("")))
    for method, path in (("POST", "/createPad"), ("POST", "/setText"), ("GET", "/getText"))
)
PADS = (CREATE_PAD, SET_TEXT, GET_TEXT)


def on_pad(operation, name):
    return Call(operation, (StringGene(name),))


def pads_made(*calls):
    history = History()
    for call in calls:
        history.note(evaluation((call, 200, {"code": 0})))
    return history.provenance


def test_what_clients_name_themselves_is_made_by_who_sent_the_name():
    provenance = pads_made(
        on_pad(CREATE_PAD, "kf3ab"), on_pad(CREATE_PAD, "other"), on_pad(SET_TEXT, "kf3ab"), on_pad(CREATE_PAD, "third")
    )
    used = TestCase((on_pad(GET_TEXT, "kf3ab"),))
    joined = with_makers(used, provenance, Resources(PADS), by_name=True)
    assert joined is not None
    assert [(call.operation, call.genes[0].phenotype()) for call in joined.calls] == [
        (CREATE_PAD, "kf3ab"), (SET_TEXT, "kf3ab"), (GET_TEXT, "kf3ab")
    ]  # fmt: skip


def test_a_background_ends_where_it_was_taken():
    history = History()
    provenance = history.provenance
    history.note(evaluation((on_pad(CREATE_PAD, "kf3ab"), 200, {})))
    assert with_makers(TestCase((on_pad(GET_TEXT, "kf3ab"),)), provenance, Resources(PADS), by_name=True) is None
