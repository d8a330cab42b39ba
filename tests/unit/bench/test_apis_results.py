"""What bench/apis.py says of an API's runs with and without its document."""

from apis import APIS, comparison_of, named_operations, operations_of, reaches_bar


def summary(searched, *, lines=50, branches=40, findings=1, undocumented=()):
    return {
        "searched": searched,
        "routes": {"undocumented": [{"operation": one} for one in undocumented]},
        "lines": {"covered": lines},
        "branches": {"covered": branches},
        "findings": [{}] * findings,
    }


def test_operations_are_read_from_the_report_for_ci_servers(tmp_path):
    report = tmp_path / "junit.xml"
    report.write_text(
        "<testsuites><testsuite><testcase name='GET /a/{id}'/><testcase name='POST /a'><failure/></testcase>"
        "<testcase name='other faults'/></testsuite></testsuites>"
    )
    assert operations_of(report) == ["GET /a/{id}", "POST /a"]


def test_routes_that_the_document_lacks_are_not_counted():
    assert named_operations(summary(["GET /a", "GET /b"], undocumented=["GET /b"])) == ["GET /a"]


def test_a_row_compares_the_run_without_the_document_with_the_other():
    document = summary(["GET /a/{id}", "GET /b", "GET /c"], undocumented=["GET /c"], findings=3)
    without = summary(["GET /a/{key}", "GET /c"], lines=25, branches=39)
    assert comparison_of(APIS[0], document, without)[1:] == [
        "1 / 2", "50 %", "25 / 50", "50 %", "39 / 40", "98 %", "1 / 3",
    ]  # fmt: skip


def test_the_bar_is_met_by_95_percent_of_operations_and_branches():
    document = summary(["GET /a", "GET /b"], branches=100)
    assert reaches_bar(document, summary(["GET /a", "GET /b"], branches=95))
    assert not reaches_bar(document, summary(["GET /a", "GET /b"], branches=94))
    assert not reaches_bar(document, summary(["GET /a"], branches=100))
