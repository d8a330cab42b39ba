"""`report/index.html`: one file without external assets, that works from the disk. All text of the SUT is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from wimble.model.result import RunResult
from wimble.report.html_view import view_of


def html_text(result: RunResult, output_dir: Path) -> str:
    """Returns the page; it reads the SUT's source files. `output_dir` is where the report and the tests are."""
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
