"""A second user names what the first one has made."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from fake_sut import FakeSut, operation

from wimble.genes import IntegerGene, ObjectGene, StringGene
from wimble.http.entrances import with_entrances
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings

CREDENTIALS = ObjectGene((("email", StringGene()), ("password", StringGene())))
NOTE = ObjectGene((("text", StringGene()),))
SIGN_UP, LOGIN, MAKE, LIST, PIN = API = with_entrances(
    [
        operation("POST", "/users/register", CREDENTIALS),
        operation("POST", "/users/login", CREDENTIALS),
        operation("POST", "/notes", NOTE),
        operation("GET", "/notes"),
        operation("POST", "/notes/{id}/pin", id=IntegerGene()),
    ]
)


def notes(operation_id: str, values: dict[str, Any], probe: Any, state: dict[str, Any]) -> tuple[Any, ...]:
    """An API that pins the notes of anybody."""
    body, users = values.get("body") or {}, state.setdefault("users", {})
    log = state.setdefault("log", [])
    if operation_id == SIGN_UP.id:
        users[body["email"]] = body["password"]
        return 201, {"ok": True}
    if operation_id == LOGIN.id:
        is_known = users.get(body["email"], "") == body["password"]
        return (200, {"token": "tok-" + body["email"]}) if is_known else (401, {})
    user = (values.get("credentials") or {}).get("header Authorization", "").removeprefix("Bearer tok-")
    if user not in users:
        log.append((operation_id, "nobody"))
        return 401, {"error": "no token"}
    made = state.setdefault("made", [])
    if operation_id == MAKE.id:
        made.append(user)
        return 201, {"id": len(made) + 70}
    if operation_id == LIST.id:
        log.append((operation_id, user))
        return 200, [{"id": number + 71} for number, owner in enumerate(made) if owner == user]
    number = values["id"] - 71
    if not 0 <= number < len(made):
        return 404, {"error": "no such note"}
    if made[number] != user:
        log.append((operation_id, user))
        state["order"] = [name if who in ("nobody", made[number]) else f"{name} by another" for name, who in log]
    return 200, {"pinned": True}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_user_calls_what_the_owner_has_called_and_both_read_around_it(seed):
    orders = []

    def recorded(operation_id, values, probe, state):
        answer = notes(operation_id, values, probe, state)
        if "order" in state:
            orders.append(state["order"])
        return answer

    sut = FakeSut(recorded)
    search = STRATEGIES["mio"](API, sut.table, Settings(), Random(seed), JAVASCRIPT)
    for count in range(250):
        search.observe(sut.evaluate(search.next_test_case(count / 250)), count / 250)
    assert [LIST.id, f"{LIST.id} by another", PIN.id, f"{PIN.id} by another"] in orders
