"""What a start of the SUT keeps in databases: the rows of users who have logged in, and no others."""

from types import SimpleNamespace

import pytest

from wimble.execute.sut.started_api import StartedApi


@pytest.mark.parametrize("has_users", [True, False])
def test_rows_stay_after_a_start_only_if_users_have_logged_in(has_users):
    called = []
    databases = SimpleNamespace(hear=lambda *_: (), rebaseline=lambda: called.append("rebaseline"))
    state = SimpleNamespace(databases=databases, put_back=lambda: called.append("put back"))
    session = SimpleNamespace(
        begin=lambda request: None, end=lambda wait_s: SimpleNamespace(commands=(), n_commands_dropped=0)
    )
    auth = SimpleNamespace(has_users=has_users, log_in=lambda *_, **__: called.append("log in"))
    server = SimpleNamespace(address=SimpleNamespace(url="http://127.0.0.1:1"))
    api = StartedApi(server, SimpleNamespace(session=session), state, auth, lambda: None)
    api.log_in()
    api.discard_reached()
    assert called == ["put back", "log in", *["rebaseline"][: int(has_users)]]
    api.discard_reached()
    assert called.count("rebaseline") == has_users
