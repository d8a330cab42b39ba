"""The HTML report: its content, that nothing of the SUT's text becomes markup, and that it works in a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from result_samples import empty_result, exchange, sample_result, with_first_finding

from wimble.library.invocation import FunctionExchange, Invocation, function_observation
from wimble.model.comparison import Comparison, Difference
from wimble.model.result import FileCoverage, ReportedTest
from wimble.report.html import html_text
from wimble.report.writer import write_reports

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")
XSS = "</script></template></textarea><img src=x onerror=alert(1)><script>alert(2)</script>\"'`{{7*7}}"


class Tags(HTMLParser):
    """Counts elements, and collects attributes that run or load something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.count: dict[str, int] = {}
        self.dangerous: list[str] = []
        self.ids: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attrs:
            if (
                name.startswith("on")
                or name == "src"
                or (name == "href" and not re.match(r"#|\.\./(tests/|openapi\.json$)", value or ""))
            ):
                self.dangerous.append(f"{tag} {name}={value}")
            if name == "id":
                self.ids.append(value or "")


def test_report_stands_by_itself(tmp_path: Path) -> None:
    html = html_text(sample_result(tmp_path), tmp_path / "wimble-out")
    tags = Tags(html)
    assert tags.dangerous == []
    assert len(tags.ids) == len(set(tags.ids))
    for text in (
        "sum -= (sum * coupon.percent) / 100;",
        "../tests/faults.test.mjs",
        "best h 0.51",
        "seen 1,288 times",
        "2/4 functions",
        "1 operation, 2 statuses and 1 member of answers are not in the document; 1 declared one was never seen",
        "200 $.author.born",
    ):
        assert text in html
    assert "createOrder in line 11 (entered, never completed); get sum in line 15 (never entered)" in html
    assert "node --test wimble-out/tests/*.test.mjs" in html


def test_calls_on_an_argument_of_a_library_stand_before_the_arguments(tmp_path: Path) -> None:
    graph = {"$used": [{"$made": ["new Graph"]}, [["setEdge", "a", "b"]]]}
    called = FunctionExchange(invocation=Invocation(operation="walk", arguments=(graph, "a")), returned=[])
    result = sample_result(tmp_path)
    first, *others = result.findings
    first = msgspec.structs.replace(first, observations=(function_observation(0, called),))
    html = html_text(msgspec.structs.replace(result, findings=(first, *others)), tmp_path)
    text = unescape(html)
    assert "const graph = new Graph(); graph.setEdge('a', 'b'); (graph, 'a')" in text


def test_text_of_the_sut_stays_text(tmp_path: Path) -> None:
    result = sample_result(tmp_path)
    plain = Tags(html_text(result, tmp_path)).count
    (tmp_path / "src" / "orders.js").write_text("\n".join([XSS] * 19))
    finding = result.findings[0].finding
    cause = msgspec.structs.replace(finding.cause, message=XSS, stack=XSS, statement=XSS)
    result = with_first_finding(result, oracle=XSS, title=XSS, observed=XSS, expected=XSS, cause=cause)
    first, second, *others = result.findings
    asked = exchange(0, "POST", "/" + XSS, {XSS: XSS}, status=500, answer={XSS: XSS})
    first = msgspec.structs.replace(first, observations=(asked,) * 2, curl=(XSS, XSS))
    result.findings = (first, msgspec.structs.replace(second, note=XSS), *others)
    result.operation_outcomes = {
        f"GET /{n}{XSS}": statuses for n, statuses in enumerate(result.operation_outcomes.values())
    }
    result.tests = (ReportedTest("tests/faults.test.mjs", XSS, 1), *result.tests[1:])
    result.warnings = (XSS,)
    result.command, result.schema = (XSS,), XSS
    result.files[1].path = XSS
    difference = Difference(operation=XSS, kind="status", detail=XSS)
    result.comparison = Comparison(undocumented=(difference,) * 4, unseen=(difference,))
    tags = Tags(html_text(result, tmp_path))
    assert tags.dangerous == []
    assert tags.count["script"] == plain["script"] == 1
    assert "img" not in tags.count


def test_what_ran_last_is_told_only_where_the_place_of_the_cause_is_not_known(tmp_path: Path) -> None:
    result = sample_result(tmp_path)
    cause = msgspec.structs.replace(result.findings[0].finding.cause, stack="Error: a", statement="errors.js:3")
    assert "errors.js:3" not in html_text(with_first_finding(result, cause=cause), tmp_path)
    unknown = msgspec.structs.replace(cause, file="", line=0)
    assert "Last executed statement: errors.js:3" in html_text(with_first_finding(result, cause=unknown), tmp_path)


def test_lone_surrogates_are_written(tmp_path: Path) -> None:
    result = with_first_finding(sample_result(tmp_path), title="a \ud800 b")
    assert write_reports(result, tmp_path) == []


def test_empty_run_has_a_report(tmp_path: Path) -> None:
    html = html_text(empty_result(tmp_path), tmp_path)
    assert "No fault found" in html
    assert "No tests were written." in html


def dump_dom(page: Path, tmp_path: Path, fragment: str = "") -> tuple[str, str]:
    """The page as a browser has it after its scripts have run, and the browser's own output."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--virtual-time-budget=5000",
        f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri() + fragment,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


@pytest.mark.e2e
@needs_chromium
def test_browser_shows_the_page_without_script_errors(tmp_path: Path) -> None:
    write_reports(sample_result(tmp_path), tmp_path / "wimble-out")
    dom, console = dump_dom(tmp_path / "wimble-out" / "report" / "index.html", tmp_path)
    assert console == ""
    assert 'data-ready="true"' in dom
    assert "2 faults found" in dom
    assert dom.count("<template>") == 1  # the source waits until it is opened


@pytest.mark.e2e
@needs_chromium
def test_link_to_a_line_opens_its_file(tmp_path: Path) -> None:
    write_reports(sample_result(tmp_path), tmp_path / "wimble-out")
    dom, console = dump_dom(tmp_path / "wimble-out" / "report" / "index.html", tmp_path, "#file-1-13")
    assert console == ""
    assert "<template>" not in dom
    assert re.search(r'<div class="line c shown" id="file-1-13">', dom)


@pytest.mark.e2e
@needs_chromium
def test_large_project_opens(tmp_path: Path) -> None:
    result = sample_result(tmp_path)
    source = tmp_path / "large.js"
    source.write_text("\n".join(f"const value{n} = {n};" for n in range(10_000)))
    large = FileCoverage(path=str(source), lines=dict.fromkeys(range(1, 10001), "uncovered"))
    result.files = (*result.files, large)
    write_reports(result, tmp_path / "wimble-out")
    dom, console = dump_dom(tmp_path / "wimble-out" / "report" / "index.html", tmp_path, "#file-3-9999")
    assert console == ""
    assert 'class="line u shown" id="file-3-9999"' in dom
