"""Experiments over packages and over a project's own modules."""

import json
from pathlib import Path

import pytest

from wimble.errors import UsageError
from wimble.experiment.c8_coverage import own_loaded
from wimble.experiment.experiment_file import read_experiment
from wimble.experiment.experiment_plan import Experiment, RunPlan, SettingPlan, SutPlan
from wimble.experiment.library_tables import histogram, library_text
from wimble.experiment.run_record import Record, Store
from wimble.experiment.wimble_tool import settings_of
from wimble.experiment.work_place import Place

FILE = """\
max_calls = 100
seeds = [1]
packages = ["ms@2.1.3", "@scope/name@1.0.0-rc.1"]
modules = ["src/**/*.js"]

[[setting]]
name = "all"
"""


def _read(folder: Path, text: str) -> Experiment:
    for name in ("src/deep/b.js", "src/a.js", "src/a.d.ts", "src/node_modules/c.js"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    file = folder / "libraries.toml"
    file.write_text(text)
    return read_experiment(file)


def test_packages_and_modules_are_suts(tmp_path):
    suts = _read(tmp_path, FILE).suts
    assert [sut.name for sut in suts] == ["ms 2.1.3", "scope.name 1.0.0-rc.1", "src.a.js", "src.deep.b.js"]
    assert [sut.library for sut in suts[:3]] == ["ms@2.1.3", "@scope/name@1.0.0-rc.1", str(tmp_path / "src/a.js")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ms@2.1.3", "ms", "no package with an exact version"),
        ("ms@2.1.3", "ms@^2", "no package with an exact version"),
        ("src/**/*.js", "lib/*.js", "no module matches"),
        ("max_calls = 100", 'max_time = "5s"', "libraries are tested by wimble alone"),
    ],
)
def test_what_is_wrong_with_libraries_is_said(tmp_path, old, new, said):
    other = '[[setting]]\nname = "peer"\ntool = "schemathesis"\n' if "max_time" in new else ""
    with pytest.raises(UsageError, match=said):
        _read(tmp_path, FILE.replace(old, new) + other)


def test_a_run_of_a_library_has_its_settings(tmp_path):
    plan = _read(tmp_path, FILE).runs()[0]
    settings = settings_of(plan, Place(folder=tmp_path, sut=tmp_path, port=0, env={}))
    assert (settings.library, settings.max_calls, settings.seed) == ("ms@2.1.3", 100, 1)


def _record(sut: SutPlan, seed: int, lines: float) -> Record:
    plan = RunPlan(sut=sut, setting=SettingPlan(name="all"), seed=seed, max_calls=1)
    return Record(plan=plan, wimble_version="0", seconds=1.0, measures={"c8_lines": lines})


def test_the_histogram_counts_each_library_once_by_its_mean(tmp_path):
    suts = tuple(SutPlan(name=name, folder="", library=f"{name}@1.0.0") for name in ("a", "b", "c"))
    experiment = Experiment(name="x", suts=suts, settings=(SettingPlan(name="all"),), seeds=(1, 2))
    records = [_record(suts[0], 1, 80.0), _record(suts[0], 2, 90.0), _record(suts[1], 1, 30.0)]
    assert histogram(experiment, records) == {"all": [1, 0, 0, 1, 0]}
    store = Store(tmp_path)
    out = store.place(records[0].plan) / "out"
    out.mkdir(parents=True)
    finding = {"oracle": "exception", "title": "f() throws", "cause": {"file": "i.js", "line": 3}}
    (out / "summary.json").write_text(json.dumps({"findings": [finding, {"oracle": "hangs", "title": "g()"}]}))
    text = library_text(experiment, records, store)
    assert "| 75 % or more | 1 (50 %) |" in text
    assert "- a: f() throws  (i.js:3)" in text
    assert "g()" not in text


def test_loaded_files_are_found_whatever_characters_their_folder_has(tmp_path):
    folder = tmp_path / "name@1.0.0 x"
    folder.mkdir()
    url = f"file://{folder.resolve()}/lib/a.js".replace(" ", "%20")
    scripts = [{"url": url}, {"url": url.replace("lib", "node_modules/other")}, {"url": "node:fs"}]
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "coverage-1.json").write_text(json.dumps({"result": scripts}))
    assert own_loaded(raw, folder) == ("lib/a.js",)
