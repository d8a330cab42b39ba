"""What a caller has handed on is missing in the caller, whichever function it has called."""

from __future__ import annotations

from pathlib import Path

import pytest

from wimble.engine.faults.same_mend.missing_values import missing_value
from wimble.model.observation import Cause

SOURCE = """\
const changes = {
  add: function (target, key) { target[key] = 1; },
  get: function (target, key) {
    if (!Array.isArray(target)) {
      return target[key];
    }
  },
};
function apply(name, path, root) {
  let object = root;
  for (const key of path) object = object[key];
  return changes[name].call(null, object, path.at(-1));
}
function both(object) {
  return [size(object), size(object.parts), label(object)];
}
const label = (named) => named.label.trim();
const size = (sized) => sized.length;
"""

ADD, APPLY, APPLY_PATH, BOTH = ("Object.add", 2), ("Object.apply", 12), ("Object.apply", 11), ("both", 15)


def value(folder: Path, message: str, *frames: tuple[str, int]) -> tuple[int, str] | None:
    """frames: of the stack, the failing one first."""
    file = folder / "apply.js"
    file.write_text(SOURCE)
    stack = "".join(f"\n    at {name} ({file}:{line}:9)" for name, line in frames)
    found = missing_value(
        Cause(file=str(file), line=frames[0][1], message=message, stack=f"TypeError: {message}{stack}")
    )
    return None if found is None else found[1:]


@pytest.mark.parametrize(
    ("message", "frames", "found"),
    [
        ("Cannot set properties of undefined (setting 'b')", (ADD, APPLY), (10, "object")),
        ("Cannot read properties of null (reading 'b')", (("Object.get", 5), APPLY), (10, "object")),
        ("Cannot read properties of undefined (reading 'b')", (APPLY_PATH,), (10, "object")),
        ("Cannot read properties of undefined (reading 'label')", (("label", 17), BOTH), (14, "object")),
        # Two calls of the line hand on different values, and nobody has called it.
        ("Cannot read properties of undefined (reading 'length')", (("size", 18), BOTH), (18, "sized")),
        ("Cannot set properties of undefined (setting 'b')", (ADD,), (2, "target")),
    ],
)
def test_the_value_is_that_of_the_caller(tmp_path, message, frames, found):
    assert value(tmp_path, message, *frames) == found
