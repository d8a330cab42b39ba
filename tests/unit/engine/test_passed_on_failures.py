"""An operation that was seen to call a service only after a 502 of its own may say that a service has failed."""

from types import SimpleNamespace

from wimble.engine.dropped_faults.passed_on_failures import drop_failures_passed_on


def fault(oracle, status, *operations):
    finding = SimpleNamespace(oracle=oracle, status=status, operation=operations[0])
    return SimpleNamespace(
        key=(oracle, str(status), *operations), finding=finding, operations=dict.fromkeys(operations)
    )


class Book(list):
    dropped = frozenset()

    def drop(self, keys):
        self.dropped = keys


def test_only_statuses_of_failed_services_of_operations_that_call_services_are_dropped():
    book = Book(
        [
            fault("server-error", 502, "GET /a"),
            fault("server-error", 500, "GET /a"),
            fault("server-error", 502, "GET /b"),
            fault("server-error", 503, "GET /a", "GET /b"),
            fault("upstream-failure", 502, "GET /a"),
        ]
    )
    drop_failures_passed_on(SimpleNamespace(faults=book, judge=SimpleNamespace(callers={"GET /a"})))
    assert book.dropped == {("server-error", "502", "GET /a")}
