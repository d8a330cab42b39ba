"""What the code can say is in the documents."""

import ast
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import click

from source_files import nodes_of, source_paths
from wimble.cli.describe_command import describe_command
from wimble.cli.experiment_command import experiment_command
from wimble.cli.explain_command import explain_command
from wimble.cli.library_command import library_command
from wimble.cli.run_command import run_command
from wimble.errors import ExitCode
from wimble.experiment.experiment_file import ROOT_KEYS, SETTING_KEYS, SUT_KEYS
from wimble.search.archive.focus_schedule import Schedule
from wimble.techniques import TECHNIQUES

ROOT = Path(__file__).parents[2]
ERRORS = {"WimbleError", "UsageError", "SchemaError", "OutputError", "TargetError", "ProtocolError"}


def slugs_in_code() -> set[str]:
    found = set()
    for path in source_paths():
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS and node.args:
                slug = node.args[0]
                assert isinstance(slug, ast.Constant), (
                    f"{path}:{node.lineno}: a slug is a literal, so that it can be found"
                )
                found.add(slug.value)
    return found


def test_each_error_has_its_entry_and_no_entry_is_left_over():
    entries = set(re.findall(r"^## ([a-z0-9-]+)$", (ROOT / "docs/reference/messages.md").read_text(), re.M))
    assert slugs_in_code() == entries


def test_each_option_is_documented():
    page = (ROOT / "docs/reference/command-line.md").read_text()
    commands = (run_command, explain_command, describe_command, library_command)
    for parameter in [one for command in commands for one in command.params]:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[-1]}`" in page or f"`{parameter.opts[-1]} " in page, parameter.opts


def test_each_option_of_experiments_is_documented():
    page = (ROOT / "docs/experiments.md").read_text()
    for parameter in experiment_command.params:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[-1]}`" in page or f"`{parameter.opts[-1]} " in page, parameter.opts


def test_each_key_of_an_experiment_file_and_each_technique_is_documented():
    page = (ROOT / "docs/experiments.md").read_text()
    for name in (*ROOT_KEYS, *SUT_KEYS, *SETTING_KEYS, *TECHNIQUES):
        assert f"`{name}`" in page or f"`[[{name}]]`" in page, name


def test_each_exit_code_is_documented():
    page = (ROOT / "docs/reference/exit-codes.md").read_text()
    for code in ExitCode:
        assert f"| {code.value} | {code.name} |" in page


def test_core_agent_and_changelog_have_the_same_version():
    package = (ROOT / "agents/node/package.json").read_text()
    project = (ROOT / "pyproject.toml").read_text()
    version = re.search(r'^version = "(.+)"$', project, re.M).group(1)
    assert f'"version": "{version}"' in package
    assert f'__version__ = "{version}"' in (ROOT / "src/wimble/__init__.py").read_text()
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()


def test_links_between_documents_lead_somewhere():
    missing = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "protocol/README.md"]
        for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert not missing


def module_of(layer, stem):
    (path,) = (ROOT / "src/wimble" / layer).rglob(f"{stem}.py")
    return import_module(".".join(path.relative_to(ROOT / "src").with_suffix("").parts))


def test_the_numbers_of_the_search_are_those_of_the_code():
    text = (ROOT / "docs/search.md").read_text()
    page = text.partition("\n## Numbers that decide")[2].partition("\n## All other probabilities")[0]
    rows = re.findall(r"^\| [^|]* \| ([^|]*) \| ([^|]*) \| `([\w.]+)` \| [^|]+ \|$", page, re.M)
    assert len(rows) == page.count("\n| ") - 2
    for start, focused, place in rows:
        module, _, name = place.partition(".")
        found = attrgetter(name.removeprefix("Schedule."))(
            Schedule() if name.startswith("Schedule.") else module_of("search", module)
        )
        assert str(found) in (start.strip(), focused.strip()), place
    assert {place.removeprefix("focus_schedule.Schedule.") for *_, place in rows} >= set(Schedule.__struct_fields__)
