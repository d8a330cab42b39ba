"""The conditions under which a SUT runs: controlled during a search, unchanged when generated tests run."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from wimble.settings import Settings

RandomBias: TypeAlias = Literal["low", "high"]

GUARD_MS: Final = 60_000
"""A longer time-out guards nobody: whoever has called the program has given up by then."""
GUARD_IN_TESTS_MS: Final = 8_000
"""A longer time-out does not end early in runs that stand for generated tests, which wait 10 s for an answer."""


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions that apply from the next evaluation or start of the SUT."""

    is_isolated: bool
    """Whether sleeps are skipped, schedules are held and randomness is seeded."""
    guard_ms: int = 0
    """The longest time-out that ends at once while it guards a request to a service which hangs on purpose."""
    keeps_memory: bool = False
    """Whether databases in the SUT's memory keep the changes of tests until the SUT starts again."""
    starts_as_tests: bool = False
    """Whether processes start without isolation nevertheless, so that their first evaluation may be as in a test."""
    resets_databases: bool = True
    """Whether databases are reset before each evaluation. If not, changes stay until the next reset."""
    lets_numbers_drift: bool = False
    """Whether numbers for new rows need not be put back each time where that is slow."""
    keeps_entrances: bool = False
    """Whether sign-ups and logins with which many test cases begin are sent once, and what they left behind is used."""
    random_bias: RandomBias | None = None
    """Whether random numbers of the SUT are close to their lowest or highest value, if randomness is not seeded."""


AS_TESTS_RUN = Conditions(is_isolated=False, guard_ms=GUARD_IN_TESTS_MS, keeps_memory=True)
"""As when generated tests run: the SUT has its own clock, schedules and randomness. Only hangs of services cost
no time."""
WITH_LOW_RANDOM_VALUES = msgspec.structs.replace(AS_TESTS_RUN, random_bias="low")
WITH_HIGH_RANDOM_VALUES = msgspec.structs.replace(AS_TESTS_RUN, random_bias="high")
"""A decision that depends on a random number has both outcomes under these two conditions."""


def start_conditions(settings: Settings) -> Conditions:
    """Returns the conditions under which a SUT starts, which also apply between the phases of a run."""
    is_isolated = settings.uses("isolation")
    return Conditions(is_isolated=is_isolated, guard_ms=GUARD_MS if is_isolated else 0)


def later_conditions(settings: Settings) -> Conditions:
    """Returns the conditions of what is looked for after verification, on starts as those of tests: some of these have
    been begun ahead of their use.
    """
    return msgspec.structs.replace(start_conditions(settings), starts_as_tests=True)


def trial_conditions(settings: Settings) -> Conditions:
    """Returns the conditions of tries on a SUT that has been started as generated tests start it.

    What they show does not depend on the numbers that new rows get, which runs as tests put back.
    """
    return msgspec.structs.replace(start_conditions(settings), starts_as_tests=True, lets_numbers_drift=True)


def search_conditions(settings: Settings) -> Conditions:
    """Returns the conditions of the search."""
    resets = settings.uses("resets")
    return msgspec.structs.replace(
        start_conditions(settings), resets_databases=resets, lets_numbers_drift=True, keeps_entrances=resets
    )
