"""What is tried for a member that an answer of a service lacks: names of several things are lists first."""

from __future__ import annotations

from random import Random

import pytest

from wimble.search.generators.services.member_kinds import MAX_KINDS, kinds_for


@pytest.mark.parametrize("name", ["bindings", "orderItems", "user_list"])
def test_a_name_of_several_things_is_a_list_first(name: str) -> None:
    kinds = kinds_for((), name)
    assert kinds[0](Random(1)) == [{}]
    assert len(kinds) == len(set(kinds)) <= MAX_KINDS


@pytest.mark.parametrize("name", ["status", "address", "basis", "owner"])
def test_any_other_name_is_a_text_first(name: str) -> None:
    assert isinstance(kinds_for((), name)[0](Random(1)), str)


def test_what_the_program_takes_a_member_for_tells_more_than_its_name() -> None:
    assert isinstance(kinds_for(("number",), "points")[0](Random(1)), int)
