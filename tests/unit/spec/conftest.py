"""Small documents of our own, each full of one kind of trouble."""

from collections.abc import Callable
from pathlib import Path

import pytest

from wimble.model.operation import Specification
from wimble.spec.loading.document_text import load_file
from wimble.spec.openapi.openapi_operations import load_openapi

DOCUMENTS = Path(__file__).parents[2] / "data" / "openapi"


@pytest.fixture(scope="session")
def documents() -> Path:
    return DOCUMENTS


@pytest.fixture(scope="session")
def specification() -> Callable[[str], Specification]:
    def load(name: str) -> Specification:
        return load_openapi(load_file(DOCUMENTS / name), name)

    return load
