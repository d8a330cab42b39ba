"""A suite as it leaves verification: what each test does, what may be asserted, and how the SUT is started. Plain
data."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.model.database import DatabaseHome, Table
from wimble.model.evaluation import Finding
from wimble.model.observation import Observation
from wimble.model.testcase import TestCase
from wimble.types import Json, TargetId
from wimble.users import AuthUser

TestKind = Literal["fault", "success", "other"]
"""`fault`: documents a finding; `success`: every call answers below 400; `other`: the rest."""


class BodyCheck(msgspec.Struct, frozen=True):
    """Something about a response body that was the same in every verification run.

    `pointer` holds object keys (str) and array indexes (int) from the root. kind `equals`: the value there equals
    `value` (scalar, or an empty object or array); `length`: the array there has `value` elements; `holds`: an element
    of the array there, at whichever index, equals `value`, or has all members of the object `value`; `text`: the whole
    body, as text, equals `value` (root pointer).
    """

    pointer: tuple[str | int, ...]
    kind: Literal["equals", "length", "holds", "text"]
    value: Json


class VerifiedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a verified test."""

    observation: Observation
    """From the first verification run."""
    checks: tuple[BodyCheck, ...] = ()


class VerifiedTest(msgspec.Struct, kw_only=True):
    """A test that did the same twice on a freshly started SUT."""

    __test__ = False

    name: str
    """A sentence in the present tense, unique in its suite: `POST /orders with unknown coupon answers 500`."""
    kind: TestKind
    test_case: TestCase
    calls: tuple[VerifiedCall, ...]
    findings: tuple[Finding, ...] = ()
    covers: frozenset[TargetId] = frozenset()
    """All that its first verification run covered."""
    reason: str = ""
    """Why it is in the suite, for a comment: what it covers that no earlier test does."""
    shares_start: bool = False
    """Whether it runs on one start of the SUT with others of its file, instead of a fresh one of its own."""
    is_dated: bool = False
    """It fails 40 days later, or in another time zone; kept for the fault that it shows."""


class SutStart(msgspec.Struct, frozen=True, kw_only=True):
    """How a generated suite starts the SUT; empty command: it must be running at `base_url`."""

    command: tuple[str, ...]
    working_dir: str
    """Absolute; emitters write it relative to the suite's folder where that is possible."""
    base_url: str
    is_port_fixed: bool = True
    """False: another port at each start, so the suite must find it by seeing the server listen."""
    port_variables: dict[str, str | None] = {}
    """Environment variables that may say where the SUT listens, as they have to be while the tests run; None: not
    set."""
    reset: str = ""
    """As in the settings; empty: none."""
    data_files: tuple[str, ...] = ()
    """What the SUT writes below its working folder, there before or not; tests put these back after each stop."""
    ready_paths: tuple[str, ...] = ()
    """On the SUT: what is there once its API is; none: it is as soon as it listens."""


class SuiteDatabase(msgspec.Struct, frozen=True, kw_only=True):
    """A database into which tests put rows, and from which they take what they have changed."""

    home: DatabaseHome
    tables: tuple[Table, ...]
    """Parents before their children."""
    variable: str = ""
    """The environment variable that holds its URL; empty where none does."""
    packages: str = ""
    """Where the driver's package is found from, relative to the SUT's folder; empty: from there."""


class Suite(msgspec.Struct, kw_only=True):
    """All verified tests and what starts the SUT."""

    tests: tuple[VerifiedTest, ...]
    start: SutStart
    seed: int
    title: str
    databases: tuple[SuiteDatabase, ...] = ()
    users: tuple[AuthUser, ...] = ()
    """Whom calls of the tests are made as; all log in after each start."""
