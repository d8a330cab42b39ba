"""A member that only other objects set is undefined where an object is made alone."""

from pathlib import Path

import pytest

from wimble.engine.dropped_faults.unfinished_objects import is_set_by_others
from wimble.model.observation import Cause

RENDERER = """
class Renderer {
  parser;
  text(token) { return this.parser.parse(token); }
}
class Parser {
  constructor() { this.renderer = new Renderer(); this.renderer.parser = this; }
}
"""
LIST = """
class List {
  push(item) { const node = { item }; node.next = this.head; this.head = node; }
  pop() { return this.head.item; }
}
function emptied(list) { list.head = undefined; return list; }
"""
OPTIONS = """
class Reader {
  constructor(options) { this.options = options; }
  read(text) { return text.split(this.options.separator); }
}
"""
NEVER_SET = """
class Reader {
  read(text) { return text.split(this.options.separator); }
}
"""


@pytest.mark.parametrize(
    ("text", "read", "is_so"),
    [
        (RENDERER, "parse", True),
        (LIST, "item", False),
        (OPTIONS, "separator", False),
        (NEVER_SET, "separator", False),
        (RENDERER, "other", False),
    ],
    ids=["set-by-another", "set-by-itself-too", "set-by-its-constructor", "never-set", "another-member"],
)
def test_an_object_that_another_one_completes(tmp_path: Path, text: str, read: str, is_so: bool) -> None:
    file = tmp_path / "index.js"
    file.write_text(text)
    line = next(number for number, one in enumerate(text.splitlines(), 1) if f".{read}" in one or read == "other")
    message = f"TypeError: Cannot read properties of undefined (reading '{read}')"
    assert is_set_by_others(Cause(file=str(file), line=line, message=message)) is is_so
