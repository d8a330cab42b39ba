"""The observer of a SUT that wimble did not start: it observes only whether a server is there."""

from __future__ import annotations

from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.protocol.results import MergedResult
from wimble.agent.pulses import Pulse
from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.model.evaluation import Crash


class BlackBoxObserver:
    """Answers like an agent session without observations."""

    counts_calls = False

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self.has_lost_server = False

    def begin(self, request: EvaluationRequest) -> None:
        self.has_lost_server = False

    def connection(self, port: int, next_call: int) -> None:
        pass

    def end(self, timeout_s: float) -> MergedResult:
        return MergedResult({}, [], {}, 0, is_complete=not self.has_lost_server)

    def pulse(self, timeout_s: float) -> Pulse:
        """Returns `gone` or `alive`.

        The kernel accepts connections for a blocked server, too, so `blocked` cannot be detected from outside.
        """
        client = HttpClient(self._host, self._port)
        try:
            client.connect(timeout_s)
        except CallFailed:
            self.has_lost_server = True
            return "gone"
        finally:
            client.close()
        return "alive"

    def waits_in_vain(self, timeout_s: float) -> bool:
        """It cannot be known from outside."""
        return False

    def await_crash(self, timeout_s: float) -> None:
        """Does nothing, since no crash is reported."""

    def settle_crashes(self) -> None:
        """Does nothing, since no crash is reported."""

    def take_crashes(self) -> list[Crash]:
        return []
