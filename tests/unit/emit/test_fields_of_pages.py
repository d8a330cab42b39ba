"""Suites read the fields of pages as the search does."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path

import pytest

import wimble.emit
from wimble.http.page_fields import page_field

RUNTIME = Path(wimble.emit.__file__).parent / "runtime"
PAGES = {
    "in quotes": '<form><input type="hidden" name="_csrf" value="a&#x2B;b&#61;&amp;&quot;c"></form>',
    "without": "<INPUT value=abc/d= name=_csrf><input name=_csrf value=second>",
    "meta": "<meta content='kPz9' name='_csrf' />",
    "other": '<input name="csrf" value="x"><p name="_csrf" value="y">',
    "empty": '<input name="_csrf" value="">',
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_helpers_of_suites_find_what_the_search_finds(page: str) -> None:
    wanted = page_field(page, "_csrf") or ""
    assert runpy.run_path(str(RUNTIME / "sut_http.py"))["field"](page, "_csrf") == wanted
    script = (
        f"process.stdout.write(require({json.dumps(str(RUNTIME / 'sut-http.cjs'))}).field(process.argv[1], '_csrf'))"
    )
    found = subprocess.run(["node", "-e", script, page], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout == wanted
