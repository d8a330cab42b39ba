"""Messages as EJS 3, Pug 3, Eta 4, Nunjucks 3 and LiquidJS 10 make them."""

from __future__ import annotations

import pytest

from wimble.agent.protocol.template_errors import with_place_in_template
from wimble.model.observation import Cause

OUTER = '/srv/views/y.ejs:2\n    1| <main>\n >> 2| <%- include("x", {a: {}}) %>\n    3| </main>\n    4| \n\n'
INNER = "/srv/views/x.ejs:3\n    2| <p>\n >> 3| <%= a.b.c %>\n    4| </p>\n\n"
SAID = "Cannot read properties of undefined (reading 'c')"
HANDLER = Cause(file="/srv/app.js", line=40, stack="TypeError\n    at /srv/app.js:40:7")


def cause_of(message: str) -> Cause:
    return with_place_in_template(
        Cause(file=HANDLER.file, line=HANDLER.line, stack=HANDLER.stack, message=message),
    )


@pytest.mark.parametrize(
    ("message", "place", "said"),
    [
        pytest.param(f"TypeError: {INNER}{SAID}", "/srv/views/x.ejs:3", f"TypeError: {SAID}", id="ejs"),
        pytest.param(f"TypeError: {OUTER}{INNER}{SAID}", "/srv/views/x.ejs:3", f"TypeError: {SAID}", id="included"),
        pytest.param(
            f'TypeError: /srv/views/x.pug:3\n    1| p= "x"\n    2| div\n  > 3|   p= a.b.c\n    4| \n\n{SAID}',
            "/srv/views/x.pug:3",
            f"TypeError: {SAID}",
            id="pug",
        ),
        pytest.param(
            "Template render error: (/srv/views/x.njk) [Line 2, Column 6]\n  Error: Unable to call `a`",
            "/srv/views/x.njk:2",
            "Error: Unable to call `a`",
            id="nunjucks",
        ),
        pytest.param(
            "ParseError: undefined filter: price, file:/srv/views/x.liquid, line:2, col:1",
            "/srv/views/x.liquid:2",
            "ParseError: undefined filter: price",
            id="liquid",
        ),
        pytest.param(
            f"TypeError: ejs:3\n >> 3| <%= a.b.c %>\n\n{SAID}", "/srv/app.js:40", f"TypeError: {SAID}", id="no file"
        ),
    ],
)
def test_an_error_of_a_template_is_at_its_line(message: str, place: str, said: str) -> None:
    cause = cause_of(message)
    assert f"{cause.file}:{cause.line}" == place
    assert cause.message == said
    assert place in cause.stack


@pytest.mark.parametrize(
    "message", [f"TypeError: {SAID}", "Error: a:1\nb", "", "Error: connect ECONNREFUSED 127.0.0.1:80"]
)
def test_other_errors_stay_as_they_are(message: str) -> None:
    assert cause_of(message) == Cause(file=HANDLER.file, line=40, stack=HANDLER.stack, message=message)
