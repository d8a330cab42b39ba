"""Sessions without a login: what a program keeps for whoever sends its cookie is reached, also behind several steps."""

import pytest
from fake_sut import FakeSut, operation, searched

from wimble.genes import ObjectGene, StringGene
from wimble.http.entrances import with_entrances

ITEM, COUPON, CART, CHECKOUT = API = with_entrances(
    [
        operation("POST", "/cart/items", ObjectGene((("name", StringGene()),))),
        operation("POST", "/cart/coupon"),
        operation("GET", "/cart"),
        operation("POST", "/checkout"),
    ]
)
CHECKED_OUT, WITH_COUPON, MANY = 101, 102, 103


def shop(operation_id, values, probe, state):
    carts = state.setdefault("carts", {})
    sent = (values.get("credentials") or {}).get("set-cookie sid", "")
    cart = carts.get(sent)
    if operation_id == ITEM.id:
        if cart is not None:
            cart["items"] += 1
            return 201, {}
        carts["s1d"] = {"items": 1}
        return 201, {}, {"sid": "s1d"}
    if operation_id == CART.id:
        if cart is not None and cart["items"] > 2:
            probe.line(MANY)
        return 200, {"items": 0 if cart is None else cart["items"]}
    if cart is None:
        return 409, {"error": "the cart is empty"}
    if operation_id == COUPON.id:
        cart["coupon"] = True
        return 200, {}
    probe.line(WITH_COUPON if "coupon" in cart else CHECKED_OUT)
    return 200, {}


@pytest.mark.parametrize("line", [CHECKED_OUT, WITH_COUPON, MANY])
def test_what_is_kept_in_a_session_is_reached(line):
    for seed in (1, 2, 3):
        sut = FakeSut(shop)
        search, _ = searched(sut, list(API), seed=seed, evaluations=400, stop_at=line)
        assert search.archive.is_covered(sut.target("line", line)), seed


def test_half_of_the_test_cases_of_what_needs_a_session_begin_with_the_call_that_gives_it():
    search, _ = searched(FakeSut(shop), list(API), seed=1, evaluations=300)
    sampled = [search.sampler.sample_for(CHECKOUT) for _ in range(40)]
    begun = [one for one in sampled if one.calls[0].operation.id == ITEM.id]
    assert 10 < len(begun) < 30
    (way,) = search.sampler.access.openings.ways[CHECKOUT.id]
    assert (way.giver, way.way.fields) == (ITEM.id, ())
