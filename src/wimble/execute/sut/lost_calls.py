"""Finds the statement at which a call ended the SUT or blocked it: the calls are repeated on a fresh SUT, traced."""

from __future__ import annotations

from functools import partial

from wimble.agent.processes.sut_log import check_disk
from wimble.errors import WimbleError
from wimble.execute.causes.post_mortem import PostMortems, find_last_statement
from wimble.execute.causes.process_exit import with_death, with_lost_cause
from wimble.execute.runner import Run
from wimble.execute.sut.sut_starts import SutStarts
from wimble.http.exchange import request_of
from wimble.model.observation import Cause
from wimble.model.testcase import TestCase


class LostCalls:
    """Explains runs of test cases after which the SUT answers no more."""

    def __init__(self, starts: SutStarts) -> None:
        self._starts = starts
        self._post_mortems = PostMortems()

    def explained(self, run: Run, test_case: TestCase, output_start: int) -> Run:
        """Returns the run with the cause of the lost call, and the end of the process among its crashes.

        output_start: where the output of the run begins in the log, in bytes.
        """
        if run.lost == "gone":
            processes = self._starts.processes
            check_disk(processes.log.path.parent)
            return with_death(run, processes.tree, output_start, partial(self._post_mortem, run, test_case, dies=True))
        return self._explained_blocked(run, test_case) if run.lost == "blocked" else run

    def _explained_blocked(self, run: Run, test_case: TestCase) -> Run:
        """Stops the SUT, and returns the run with the statement that blocked as the cause of the lost call."""
        self._starts.stop()  # it would not answer the queries that put rows back
        if run.lost_call is None:
            return run
        cause = self._post_mortem(run, test_case, dies=False)
        return with_lost_cause(run, cause if cause.file else None)

    def _post_mortem(self, run: Run, test_case: TestCase, *, dies: bool) -> Cause:
        """Finds where the lost call ended, on a fresh SUT that is stopped again.

        Returns an empty cause if it is not found.
        """
        if run.lost_call is None:
            return Cause()

        def find() -> Cause | None:
            starts = self._starts
            requests = [request_of(observation) for observation in run.observations[: lost_call + 1]]
            try:
                starts.restart()
                starts.api.log_in()
                client = starts.server.runner.client
                return find_last_statement(starts.processes.session, client, requests, starts.while_waiting, dies=dies)
            except WimbleError:
                return None
            finally:
                starts.stop()
                starts.state.databases.note_everything()  # the commands of these calls were not recorded

        lost_call = run.lost_call
        return self._post_mortems.cause(test_case.calls[lost_call].operation.id, dies, find)
