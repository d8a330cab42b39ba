"""What a suite says about the SUT's port and start."""

from __future__ import annotations

from typing import NamedTuple

from wimble.engine.write.written_tests import port_variables, start_timeout_s


class Served(NamedTuple):
    port: int
    ports: tuple[int, ...]
    is_port_fixed: bool = True


ALONE = Served(3000, (3000,))


def test_the_variable_that_was_set_stays_as_it_was() -> None:
    assert port_variables({"PORT": "3000", "API_PORT": "3000", "DB_PORT": "5432"}, ALONE) == {
        "PORT": "3000",
        "API_PORT": "3000",
    }


def test_a_port_that_the_sut_chose_is_told_to_it() -> None:
    assert port_variables({"API_PORT": "3001"}, ALONE) == {"PORT": "3000"}


def test_the_port_of_one_server_is_not_told_to_another() -> None:
    assert port_variables({}, Served(3000, (3000, 9229))) == {"PORT": None}
    assert port_variables({"PORT": "9229"}, Served(3000, (3000, 9229))) == {"PORT": "9229"}


def test_changing_ports_are_not_fixed_by_the_suite() -> None:
    assert port_variables({}, Served(40001, (40001,), is_port_fixed=False)) == {"PORT": None}
    assert port_variables({"PORT": "0"}, Served(40001, (40001,), is_port_fixed=False)) == {"PORT": "0"}


def test_tests_wait_longer_for_a_sut_that_starts_slowly() -> None:
    assert start_timeout_s(60.0, 1.2) == 60.0
    assert start_timeout_s(60.0, 20.3) == 102.0
    assert start_timeout_s(180.0, 20.3) == 180.0
