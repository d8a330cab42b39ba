"""The APIs of bench/undeclared, and what bench/undeclared.py reads of runs on them."""

import json
from collections import Counter
from itertools import chain

import pytest
from planted_bugs import Place, read_project
from undeclared import (
    Found,
    Run,
    fault_at,
    folders,
    median_of,
    missed_operations,
    operations_in,
    operations_of,
    own_frames,
    shape_of,
    what_is_missing,
)

VALIDATORS = (
    *("zod 3", "zod 4", "joi", "yup", "ajv", "class-validator", "express-validator", "celebrate", "TypeBox"),
    *("valibot", "superstruct", "Mongoose model", "Nest pipe", "tRPC"),
)
PLACES = {"null": Place("src/a.js", 10, 12), "order": Place("src/b.js", 3, 3)}


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_each_fault_has_its_calls_and_each_operation_occurs_once(folder):
    triggers = json.loads((folder / "triggers.json").read_text(encoding="utf-8"))
    assert set(triggers) == {bug.id for bug in read_project(folder).bugs}
    assert all(calls for calls in triggers.values())
    shapes = Counter(map(shape_of, operations_of(folder)))
    assert set(shapes.values()) == {1}


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_no_api_has_a_document(folder):
    sources = [file for file in folder.rglob("*") if file.is_file() and "node_modules" not in file.parts]
    assert not [file.name for file in sources if "openapi" in file.name or "swagger" in file.name]


def test_there_are_twenty_kinds_of_faults_and_each_validator_occurs_twice():
    kinds = [bug.kind for folder in folders() for bug in read_project(folder).bugs]
    parts = set(chain.from_iterable(kind.split(", ") for kind in kinds))
    assert len(parts) >= 20
    assert [one for one in VALIDATORS if sum(one in kind for kind in kinds) < 2] == []


def test_operations_are_the_same_whatever_their_parameters_are_called():
    wanted = ["GET /a/{id}", "GET /a/{id}/b", "POST /a", "GET /"]
    assert missed_operations(wanted, ["GET /a/{key}", "POST /a/", "GET /"]) == ["GET /a/{id}/b"]
    assert missed_operations(["GET /a/{*}"], ["GET /a/{wildcard}"]) == []


def test_operations_are_read_from_a_document(tmp_path):
    document = tmp_path / "openapi.json"
    assert operations_in(document) == []
    document.write_text(json.dumps({"paths": {"/a/{id}": {"parameters": [], "get": {}, "put": {}}}}))
    assert operations_in(document) == ["GET /a/{id}", "PUT /a/{id}"]


def test_of_each_stack_the_topmost_frame_in_the_projects_own_files_counts(tmp_path):
    stderr = [
        f"{tmp_path}/src/c.js:1",
        "TypeError: x",
        "    at String.match (<anonymous>)",
        f"    at f ({tmp_path}/node_modules/zod/index.js:1:2)",
        f"    at g ({tmp_path}/src/a.js:11:4)",
        f"    at h ({tmp_path}/src/b.js:3:4)",
        "TypeError: y",
        f"    at async file://{tmp_path}/src/b.js:3:9",
    ]
    frames = list(own_frames(stderr, tmp_path))
    assert frames == [("src/a.js", 11), ("src/b.js", 3)]
    assert [fault_at(frame, PLACES) for frame in [*frames, ("src/a.js", 13)]] == ["null", "order", ""]


def test_what_is_missing_is_said_in_a_line_each():
    folder = folders()[0]
    bugs = read_project(folder).bugs
    run = Run({bug.id: Found(1.0, 10) for bug in bugs[1:]}, operations_of(folder)[1:], [])
    assert list(what_is_missing(folder, read_project(folder), run)) == [
        f"{folder.name}: operation not found: {operations_of(folder)[0]}",
        f"{folder.name}: fault not found: {bugs[0].id} ({bugs[0].kind})",
    ]


def test_the_median_is_of_the_runs_that_found_the_fault():
    assert median_of([Found(1.0, 100), Found(3.0, 300), Found(2.0, 150)]) == "150 / 2.0 s"
    assert median_of([]) == "-"
