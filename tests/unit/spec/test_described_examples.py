"""Examples in the words of descriptions are values that the search tries."""

from __future__ import annotations

import pytest

from wimble.genes import SeededGene, StringGene
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.spec.schemas.described_examples import described_examples

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("time of day, such as 12:30", ["12:30"]),
        ("Opening hours (e.g. `Mo-Fr 9-17`).", ["Mo-Fr 9-17"]),
        ("e.g., 'AB-12' or \"CD-34\"", ["AB-12", "CD-34"]),
        ("A size. For example: 3XL, 4XL and 5XL.", ["3XL", "4XL", "5XL"]),
        ("Examples: 1.2.3.", ["1.2.3"]),
        ("The tags, such as cats and dogs", []),
        ("The 2 names", []),
        ("", []),
        (None, []),
        (["such as 1"], []),
    ],
)
def test_what_is_quoted_or_has_a_digit_after_an_introduction(description: object, expected: list[str]) -> None:
    assert described_examples(TEXT, description) == expected


@pytest.mark.parametrize(
    "schema",
    [{"type": "integer"}, {"type": "string", "format": "date"}, {"type": "string", "examples": ["a"]}, {}],
)
def test_a_schema_that_says_more_keeps_its_word(schema: dict[str, object]) -> None:
    assert described_examples(schema, "such as 12:30") == []


def test_the_description_of_a_parameter_counts_as_well() -> None:
    at = {"name": "at", "in": "query", "required": True, "schema": TEXT, "description": "such as 12:30"}
    document = {"openapi": "3.0.0", "info": {}, "paths": {"/a": {"get": {"parameters": [at], "responses": {}}}}}
    (operation,) = load_openapi(document, "openapi.json").operations
    assert operation.inputs[0].template == SeededGene(StringGene(), ("12:30",))
