"""`wimble experiment` on a real server, with real Dask workers: results, going on after any kind of end, and what
failed."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from conftest import Project, wimble_command
from waiting import wait_until

pytestmark = pytest.mark.e2e

EXPERIMENT = """\
max_calls = 60
seeds = [1, 2]

[[sut]]
name = "counter"
folder = "."
command = ["node", "counter.js"]
measured = ["counter.js"]

[[setting]]
name = "MIO"

[[setting]]
name = "black-box"
without = ["input-to-state"]
"""
RUNS = ["counter/MIO/1", "counter/MIO/2", "counter/black-box/1", "counter/black-box/2"]


@pytest.fixture(autouse=True)
def _file(project: Project):
    project.add("experiment.toml", EXPERIMENT)


def experiment(project: Project, *arguments: str):
    return project.wimble("experiment", "experiment.toml", "--out", "results", *arguments, timeout_s=400)


def start_experiment(project: Project) -> subprocess.Popen[str]:
    return subprocess.Popen(
        wimble_command("experiment", "experiment.toml", "--out", "results", "--workers", "1"),
        cwd=project.folder, env=project.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def results(project: Project) -> list[str]:
    folder = project.folder / "results"
    # Not `rglob`: folders of a run that goes on come and go.
    return sorted(str(file.parent.relative_to(folder)) for file in folder.glob("*/*/*/result.json"))


def running_run(command: subprocess.Popen[str], folder: Path, timeout_s: float = 60.0) -> psutil.Process:
    """The process of the run that goes on, once its SUT has been copied."""

    def found() -> psutil.Process | None:
        assert command.poll() is None, command.communicate()
        for child in psutil.Process(command.pid).children(recursive=True):
            try:
                line = child.cmdline()
            except psutil.Error:
                continue
            if "wimble.experiment.one_run" in line and list((folder / "results").glob("*/*/.*/sut/counter.js")):
                return child
        return None

    return wait_until(found, timeout_s)


def test_an_experiment_from_file_to_tables_and_what_is_done_is_not_done_again(project: Project):
    first = experiment(project)
    assert first.code == 0, first.stderr
    assert results(project) == RUNS
    record = json.loads((project.folder / "results" / RUNS[0] / "result.json").read_text())
    assert record["measures"]["faults"] == 1
    assert record["measures"]["c8_lines_total"] == len((project.folder / "counter.js").read_text().splitlines())
    assert record["measures"]["c8_lines"] == 100.0
    assert [point["budget"] for point in record["curve"]] == [n / 20 for n in range(1, 21)]
    assert record["curve"][-1]["targets"] == record["measures"]["targets"]
    assert record["notes"] == []
    assert "## #Faults" in first.stdout
    assert "| SUT     | MIO | black-box |" in first.stdout
    assert (project.folder / "results" / "plots" / "counter.png").exists()
    assert not list((project.folder / "results").glob("*/*/.*")), "nothing half-done is left"

    # Of two results one is half-written: that one alone is made again.
    place = project.folder / "results" / RUNS[1] / "result.json"
    place.write_text(place.read_text()[:100])
    before = (project.folder / "results" / RUNS[0] / "result.json").stat().st_mtime_ns
    second = experiment(project)
    assert second.code == 0
    assert "1 of 4 runs to do" in second.stderr
    assert json.loads(place.read_text())["measures"]["faults"] == 1
    assert (project.folder / "results" / RUNS[0] / "result.json").stat().st_mtime_ns == before

    third = experiment(project)
    assert (third.code, third.stdout) == (0, second.stdout)
    assert "to do" not in third.stderr

    project.add("experiment.toml", EXPERIMENT.replace("max_calls = 60", "max_calls = 70"))
    changed = experiment(project)
    assert changed.code == 2
    assert "is the result of another run than the file now describes" in changed.message
    assert "60 calls" in changed.message
    assert "70 calls" in changed.message


@pytest.mark.long
def test_a_worker_that_dies_is_replaced_and_its_run_made_again(project: Project):
    command = start_experiment(project)
    run = running_run(command, project.folder)
    worker = run.parent()
    assert worker is not None
    assert worker.pid != command.pid
    worker.kill()
    _, alive = psutil.wait_procs([run], timeout=30)
    assert not alive, "a run ends with its worker"
    _, stderr = command.communicate(timeout=300)
    assert command.returncode == 0, stderr
    assert results(project) == RUNS


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_what_is_done_is_kept_when_it_is_stopped(project: Project, number: signal.Signals):
    command = start_experiment(project)
    wait_until(lambda: results(project) or command.poll() is not None, 300)
    assert command.poll() is None
    run = running_run(command, project.folder)
    command.send_signal(number)
    stdout, stderr = command.communicate(timeout=120)
    assert command.returncode == 3, stderr
    assert "runs are done and kept; run it again to go on" in stderr
    assert "of 4 runs are there" in stdout
    assert results(project)
    _, alive = psutil.wait_procs([run], timeout=30)
    assert not alive
    assert "Traceback" not in stderr


@pytest.mark.long
def test_a_sut_that_does_not_start_fails_alone(project: Project):
    broken = EXPERIMENT.replace("[1, 2]", "[1]").replace('without = ["input-to-state"]', "")
    broken += '\n[[sut]]\nname = "broken"\nfolder = "."\ncommand = ["node", "-e", "console.log(42)"]\n'
    project.add("experiment.toml", broken)
    done = experiment(project)
    assert done.code == 3
    assert results(project) == ["counter/MIO/1", "counter/black-box/1"]
    assert "2 runs have no result" in done.stderr
    why = (project.folder / "results" / "broken" / "MIO" / "1.failed.txt").read_text()
    assert "42" in why
    assert "2 of 4 runs are there" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('without = ["input-to-state"]', 'without = ["input-to-stat"]', "experiment.toml:15: setting[1].without: there is no technique"),
        ("measured", 'prepare = "echo no such tool; exit 7"\nmeasured', "counter could not be prepared"),
    ],
)  # fmt: skip
def test_what_is_wrong_before_anything_runs(project: Project, old: str, new: str, said: str):
    project.add("experiment.toml", EXPERIMENT.replace(old, new))
    done = experiment(project)
    assert done.code == 2
    assert said in done.message
    assert results(project) == []


def test_a_scheduler_that_is_not_there(project: Project):
    done = experiment(project, "--scheduler", f"tcp://127.0.0.1:{project.port}")
    assert done.code == 2
    assert "there is no Dask scheduler at tcp://127.0.0.1:<port>" in done.message
