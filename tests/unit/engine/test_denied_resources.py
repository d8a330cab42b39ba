"""An operation that has found a resource in the run denies others for another reason."""

from types import SimpleNamespace

from wimble.engine.dropped_faults.denied_resources import drop_denials_of_found_resources
from wimble.oracles.databases.not_found import NAME


def fault(oracle, operation):
    return SimpleNamespace(key=(oracle, operation), finding=SimpleNamespace(oracle=oracle, operation=operation))


class Book(list):
    dropped = frozenset()

    def drop(self, keys):
        self.dropped = keys


def test_only_what_never_succeeded_is_said_to_deny_resources():
    book = Book([fault(NAME, "DELETE /a/{id}"), fault(NAME, "PUT /a/{id}"), fault("server-error", "PUT /a/{id}")])
    statistics = SimpleNamespace(has_succeeded=lambda operation: operation.startswith("PUT"))
    drop_denials_of_found_resources(SimpleNamespace(faults=book, statistics=statistics))
    assert book.dropped == {(NAME, "PUT /a/{id}")}
