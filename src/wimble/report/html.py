"""`report/index.html`: one file without external assets, which works from the disk. All text of the SUT is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from wimble.model.result import RunResult
from wimble.report.html_view import view_of


def html_text(result: RunResult, output_dir: Path) -> str:
    """Returns the page; reads the SUT's source files for it. output_dir: the folder of the report and the tests."""
    return _template().render(view_of(result, output_dir))


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("wimble.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["thousands"] = lambda number: f"{number:,}"
    return environment.get_template("index.html.jinja")
