"""Patterns as JavaScript takes them and validators do not."""

import jsonschema_rs
import pytest

from wimble.solve.patterns.ecmascript import matches
from wimble.spec.schemas.schema_patterns import MAX_PATTERN_CHARS, usable_pattern


@pytest.mark.parametrize(
    "pattern", [r"^[a-zA-Z][\w-.]+$", r"^[\d-\w]$", r"^[.-\s]x$", r"^[\]-\w-]$", r"^[A-\d]-\d$", r"^[\w\-.]$", r"^[-\w]$", r"^a-\d$", r"^\[\w-.]$"]
)  # fmt: skip
@pytest.mark.parametrize(
    "text", ["a-", "a.b", "-", ".x", "-x", "]", "a-1", "--1", "A-1", "1", "[w-.]", "[a-x]", "\\", ""]
)
def test_the_validator_sees_what_javascript_sees(pattern: str, text: str) -> None:
    usable = usable_pattern(pattern)
    assert usable is not None
    validator = jsonschema_rs.Draft202012Validator({"pattern": usable}, offline=True)
    assert validator.is_valid(text) is matches(pattern, "", text)


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "a" * (MAX_PATTERN_CHARS + 1)])
def test_what_is_no_expression_or_too_long_is_not_used(pattern: str) -> None:
    assert usable_pattern(pattern) is None
