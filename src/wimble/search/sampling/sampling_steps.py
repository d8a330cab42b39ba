"""The type of a sampling step: a change of a new call after its values were sampled.

Each step gives some inputs of the call values that are more promising than random ones: values seen in answers, in the
SUT's code, or in earlier calls of the test case. `sampler.py` lists the steps in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from wimble.model.testcase import Call

SamplingStep: TypeAlias = Callable[[Call, Sequence[Call]], Call]
"""Returns, for a call and the earlier calls of its test case, the call with other values, or the same call."""
