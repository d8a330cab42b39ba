"""The tools that are compared, by name. A new tool needs one module and one entry here."""

from __future__ import annotations

from wimble.experiment.schemathesis import Schemathesis
from wimble.experiment.tool import Tool
from wimble.experiment.wimble_tool import Wimble

TOOLS: dict[str, Tool] = {"wimble": Wimble(), "schemathesis": Schemathesis()}
