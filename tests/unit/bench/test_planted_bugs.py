"""The labels of bench/contact and bench/undeclared are well formed, and findings are matched with them as
bench/planted_bugs.py says."""

from pathlib import Path

import pytest
from planted_bugs import Bug, Match, Place, Project, bug_of, place_of, places_of, read_project, sort_findings

BENCH = Path(__file__).parents[3] / "bench"
FOLDERS = sorted(file.parent for room in ("contact", "undeclared") for file in BENCH.glob(f"{room}/*/package.json"))
PLACES = {"null": Place("routes/a.js", 10, 12), "order": Place("routes/b.js", 10, 10)}


def finding(oracle="server-error", operation="GET /a", *, file="", line=0, title="", after_s=1.0):
    cause = {"file": file, "line": line, "message": ""}
    return {"oracle": oracle, "operation": operation, "cause": cause, "title": title, "found_after_s": after_s}


def bug(name, *match):
    return Bug(id=name, kind="null", description="", match=match or (Match(at=True),))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_project_has_eight_bugs_or_more_with_markers_that_occur_once(folder):
    project = read_project(folder)
    names = [one.id for one in (*project.bugs, *project.accepted)]
    assert len(names) == len(set(names))
    assert len(project.bugs) >= 8
    assert all(one.marker for one in project.bugs)
    assert set(places_of(project, folder)) >= {one.id for one in project.bugs}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_conditions_of_a_match_are_not_empty(folder):
    project = read_project(folder)
    assert all(match != Match() for one in (*project.bugs, *project.accepted) for match in one.match)


def test_a_marker_that_is_gone_or_not_unique_is_an_error(tmp_path):
    (tmp_path / "a.js").write_text("one\ntwo\nthree\ntwo\n")
    with pytest.raises(ValueError, match="occurs 2 times"):
        place_of(Bug(id="x", kind="", description="", file="a.js", marker="two"), tmp_path)
    with pytest.raises(ValueError, match="occurs 0 times"):
        place_of(Bug(id="x", kind="", description="", file="a.js", marker="four"), tmp_path)


def test_the_lines_of_a_bug_are_those_of_its_marker_or_as_many_as_it_says(tmp_path):
    (tmp_path / "a.js").write_text("one\ntwo\nthree\nfour\n")
    spanning = Bug(id="x", kind="", description="", file="a.js", marker="two\nthree")
    assert place_of(spanning, tmp_path) == Place("a.js", 2, 3)
    counted = Bug(id="x", kind="", description="", file="a.js", marker="two", lines=3)
    assert place_of(counted, tmp_path) == Place("a.js", 2, 4)


@pytest.mark.parametrize("text", ["stack = 1", "bugs = [", 'stack = "x"\ncommand = ["node"]\n[[bugs]]\nidentity = "x"'])
def test_labels_in_another_form_are_an_error_that_names_the_file(tmp_path, text):
    (tmp_path / "bugs.toml").write_text(text)
    with pytest.raises(ValueError, match=r"bugs\.toml"):
        read_project(tmp_path)


def test_a_finding_belongs_to_the_bug_on_whose_lines_its_cause_lies():
    bugs = [bug("order"), bug("null")]
    assert bug_of(finding(file="routes/a.js", line=12), bugs, PLACES) == bugs[1]
    assert bug_of(finding(file="dist/routes/a.js", line=10), bugs, PLACES) == bugs[1]
    assert bug_of(finding(file="routes/a.js", line=13), bugs, PLACES) is None
    assert bug_of(finding(file="routes/c.js", line=10), bugs, PLACES) is None


def test_all_conditions_of_a_match_have_to_hold_and_one_match_is_enough():
    told = bug(
        "null",
        Match(oracles=("response-schema",), operations=("GET /a",), text="$.total"),
        Match(operations=("GET /b",), at=True),
    )
    assert bug_of(finding("response-schema", title="$.total is null"), [told], PLACES) == told
    assert bug_of(finding("response-schema", title="$.count is null"), [told], PLACES) is None
    assert bug_of(finding("response-status", title="$.total is null"), [told], PLACES) is None
    assert bug_of(finding("response-schema", "GET /c", title="$.total is null"), [told], PLACES) is None
    assert bug_of(finding(operation="GET /b", file="routes/a.js", line=11), [told], PLACES) == told


def test_between_bugs_that_match_the_text_decides_before_the_lines_of_the_cause_and_these_before_the_rest():
    wide, narrow, told = bug("wide", Match(operations=("GET /a",))), bug("null"), bug("order", Match(text="collation"))
    assert bug_of(finding(file="routes/a.js", line=11), [wide, narrow, told], PLACES) == narrow
    assert bug_of(finding(file="routes/c.js", line=11), [wide, narrow, told], PLACES) == wide
    assert bug_of(finding(file="routes/a.js", line=11, title="collation"), [wide, narrow, told], PLACES) == told


def test_a_note_shows_only_a_bug_that_asks_for_notes():
    silent = bug("null", Match(text="one query"))
    asking = bug("order", Match(oracles=("note",), text="one query"))
    project = Project(stack="", command=(), bugs=(silent, asking))
    outcome = sort_findings([], ["GET /a runs one query for each row", "other"], project, PLACES)
    assert list(outcome.found) == ["order"]
    assert (outcome.false, outcome.double) == ([], [])


def test_findings_are_found_false_or_double():
    project = Project(
        stack="", command=(), bugs=(bug("null"), bug("order")), accepted=(bug("body", Match(text="413")),)
    )
    findings = [
        finding(file="routes/a.js", line=10, after_s=2.5),
        finding(file="routes/a.js", line=11, after_s=3.5),
        finding(title="413"),
        finding(title="413 again"),
        finding(title="500"),
    ]
    outcome = sort_findings(findings, [], project, PLACES)
    assert outcome.found == {"null": 2.5}
    assert [one["title"] for one in outcome.false] == ["500"]
    assert outcome.double == [findings[1], findings[3]]
