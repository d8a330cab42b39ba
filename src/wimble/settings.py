"""The one typed settings object. Built by the CLI, frozen, passed down; no layer reads options from anywhere else."""

from __future__ import annotations

from pathlib import Path

import msgspec

from wimble.techniques import Techniques
from wimble.users import AuthUser, Secrets

LONGEST_CALL_S = 10.0
SHORTEST_CALL_S = 2.0
"""An answer that takes longer may still be a slow one, not a hang."""


def default_call_timeout_s(max_time_s: float | None) -> float:
    """One call that hangs must not use up a short budget; 10 s where the budget is in calls."""
    return LONGEST_CALL_S if max_time_s is None else min(LONGEST_CALL_S, max(SHORTEST_CALL_S, max_time_s / 12))


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a user can say about a run.

    Exactly one of `max_time_s` and `max_calls` is the budget of the search; phases after the search have limits of
    their own. `seed` is always set: where the user gave none, the CLI draws one and prints it.
    """

    command: tuple[str, ...] = ()
    """The SUT's command line; empty for a black-box run against `url`."""
    working_dir: Path = Path()
    """Where the command is started and where files of the project are looked for."""
    url: str | None = None
    """Base URL of a SUT that already runs (black-box), or of the started one where it cannot be seen."""
    schema: str | None = None
    """File or URL of the OpenAPI document or GraphQL schema, or a path on the SUT; None: well-known paths on the SUT, then files in the project."""
    overlays: tuple[str, ...] = ()
    """Files with OpenAPI overlays, applied to the document in this order."""
    only: tuple[str, ...] = ()
    """Which operations are called, as `kind:pattern` (spec/filters.py); empty: all."""
    output_dir: Path = Path("wimble-out")
    max_time_s: float | None = 60.0
    max_calls: int | None = None
    seed: int = 0
    strategy: str = "mio"
    """A name from search/strategies.py."""
    techniques: Techniques = Techniques()
    """What the search may use; experiments switch single ones off."""
    test_format: str | None = None
    """A name from emit/formats.py; None: chosen by the project."""
    include: tuple[str, ...] = ()
    """Folders or packages, beside the SUT's own files, that are instrumented too."""
    port: int | None = None
    """The port of the API where the SUT listens on several; None: the first that serves the API."""
    start_timeout_s: float = 60.0
    """How long the SUT may take from its start until a server listens and answers."""
    return_timeout_s: float = 10.0
    """How long a SUT that we do not start may stay away once it has ended; whoever runs it may start it again."""
    call_timeout_s: float = 10.0
    """How long one call may take before it counts as never answered."""
    max_test_calls: int = 10
    """The longest test case, in calls (seed 000 §4.2)."""
    reset: str | None = None
    """What brings back the state that tests are to find: a command for the shell, a URL, or a path on the SUT (POST); None: what
    wimble resets by itself."""
    allow_remote_database: bool = False
    """Whether rows of a database on another machine may be added, changed and removed."""
    verbose: bool = False
    users: tuple[AuthUser, ...] = ()
    """Whom calls are made as; without secrets."""
    secrets: Secrets = msgspec.field(default_factory=Secrets)
    """What the names in `users` stand for."""

    @property
    def is_blind(self) -> bool:
        """Whether nothing is seen of the SUT but its answers."""
        return self.url is not None and not self.command
