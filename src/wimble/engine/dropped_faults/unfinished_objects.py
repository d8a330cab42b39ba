"""Faults of methods of objects that other parts of the library have to complete.

A renderer with `parser;`, which its constructor leaves undefined, fails at `this.parser.parse(...)` if it is made
alone. The library itself sets it (`this.renderer.parser = this`) before it calls the renderer. A member that the class
sets by itself (`this.head = node`) is another matter: that it is undefined yet is for its methods to look at.
"""

from __future__ import annotations

import linecache
import re
from typing import Final

from wimble.engine.dropped_faults.told_drop import drop_and_tell
from wimble.engine.faults.fault_book import Fault
from wimble.engine.session.coordinator import Coordinator
from wimble.model.observation import Cause
from wimble.oracles.libraries.library_faults import EXCEPTION

_READ: Final = re.compile(r"TypeError: Cannot read properties of undefined \(reading '([\w$]+)'\)")
_OWN: Final = r"(?:this|self|that|_this)"


def drop_faults_of_unfinished_objects(coordinator: Coordinator) -> None:
    """Removes exceptions where a member is undefined that only other objects set, and tells the user."""
    dropped = [fault for fault in coordinator.faults if _is_of_unfinished_object(fault)]
    drop_and_tell(
        coordinator, dropped, "errors are of objects that the library completes before it uses them, and not reported"
    )


def _is_of_unfinished_object(fault: Fault) -> bool:
    return fault.finding.oracle == EXCEPTION and is_set_by_others(fault.finding.cause)


def is_set_by_others(cause: Cause) -> bool:
    """Whether the undefined value is a member of `this` that the file sets for other objects only."""
    read = _READ.match(cause.message)
    if read is None or not cause.file:
        return False
    member = re.escape(read[1])
    named = set(re.findall(rf"\bthis\.([\w$]+)\.{member}(?![\w$])", linecache.getline(cause.file, cause.line)))
    if len(named) != 1:
        return False
    name = re.escape(named.pop())
    text = "".join(linecache.getlines(cause.file))
    sets = re.findall(rf"([\w$]+(?:\.[\w$]+)*)\.{name}\s*(?:\?\?|\|\||&&)?=(?![=>])", text)
    return bool(sets) and not any(re.fullmatch(_OWN, owner) for owner in sets)
