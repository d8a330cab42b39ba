"""How a SUT lives while test cases run: kept steady for a search, or left as it is when generated tests run."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from wimble.settings import Settings

RandomBias: TypeAlias = Literal["low", "high"]


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """They hold from the next evaluation or start on."""

    is_isolated: bool
    """Sleeps are skipped, schedules are held and randomness is seeded."""
    keeps_memory: bool = False
    """Databases in its memory stay as tests leave them, until it starts again."""
    resets_databases: bool = True
    """Databases are put back before each evaluation; what was not put back is by the next one that is."""
    random_bias: RandomBias | None = None
    """Whether numbers that the SUT draws are next to their lowest or highest value, where randomness is not seeded."""


AS_TESTS_RUN = Conditions(is_isolated=False, keeps_memory=True)
"""By its own clock, with its own schedules and randomness, as it lives when generated tests run."""
WITH_LOW_RANDOM_VALUES = msgspec.structs.replace(AS_TESTS_RUN, random_bias="low")
WITH_HIGH_RANDOM_VALUES = msgspec.structs.replace(AS_TESTS_RUN, random_bias="high")
"""What chance decides shows both its sides under these two."""


def start_conditions(settings: Settings) -> Conditions:
    """Those under which a SUT starts, and that hold between the phases of a run."""
    return Conditions(is_isolated=settings.uses("isolation"))


def search_conditions(settings: Settings) -> Conditions:
    """Those of the search."""
    return msgspec.structs.replace(start_conditions(settings), resets_databases=settings.uses("resets"))
