"""Tables in Markdown with aligned columns."""

from __future__ import annotations


def table(titles: list[str], rows: list[list[str]]) -> str:
    """Returns a table with padded columns; all columns but the first are aligned to the right."""
    widths = [max(len(row[index]) for row in [titles, *rows]) for index in range(len(titles))]
    lines = [_line(titles, widths)]
    lines.append("| " + " | ".join(_rule(width, index) for index, width in enumerate(widths)) + " |")
    return "\n".join([*lines, *(_line(row, widths) for row in rows)])


def _rule(width: int, index: int) -> str:
    return "-" * width if index == 0 else "-" * (width - 1) + ":"


def _line(cells: list[str], widths: list[int]) -> str:
    padded = [
        cell.ljust(width) if index == 0 else cell.rjust(width)
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "| " + " | ".join(padded) + " |"
