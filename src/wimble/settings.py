"""The settings of a run: created by the CLI, immutable, and passed down. No layer reads options from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec

from wimble.techniques import BLACK_BOX_ONLY, TECHNIQUES, WHITE_BOX_ONLY, TechniqueName
from wimble.users import AuthUser, Secrets

Row = TypeVar("Row")

NO_TESTS: Final = "none"
"""In the place of a format: no tests are made; faults are run once more after the search, for their causes."""
STRATEGY_NAMES: Final = ("mio", "random")
TEST_FORMATS: Final = ("node-test", "jest", "vitest", "pytest")
LIBRARY_TEST_FORMATS: Final = ("node-test", "jest", "vitest")
"""The names in the tables of search/strategies.py, emit/test_formats.py and emit/library_formats.py, without which the
command line can be parsed: their modules take a second to import.
"""
LIBRARY_CALL_TIMEOUT_S: Final = 2.0
"""A function that computes for longer on such small arguments hangs, as far as a caller can tell."""
LONGEST_CALL_S = 10.0
SHORTEST_CALL_S = 2.0
"""Lower bound of the time-out: no shorter time counts as a hang."""


def default_call_timeout_s(max_time_s: float | None) -> float:
    """Returns a twelfth of the budget within bounds, so that one hanging call does not use up a short budget.

    None (a budget in calls) gives LONGEST_CALL_S.
    """
    return LONGEST_CALL_S if max_time_s is None else min(LONGEST_CALL_S, max(SHORTEST_CALL_S, max_time_s / 12))


RecordedChoice: TypeAlias = Literal["closest", "exact", "random"]
"""Which recorded answers are tried for a request: those to the requests that are most like it, to exactly this one, or
any of the service."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All options of a run.

    Exactly one of `max_time_s` and `max_calls` is the budget of the search; phases after the search have their own
    limits. `seed` is always set: if the user gave none, the CLI draws one and prints it.
    """

    command: tuple[str, ...] = ()
    """The SUT's command line; empty for a black-box run against `url`."""
    working_dir: Path = Path()
    """The folder in which the command is started, and in which files of the project are searched."""
    library: str = ""
    """The library to test instead of an API: a package with or without its version, or a folder; empty for an API."""
    may_write: bool = False
    """Whether a library may write files outside of its scratch folder, and start processes."""
    url: str | None = None
    """Base URL of a SUT that already runs (black-box), or of the started SUT if the agent cannot detect it."""
    schemas: tuple[str, ...] = ()
    """Files or URLs of OpenAPI documents or GraphQL schemas, or paths on the SUT, which describe the API together.
    Empty: well-known paths on the SUT, then files in the project. `none` alone: no document, only routes."""
    overlays: tuple[str, ...] = ()
    """Files with OpenAPI overlays, applied to the document in this order."""
    only: tuple[str, ...] = ()
    """Filters of the operations to call, as `kind:pattern` (spec/operation_filters.py); empty for all operations."""
    output_dir: Path = Path("wimble-out")
    max_time_s: float | None = 60.0
    max_calls: int | None = None
    seed: int = 0
    strategy: str = "mio"
    """A name from search/strategies.py."""
    switched_off: frozenset[TechniqueName] = frozenset()
    """Techniques that the search does not use, for an ablation."""
    test_format: str | None = None
    """A name from emit/test_formats.py, or NO_TESTS; None to choose it by the project."""
    include: tuple[str, ...] = ()
    """Folders or packages that are instrumented in addition to the SUT's own files."""
    port: int | None = None
    """The port of the API if the SUT listens on several; None for the first port that serves the API."""
    start_timeout_s: float = 60.0
    """Maximum time from the start of the SUT until a server listens and answers."""
    return_timeout_s: float = 10.0
    """Maximum absence of a SUT that wimble did not start: its operator may restart it."""
    call_timeout_s: float = 10.0
    """Time after which a call counts as never answered."""
    max_test_calls: int = 10
    """Maximum number of calls in a test case ([WB-JS] §4.2)."""
    reset: str | None = None
    """Restores the state in which tests start: a shell command, a URL, or a path on the SUT (POST). None for wimble's
    own resets only."""
    allow_remote_database: bool = False
    """Whether rows of a database on another machine may be changed."""
    allowed_hosts: tuple[str, ...] = ()
    """Hosts, with or without a port, to which the SUT may connect although they are not on this machine."""
    mocked_hosts: tuple[str, ...] = ()
    """Hosts of this machine, with a port, whose services are mocked like those of other machines."""
    service_schemas: tuple[str, ...] = ()
    """OpenAPI documents of services that the SUT calls: files, or `ORIGIN=FILE`."""
    recorded: tuple[Path, ...] = ()
    """HAR files, and folders of them, with answers of services."""
    recorded_choice: RecordedChoice = "closest"
    """Which recorded answers are tried for a request."""
    harvested_hosts: tuple[str, ...] = ()
    """Hosts, with or without a port, whose real answers are recorded beside the search."""
    may_name_hosts: tuple[str, ...] = ()
    """Ids of operations whose inputs may decide which host the program calls, such as the registration of a webhook."""
    writes_only_document: bool = False
    """Whether the run ends with the inferred document, without tests and reports (`wimble describe`)."""
    verbose: bool = False
    users: tuple[AuthUser, ...] = ()
    """The users who make calls, without secrets."""
    secrets: Secrets = msgspec.field(default_factory=Secrets)
    """The values of the names in `users`."""

    @property
    def writes_tests(self) -> bool:
        """Whether tests are made of what the search has found."""
        return not self.writes_only_document and self.test_format != NO_TESTS

    @property
    def is_black_box(self) -> bool:
        """Whether the run is black-box: only answers of the SUT are observed."""
        return self.url is not None and not self.command

    def uses(self, technique: TechniqueName) -> bool:
        """Whether the search uses a technique: it is not switched off, and it applies to this kind of run.

        Raises KeyError if there is no such technique.
        """
        if technique not in TECHNIQUES:
            raise KeyError(technique)
        left_out = WHITE_BOX_ONLY if self.is_black_box else BLACK_BOX_ONLY
        return technique not in self.switched_off and technique not in left_out

    def in_use(self, table: Iterable[tuple[TechniqueName, Row]]) -> tuple[Row, ...]:
        """Returns the rows of a table whose technique is used, and those without a technique ("")."""
        return tuple(row for technique, row in table if not technique or self.uses(technique))
