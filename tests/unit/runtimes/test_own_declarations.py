"""Whether a package has declarations of its own: then those that others have written are not installed."""

import pytest

from wimble.runtimes.node.library_installation import declares_types


@pytest.mark.parametrize(
    ("about", "file", "declares"),
    [
        ({"types": "a.d.ts"}, "index.js", True),
        ({"exports": {".": {"import": {"types": "./a.d.mts", "default": "./a.mjs"}}}}, "a.mjs", True),
        ({"exports": {"types": "./dist/a.d.ts", "default": "./dist/a.js"}}, "dist/a.js", True),
        ({"exports": "./dist/a.mjs"}, "dist/a.d.mts", True),
        ({"main": "./dist/a.js"}, "dist/a.d.ts", True),
        ({"main": "./dist/a.js"}, "dist/b.d.ts", False),
        ({"main": "./a.js", "exports": {".": "./a.js", "./types": "./types.d.ts"}}, "types/types.d.ts", False),
        ({}, "index.d.ts", True),
        ({}, "index.js", False),
    ],
)
def test_declarations_are_named_in_the_manifest_or_stand_beside_the_main_module(tmp_path, about, file, declares):
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    assert declares_types(tmp_path, about) is declares
