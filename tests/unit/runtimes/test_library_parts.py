"""Packages that export more than a main module."""

import pytest

from wimble.runtimes.node.library_hosting import PACKAGE
from wimble.runtimes.node.package_manifests import is_dual, library_parts


def test_parts_are_the_modules_that_a_package_exports_by_paths():
    exports = {
        ".": "./index.js",
        "./sync": {"import": {"types": "./sync.d.ts", "default": "./sync.js"}, "require": "./sync.cjs"},
        "./locale/*": "./locale/*.js",
        "./package.json": "./package.json",
        "./style": "./style.css",
        "./esm": "./esm.mjs",
    }
    assert library_parts({"exports": exports}, "@a/csv") == ["@a/csv/sync", "@a/csv/esm"]
    assert library_parts({"exports": "./index.js"}, "csv") == []
    main = {"import": "./decimal.mjs", "require": "./decimal.js"}
    assert library_parts({"exports": {".": main, "./decimal": main, "./decimal.mjs": "./decimal.mjs"}}, "d") == []
    assert library_parts({}, "csv") == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("csv-parse", ("csv-parse", None, None)),
        ("csv-parse/sync", ("csv-parse", None, "sync")),
        ("csv-parse@7.0.3/sync", ("csv-parse", "7.0.3", "sync")),
        ("@a/b", ("@a/b", None, None)),
        ("@a/b@^1.0.0/c/d", ("@a/b", "^1.0.0", "c/d")),
    ],
)
def test_a_package_is_named_with_its_version_and_a_part(text, parts):
    found = PACKAGE.match(text)
    assert found is not None
    assert (found["name"], found["version"], found["part"]) == parts


@pytest.mark.parametrize("text", ["", "/a", "a//b", "a/", "a/../b", "a b", "@a", "a/.env"])
def test_other_texts_name_no_package(text):
    assert PACKAGE.match(text) is None


@pytest.mark.parametrize(
    ("manifest", "part", "dual"),
    [
        ({"main": "index.js"}, "", False),
        ({"main": "index.js", "module": "index.mjs"}, "", True),
        ({"exports": "./index.js"}, "", False),
        ({"exports": {".": {"types": "./a.d.ts", "default": "./index.js"}}}, "", False),
        ({"exports": {"import": "./a.mjs", "require": "./a.cjs"}}, "", True),
        ({"exports": {".": {"import": {"default": "./a.mjs"}, "require": {"default": "./a.cjs"}}}}, "", True),
        ({"exports": {".": "./a.cjs", "./b": {"import": "./b.mjs", "default": "./b.cjs"}}}, "", False),
        ({"exports": {".": "./a.cjs", "./b": {"import": "./b.mjs", "default": "./b.cjs"}}}, "b", True),
    ],
)
def test_a_package_is_dual_if_import_and_require_get_different_files(manifest, part, dual):
    assert is_dual(manifest, part) is dual
