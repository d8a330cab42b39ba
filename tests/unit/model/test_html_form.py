"""HTML is written so that selectors find what they are to find, by parsers of HTML and of XML."""

import xml.etree.ElementTree as ElementTree

import pytest

from wimble.model.setup_kinds.html_form import as_html

IN_BODY = [
    ("h1", "a", "<h1>a</h1>"),
    ("#price", "a", '<div id="price">a</div>'),
    ("p.lead.big", "a", '<p class="lead big">a</p>'),
    ("ul.tags > li", ["a", "b"], '<ul class="tags"><li>a</li></ul><ul class="tags"><li>b</li></ul>'),
    ("article h2 + p", "a", "<article><h2><p>a</p></h2></article>"),
    ('a[href^="/jobs"]', {"#text": "a", "@title": "b"}, '<a href="/jobs" title="b">a</a>'),
    ('[data-testid="a b"]', "a", '<div data-testid="a b">a</div>'),
    (".job[data-level]", {"@data-level": "senior"}, '<div class="job" data-level="senior"></div>'),
    ("td.total", "1", '<table><tr><td class="total">1</td></tr></table>'),
    ("table.rates tr td", "1", '<table class="rates"><tr><td>1</td></tr></table>'),
    ("body > main", "a", "<main>a</main>"),
    ("h1, h2", "a", "<h1>a</h1>"),
    ("li:first-child", "a", "<li>a</li>"),
    ("img.logo", {"@src": "/a.png"}, '<img class="logo" src="/a.png"/>'),
    ("cbc\\:Amount", "1", "<cbc:Amount>1</cbc:Amount>"),
    (".card", {"#text": "a", ".title": "b"}, '<div class="card">a<div class="title">b</div></div>'),
    ("p", "a < b & c", "<p>a &lt; b &amp; c</p>"),
    ("*", "a", "<div>a</div>"),
]


@pytest.mark.parametrize(("selector", "content", "written"), IN_BODY)
def test_a_selector_becomes_the_element_that_it_finds(selector, content, written):
    assert as_html({selector: content}) == f"<!DOCTYPE html><html><head></head><body>{written}</body></html>"


def test_titles_and_metadata_stand_in_the_head():
    found = as_html({"head > title": "a", 'meta[property="og:title"]': {"@content": "b"}, "p": "c"})
    assert '<head><title>a</title><meta property="og:title" content="b"/></head><body><p>c</p>' in found


@pytest.mark.parametrize(("selector", "content", "_written"), [one for one in IN_BODY if ":A" not in one[0]])
def test_the_document_is_xml_too(selector, content, _written):
    assert ElementTree.fromstring(as_html({selector: content}).removeprefix("<!DOCTYPE html>")).tag == "html"


@pytest.mark.parametrize("hostile", ["", ">", "[", "a[b", ":not(", "x" * 3000, "<script>", '"', "a" + " > a" * 99])
def test_whatever_is_given_a_document_is_written(hostile):
    found = as_html({hostile: "k3x9q"})
    ElementTree.fromstring(found.removeprefix("<!DOCTYPE html>"))
    assert "k3x9q" in found


def test_what_is_no_object_is_the_text_of_the_body():
    assert "<body>a &lt; b</body>" in as_html("a < b")


def test_a_cell_within_a_row_stands_in_that_row():
    """A table within a row is moved out of it by parsers."""
    document = as_html({"table#prices tr.row": {"#text": "a", "@data-fuel": "mgo", "td.price": "7"}})
    assert '<tr class="row" data-fuel="mgo">a<td class="price">7</td></tr></table>' in document
