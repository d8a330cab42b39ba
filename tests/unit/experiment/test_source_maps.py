"""Maps that lead nowhere go, those that lead to sources stay; what others link to stays as it is."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from wimble.experiment.source_maps import forget_lost_sources

CODE = "const a = '//# sourceMappingURL=in-a-text';\nf(a);\n"


def map_of(sources: list[str], contents: list[str | None] | None = None) -> str:
    return json.dumps({"version": 3, "sources": sources, "mappings": "AAAA", "sourcesContent": contents})


def written(folder: Path, comment: str) -> Path:
    file = folder / "node_modules" / "shop" / "dist" / "deep" / "a.js"
    file.parent.mkdir(parents=True)
    file.write_text(CODE + comment)
    return file


def inline(text: str) -> str:
    return f"data:application/json;base64,{base64.b64encode(text.encode()).decode()}"


LOST = {
    "no source": ("//# sourceMappingURL=a.js.map\n", map_of(["../../src/a.ts"])),
    "no map": ("//# sourceMappingURL=a.js.map", None),
    "one source of two": ("//# sourceMappingURL=a.js.map", map_of(["a.js", "b.ts"])),
    "one content of two": ("//# sourceMappingURL=a.js.map", map_of(["x.ts", "y.ts"], ["x", None])),
    "no JSON": ("/*# sourceMappingURL=a.js.map */", "<html>"),
    "inline": (f"//# sourceMappingURL={inline(map_of(['x.ts']))}\n", None),
}
KEPT = {
    "source": ("//# sourceMappingURL=a.js.map", map_of(["a.js"])),
    "content": ("//# sourceMappingURL=a.js.map?v=1", map_of(["x.ts"], ["x"])),
    "inline content": (f"//# sourceMappingURL={inline(map_of(['x.ts'], ['x']))}", None),
    "no map at all": ("", None),
}


@pytest.mark.parametrize("case", LOST)
def test_a_map_without_its_sources_goes_and_places_stay(tmp_path: Path, case: str) -> None:
    comment, described = LOST[case]
    file = written(tmp_path, comment)
    if described is not None:
        (file.parent / "a.js.map").write_text(described)
    linked = tmp_path / "linked.js"
    os.link(file, linked)

    assert forget_lost_sources(tmp_path, ["node_modules/shop/dist/**"]) == {file.resolve().as_uri()}

    text = file.read_text()
    assert text.startswith(CODE) and "sourceMappingURL" not in text.removeprefix(CODE)
    assert len(text) == len(CODE + comment) and text.count("\n") == (CODE + comment).count("\n")
    assert linked.read_text() == CODE + comment
    assert not list(file.parent.glob(".*"))


@pytest.mark.parametrize("case", KEPT)
def test_a_map_with_its_sources_stays(tmp_path: Path, case: str) -> None:
    comment, described = KEPT[case]
    file = written(tmp_path, comment)
    if described is not None:
        (file.parent / "a.js.map").write_text(described)
    assert forget_lost_sources(tmp_path, ["node_modules/shop/dist/**", "other/**"]) == set()
    assert file.read_text() == CODE + comment


def test_only_files_that_are_named_are_looked_at(tmp_path: Path) -> None:
    file = written(tmp_path, "//# sourceMappingURL=a.js.map")
    assert forget_lost_sources(tmp_path, ["lib/**"]) == set()
    assert forget_lost_sources(tmp_path, ["node_modules/*/dist/deep/*.js"]) == {file.resolve().as_uri()}
