"""How long what follows a search may take where starts of the SUT are slow."""

from wimble.engine.session.phase_time import VERIFIED_BY
from wimble.engine.suite_phases import STARTS_OF_LIBRARY, least_allowance_s
from wimble.engine.verify.verify_phase import STARTS_OF_FURTHER_RUNS


def test_the_tests_of_a_library_are_taken_up_however_slow_its_starts_are():
    after_search_s, start_s, runs_s = 40.0, 5.0, 20.0
    allowance_s = least_allowance_s(after_search_s, start_s, runs_s)
    needed_s = (STARTS_OF_FURTHER_RUNS + 2) * start_s
    starts_before = STARTS_OF_LIBRARY - STARTS_OF_FURTHER_RUNS - 2
    assert after_search_s + starts_before * start_s + needed_s + runs_s <= VERIFIED_BY * allowance_s
    assert least_allowance_s(2.0, 0.5, 1.0) < 20.0
