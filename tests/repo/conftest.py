"""Syntax trees of all modules stay in memory: the garbage collector would go through millions of nodes again."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def without_garbage_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()
