"""A text with a table: names of columns in the first line, and the values of one row in each further line (CSV)."""

from __future__ import annotations

import csv
import io
from random import Random

from msgspec.structs import replace

from wimble.genes.gene import Gene, Resolver
from wimble.genes.strings import StringGene
from wimble.types import ABSENT, Json


class TextTableGene(Gene, frozen=True):
    """A table in the form of RFC 4180. `cells` has the rows one after the other, with a gene for each column."""

    columns: tuple[str, ...]
    cells: tuple[Gene, ...]

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        written = io.StringIO()
        lines = csv.writer(written, lineterminator="\n")
        lines.writerow(self.columns)
        values = [_text(cell.phenotype(resolve)) for cell in self.cells]
        lines.writerows(values[at : at + len(self.columns)] for at in range(0, len(values), len(self.columns)))
        return written.getvalue()

    def sampled(self, rng: Random) -> TextTableGene:
        return replace(self, cells=tuple(cell.sampled(rng) for cell in self.cells))

    def mutated(self, rng: Random, focus: float) -> Gene:
        return self

    def is_mutable(self) -> bool:
        return False

    def with_value(self, value: Json) -> Gene | None:
        """Returns a string gene with this text, which is no longer a table."""
        return StringGene(value) if isinstance(value, str) else None

    def with_column(self, name: str, cell: Gene) -> TextTableGene:
        """Returns the table with a further column, which has the same value in each row."""
        width = len(self.columns)
        rows = [self.cells[at : at + width] for at in range(0, len(self.cells), width)]
        return TextTableGene((*self.columns, name), tuple(one for row in rows for one in (*row, cell)))

    def children(self) -> tuple[Gene, ...]:
        return self.cells

    def with_child(self, index: int, child: Gene) -> TextTableGene:
        return replace(self, cells=(*self.cells[:index], child, *self.cells[index + 1 :]))


def _text(value: Json) -> str:
    if value is ABSENT or value is None:
        return ""
    return value if isinstance(value, str) else str(value)
