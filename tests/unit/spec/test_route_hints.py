"""What hints of a request for an unknown path say about the paths that a program serves."""

from wimble.model.hints import ComparisonHint, KeyHint, PatternHint, SplitHint, SubstringHint
from wimble.spec.routes.path_hints import Probe, deeper, probes_from, start_probe
from wimble.spec.routes.path_templates import templates_of
from wimble.types import TargetId

SENT = start_probe(n_segments=2)


def after(hint, sent=SENT):
    return [(probe.method, probe.path) for probe, _ in probes_from([hint], sent, sent.path)]


def equal(left, right, name=""):
    return ComparisonHint(
        target=TargetId(1), call=0, operator="identical", left=left, right=right, wanted=True, name=name
    )


def test_a_path_that_was_compared():
    assert after(equal(SENT.path, "/books")) == [("GET", "/books")]
    assert after(equal("/books", SENT.path)) == [("GET", "/books")]
    assert after(equal("GET", "POST")) == [("POST", SENT.path)]
    assert after(equal(f"GET {SENT.path}", "DELETE /books")) == [("DELETE", "/books")]


def test_a_part_of_the_path_that_was_compared():
    assert after(equal("wimbleq1", "books")) == [("GET", "/books/wimbleq2")]
    assert after(equal("/wimbleq2", "/list")) == [("GET", "/wimbleq1/list")]
    assert after(equal({"$undefined": True}, "reviews", "parts[2]")) == [("GET", "/wimbleq1/wimbleq2/wimbleq3")]


def test_the_number_of_segments():
    books = Probe("GET", "/books")
    assert after(equal(1, 3, "parts.length"), books) == [("GET", "/books/wimbleq1/wimbleq2")]


def test_prefixes_look_ups_and_splitting():
    prefix = SubstringHint(target=TargetId(1), call=0, place="start", text=SENT.path, part="/files/", wanted=True)
    assert after(prefix) == [("GET", "/files/wimbleq1/wimbleq2")]
    assert after(KeyHint(target=TargetId(1), call=0, key=SENT.path, other="/stats")) == [("GET", "/stats")]
    assert after(SplitHint(target=TargetId(1), call=0, text=SENT.path, separator="/")) == [
        ("GET", "/wimbleq1/wimbleq2/wimbleq3")
    ]


def test_a_pattern_is_a_route_with_parameters():
    hint = PatternHint(target=TargetId(1), call=0, text=SENT.path, source=r"^\/orders\/(\d+)$", wanted=True)
    ((probe, _),) = probes_from([hint], SENT, SENT.path)
    (template,) = templates_of(probe.parts, "http")
    assert template.path == "/orders/{part}"


def test_what_has_nothing_to_do_with_the_path_is_passed_over():
    assert after(equal("application/json", "text/html")) == []
    assert after(equal(2, 3, "items.size")) == []
    assert after(equal(None, "x")) == []
    percent = SubstringHint(target=TargetId(1), call=0, place="any", text="wimbleq1", part="%", wanted=True)
    assert after(percent) == [], "a program that decodes paths serves none with a lone %"
    assert after(equal("wimbleq1", "a%20b")) == [("GET", "/a%20b/wimbleq2")]


def test_markers_are_parameters():
    (template,) = templates_of(deeper(Probe("GET", "/books")).parts, "http")
    assert template.path == "/books/{part1}"
    (template,) = templates_of(Probe("GET", "/a:b/wimbleq1").parts, "http")
    assert template.path == "/a:b/{part1}"


PATTERN = r"^\/stations\/([A-Z]{3}\d)(?:\/(\w+))?$"


def test_each_form_of_a_pattern_is_a_path_of_its_own():
    matched = PatternHint(target=TargetId(1), call=0, text=SENT.path, source=PATTERN, wanted=True)
    forms = [probe.regex for probe, _ in probes_from([matched], SENT, SENT.path)]
    assert forms == [r"^\/stations\/([A-Z]{3}\d)$", r"^\/stations\/([A-Z]{3}\d)\/(\w+)$"]


def within(*hints, is_look_up=lambda target: False):
    """What follows from a path that matched the pattern."""
    sent = Probe("GET", SENT.path, r"^\/stations\/([A-Z]{3}\d)\/(\w+)$")
    found = probes_from(hints, sent, "/stations/ABC1/xyz", is_look_up)
    return [(probe.method, probe.regex.removeprefix("^"), probe.example) for probe, _ in found]


def test_a_segment_of_a_pattern_becomes_the_text_that_it_was_compared_with():
    latest = ("GET", r"\/stations\/([A-Z]{3}\d)\/latest$", "/stations/ABC1/latest")
    assert within(equal("xyz", "latest")) == [latest]
    assert within(equal("GET xyz", "GET latest")) == [latest]
    ping = ("POST", r"\/stations\/([A-Z]{3}\d)\/ping$", "/stations/ABC1/ping")
    assert within(equal("GET xyz", "POST ping")) == [ping]
    assert within(equal("ABC1", "latest")) == [], "it does not match"
    assert within(equal("GET", "PUT")) == [("PUT", r"\/stations\/([A-Z]{3}\d)\/(\w+)$", "")]


def test_a_key_of_a_table_is_an_example_of_the_pattern():
    known = ("GET", r"\/stations\/([A-Z]{3}\d)\/(\w+)$", "/stations/HAM1/xyz")
    assert within(equal("ABC1", "HAM1"), equal("ABC1", "OSL1")) == [known], "one is enough"
    assert within(equal("ABC1", "HAM1"), is_look_up=lambda target: True) == [known]
    assert within(KeyHint(target=TargetId(1), call=0, key="ABC1", other="HAM1")) == [known]
