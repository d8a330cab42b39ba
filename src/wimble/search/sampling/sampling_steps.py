"""What is done to a new call, step by step, after its values were sampled.

Each step gives some inputs of the call values that are more promising than random ones: seen in answers, in the SUT's
code, in earlier calls of the test case. The table in `call_maker.py` lists them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from wimble.model.testcase import Call

SamplingStep: TypeAlias = Callable[[Call, Sequence[Call]], Call]
"""(call, earlier calls of its test case) -> the call with other values, or the same one."""
