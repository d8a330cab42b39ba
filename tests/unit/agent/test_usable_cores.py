"""How many cores there are for wimble and the SUT."""

from __future__ import annotations

import os
import sys

import pytest

from wimble.agent.processes.usable_cores import usable_cores


@pytest.mark.skipif(sys.platform != "linux", reason="cores can be chosen on Linux only")
def test_cores_that_this_process_may_not_use_do_not_count() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert usable_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
    assert usable_cores() == len(allowed)
