"""The user's own command or request that resets the state.

It runs after each start of the SUT and after each test case that may have changed something.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from wimble.errors import TargetError
from wimble.execute.http.address import Address, address_of_url
from wimble.execute.http.fetching import ask
from wimble.execute.sut.startup import SHOWN_LINES
from wimble.http.http_messages import HttpRequest
from wimble.model.testcase import TestCase

RESET_TIMEOUT_S: Final = 60.0

_HINT: Final = "run it by itself first; it has to end with success and restore the state in which each test starts"


class ResetHook:
    """The setting `reset`, and whether a reset is due."""

    def __init__(self, text: str, working_dir: Path, environment: Mapping[str, str] = os.environ) -> None:
        """text: a URL, a path on the SUT, or a command for the shell."""
        self._text = text
        self._working_dir = working_dir
        self._environment = environment
        self.is_due = True

    def note_start(self) -> None:
        """Notes that the SUT was started, after which a reset is due."""
        self.is_due = True

    def note(self, test_case: TestCase) -> None:
        """Notes that this test case has run."""
        self.is_due = self.is_due or any(not call.operation.is_safe for call in test_case.calls)

    def bring_back(
        self,
        sut: Address,
        note: Callable[[str], None],
        *,
        is_strict: bool = False,
        on_wait: Callable[[], None] | None = None,
    ) -> None:
        """Resets as `run`, but only notes a failure for the user, unless `is_strict`."""
        try:
            self.run(sut, on_wait)
        except TargetError as error:
            if is_strict:
                raise
            note(f"{error.what} ({error.where}): state of earlier calls may remain")

    def run(self, sut: Address, on_wait: Callable[[], None] | None = None) -> None:
        """Resets the state. on_wait: see `HttpClient`.

        Raises: TargetError, if it fails.
        """
        self.is_due = False
        if self._text.startswith("/"):
            self._send(sut, self._text, on_wait)
        elif self._text.startswith(("http://", "https://")):
            parts = urlsplit(self._text)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            self._send(address_of_url(self._text), target, on_wait)
        else:
            self._execute(sut)

    def _send(self, address: Address, target: str, on_wait: Callable[[], None] | None) -> None:
        response = ask(address, HttpRequest("POST", target, (("Accept", "*/*"),)), on_wait, RESET_TIMEOUT_S)
        if response is None or not 200 <= response.status < 300:
            answer = "no answer" if response is None else f"an answer with status {response.status}"
            raise TargetError(
                "reset-failed", f"the reset brought {answer}", where=f"POST {address.url}{target}", hint=_HINT
            )

    def _execute(self, sut: Address) -> None:
        try:
            done = subprocess.run(
                self._text,
                shell=True,
                cwd=self._working_dir,
                env={**self._environment, "WIMBLE_BASE_URL": sut.url},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=RESET_TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise TargetError(
                "reset-failed", f"the reset did not end within {RESET_TIMEOUT_S:g} s", where=self._text, hint=_HINT
            ) from error
        if done.returncode != 0:
            lines = done.stdout.decode("utf-8", "replace").splitlines()[-SHOWN_LINES:]
            raise TargetError(
                "reset-failed",
                f"the reset ended with code {done.returncode}",
                where=self._text,
                details=("its last output:", *(f"  {line}" for line in lines)) if lines else (),
                hint=_HINT,
            )
