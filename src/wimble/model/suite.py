"""A verified suite: what each test does, what it may assert, and how the SUT is started. Plain data."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.model.database import DatabaseHome, Table
from wimble.model.evaluation import Finding
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.testcase import TestCase
from wimble.types import Json, TargetId
from wimble.users import AuthUser

TestKind = Literal["fault", "success", "other"]
"""`fault`: shows a finding; `success`: every call answers below 400; `other`: any other test."""

TestFileKind = TestKind | Literal["all"]
"""The tests of a file: those of one kind, or all."""


class BodyCheck(msgspec.Struct, frozen=True):
    """A property of a response body that was the same in every verification run.

    `pointer` contains object keys (str) and array indices (int) from the root. kind `equals`: the value there equals
    `value` (a scalar, or an empty object or array); `length`: the array there has `value` elements; `holds`: an element
    of the array there, at any index, equals `value`, or has all members of the object `value`; `text`: the whole body,
    as text, equals `value` (with the root pointer).
    """

    pointer: tuple[str | int, ...]
    kind: Literal["equals", "length", "holds", "text"]
    value: Json


class VerifiedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a verified test."""

    observation: Observation
    """The observation of the first verification run."""
    checks: tuple[BodyCheck, ...] = ()


class VerifiedTest(msgspec.Struct, kw_only=True):
    """A test with the same result in two runs on a freshly started SUT."""

    __test__ = False

    name: str
    """A sentence in the present tense, unique in its suite: `POST /orders with unknown coupon answers 500`."""
    kind: TestKind
    test_case: TestCase
    calls: tuple[VerifiedCall, ...]
    findings: tuple[Finding, ...] = ()
    covers: frozenset[TargetId] = frozenset()
    """All targets that its first verification run covered."""
    reason: str = ""
    """Why it is in the suite, for a comment: what it covers that no earlier test covers."""
    shares_start: bool = False
    """Whether it shares one start of the SUT with other tests of its file, instead of having a fresh start."""
    starts_anew: bool = False
    """Whether it has a start on which no call came before, not even one that asks for no change."""
    has_crashed: bool = False
    """Whether something failed outside of an answer in one of its runs, which may come after the test."""
    is_dated: bool = False
    """Whether it fails 40 days later, or in another time zone. It is kept because it shows a fault."""
    is_in_one_file: bool = False
    """Whether tests of all kinds are in one file, so that the suite starts the SUT once."""

    def beginning(self, operation: Operation) -> TestCase | None:
        """Returns the test up to its first call of an operation; None if that call has not succeeded."""
        calls = self.test_case.calls
        index = next((number for number, call in enumerate(calls) if call.operation is operation), None)
        if index is None or self.calls[index].observation.outcome != "ok":
            return None
        return TestCase(calls[: index + 1], self.test_case.setup)

    @property
    def file_kind(self) -> TestFileKind:
        return "all" if self.is_in_one_file else self.kind


class ReadyAnswer(msgspec.Struct, frozen=True):
    """An answer that a SUT gives once it is ready, and another one in the first moment after a start."""

    target: str
    """Of a GET without headers of its own."""
    status: int
    content_type: str
    """Without parameters."""
    unlike: str
    """SHA-256 of the body of the first moment, where nothing but the body is another one; else empty."""


class SutStart(msgspec.Struct, frozen=True, kw_only=True):
    """How a generated suite starts the SUT. If `command` is empty, the SUT has to run at `base_url` already."""

    command: tuple[str, ...]
    working_dir: str
    """Absolute path. Emitters write it relative to the suite's folder, if possible."""
    base_url: str
    is_port_fixed: bool = True
    """False if the SUT has another port at each start, so that the suite has to detect on which port it listens."""
    port_variables: dict[str, str | None] = {}
    """Environment variables that may determine the SUT's port, with their values for the tests; None if unset."""
    variables: dict[str, str | None] = {}
    """Further variables that the SUT reads, with their values in the run; None if unset."""
    place_variables: dict[str, str] = {}
    """The same with places of services and files. Tests set those that their own environment does not have."""
    path_variables: dict[str, str] = {}
    """Such places in the working folder, relative to it."""
    start_timeout_s: float = 60.0
    """How long tests wait for a start."""
    reset: str = ""
    """The reset of the settings; empty for none."""
    data_files: tuple[str, ...] = ()
    """Files that the SUT writes below its working folder, existing or new. Tests restore them after each stop."""
    headers: tuple[tuple[str, str], ...] = ()
    """Headers that every request has, such as `X-Forwarded-Proto`."""
    ready_paths: tuple[str, ...] = ()
    """Paths on the SUT that exist once its API is ready. If there are none, the SUT is ready when it listens."""
    ready_answers: tuple[ReadyAnswer, ...] = ()
    """How it answers once it is ready, where it answers otherwise before."""


class PasswordPlace(msgspec.Struct, frozen=True):
    """A place in a file of the project where a password stands."""

    file: str
    """Path relative to the SUT's folder."""
    before: str
    """The text before it on its line."""
    index: int
    """The number of earlier lines of the file that contain this text."""


class TokenKey(msgspec.Struct, frozen=True, kw_only=True):
    """A secret with which the SUT signs tokens, and from which tests sign tokens when they run. It is not here.

    A key of our own (own_keys.py) is no secret: tests have it.
    """

    id: str
    algorithm: str
    variable: str = ""
    """The environment variable that has it; empty if none has."""
    digest: str = ""
    """SHA-256 of `jwt ` and the secret."""
    place: PasswordPlace | None = None
    """Where it stands in the project, if no environment variable has it."""
    is_own: bool = False

    @property
    def is_readable(self) -> bool:
        """Whether tests can read it when they run."""
        return self.is_own or bool(self.variable) or self.place is not None


class SuiteDatabase(msgspec.Struct, frozen=True, kw_only=True):
    """A database into which tests insert rows, and in which they revert their changes."""

    home: DatabaseHome
    tables: tuple[Table, ...]
    """Parents before their children."""
    variable: str = ""
    """The environment variable with its URL; empty if there is none."""
    packages: str = ""
    """Folder, relative to the SUT's folder, from which the driver's package is resolved; empty for the SUT's folder."""
    password_place: PasswordPlace | None = None
    """Where the password stands in the project, if no environment variable holds it."""

    @property
    def needs_password(self) -> bool:
        """Whether a user has to give the password, which the SUT has from where tests cannot find it."""
        login = self.home.login
        is_known = self.variable or login.server_variable or login.password_variable or self.password_place
        return bool(login.password_digest) and not self.home.is_file and not is_known


class Suite(msgspec.Struct, kw_only=True):
    """All verified tests, and how to start the SUT."""

    tests: tuple[VerifiedTest, ...]
    start: SutStart
    seed: int
    title: str
    databases: tuple[SuiteDatabase, ...] = ()
    keys: tuple[TokenKey, ...] = ()
    """The keys with which tests sign tokens."""
    users: tuple[AuthUser, ...] = ()
    """The users of the tests' calls; all log in after each start."""
    packages: tuple[str, ...] = ()
    """The packages that tests can import, beside the test runner."""
    needs: tuple[str, ...] = ()
    """What has to be given to the tests when they run, each as the end of a sentence."""
