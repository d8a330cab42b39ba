"""A JSON value of any type, where the schema says nothing."""

from __future__ import annotations

from wimble.genes.base import Gene
from wimble.types import Json


class AnyGene(Gene, frozen=True):
    value: Json = None
