"""Values that a program accepts once are new in copies of test cases."""

from random import Random
from uuid import UUID

import pytest

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.members import value_of_input, with_input
from wimble.search.learned.single_use import KEPT_PROBABILITY, is_for_one_use

KEY = LearnedInput(location="header", path=("idempotency-key",))
LANGUAGE = LearnedInput(location="header", path=("accept-language",))
(PAY,) = with_undeclared_inputs([http_operation(id="POST /pay", method="POST", path="/pay")])


def paying(key: str) -> Call:
    call = Call(PAY, tuple(given.template for given in PAY.inputs))
    for one, text in ((KEY, key), (LANGUAGE, "de")):
        call = with_input(call, one, StringGene(text)) or call
    return call


@pytest.mark.parametrize("name", ["Idempotency-Key", "x-request-id", "requestId", "messageId", "nonce", "dedupKey"])
def test_names_say_what_is_for_one_use(name):
    assert is_for_one_use(LearnedInput(location="body", path=("a", name)))


@pytest.mark.parametrize("name", ["id", "userId", "requested", "announcement", "message"])
def test_other_names_do_not(name):
    assert not is_for_one_use(LearnedInput(location="query", path=(name,)))


def test_copies_have_new_ones_and_equal_ones_stay_equal():
    learned = LearnedInputs(Random(1))
    test_case = TestCase((paying("k1"), paying("k1"), paying("k2")))
    assert learned.single_use.renewed(test_case) is test_case
    assert learned.learn(PAY, KEY)
    assert learned.learn(PAY, LANGUAGE)
    copies = [learned.single_use.renewed(test_case) for _ in range(200)]
    keys = [[value_of_input(call, KEY) for call in copy.calls] for copy in copies]
    assert abs(keys.count(["k1", "k1", "k2"]) - 200 * KEPT_PROBABILITY) < 20
    assert all(one[0] == one[1] != one[2] for one in keys)
    assert all(value_of_input(call, LANGUAGE) == "de" for copy in copies for call in copy.calls)
    assert len({one[0] for one in keys}) > 150


def test_long_ones_keep_their_shape_since_a_program_may_ask_for_it():
    learned = LearnedInputs(Random(1))
    learned.learn(PAY, KEY)
    for key in ("AB-1234-x", "12345678", "0b1f2d6e-0c0d-4a55-9c6f-6f3f2f9b7a10"):
        copies = [learned.single_use.renewed(TestCase((paying(key),))) for _ in range(20)]
        keys = {str(value_of_input(copy.calls[0], KEY)) for copy in copies}
        assert len(keys) > 10
        assert {len(one) for one in keys} == {len(key)}
        if len(key) == 36:
            assert all(map(UUID, keys))
        else:
            assert {one[0].isdigit() for one in keys} == {key[0].isdigit()}
