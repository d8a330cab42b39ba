"""A program that compares the address at which it is called with a name."""

import pytest

from wimble.model.hints import ComparisonHint, KeyHint, PatternHint, SubstringHint, TableHint
from wimble.search.learned.compared_hosts import HOST, host_compared

AT = {"target": 1, "call": 0}


def compared(left, right, *, wanted=True, name=""):
    return ComparisonHint(operator="identical", left=left, right=right, wanted=wanted, name=name, **AT)


@pytest.mark.parametrize(
    "hint",
    [
        compared("127.0.0.1:4100", "admin.example"),
        compared("localhost", "admin.example", name="req.hostname"),
        SubstringHint(place="start", text="127.0.0.1", part="api.", wanted=True, **AT),
        PatternHint(text="[::1]:3000", source="[.]shop[.]example$", wanted=True, **AT),
        KeyHint(key="127.0.0.1", other="acme.example", **AT),
        TableHint(key="127.0.0.1", holds="functions", keys=("acme.example",), **AT),
    ],
)
def test_a_name_that_is_looked_for_in_its_place_shows_the_header(hint):
    assert host_compared(hint) is HOST


@pytest.mark.parametrize(
    "hint",
    [
        compared("127.0.0.1:4100", "admin.example", wanted=False),
        compared("admin.example", "127.0.0.1"),
        compared("127.0.0.1", "10.0.0.5"),
        compared("127.0.0.1", "gateway.example", name="req.ip"),
        compared("127.0.0.1", "gateway.example", name="req.socket.remoteAddress"),
        compared("127.0.0.1x", "admin.example"),
        KeyHint(key="127.0.0.1", other=7, **AT),
    ],
)
def test_other_comparisons_do_not(hint):
    assert host_compared(hint) is None
