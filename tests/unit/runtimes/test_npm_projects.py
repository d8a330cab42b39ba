"""Where a suite finds the driver that the SUT uses."""

import pytest

from wimble.runtimes.node.npm_projects import packages_folder


@pytest.fixture
def tree(tmp_path):
    """A folder of two programs with packages of their own, and one with none."""
    for package in ("api/node_modules/pg", "jobs/node_modules/pg", "api/node_modules/mongoose", "node_modules/express"):
        folder = tmp_path / package
        folder.mkdir(parents=True)
        (folder / "package.json").touch()
    return tmp_path


def found(tree, driver, *sources):
    return packages_folder(driver, str(tree), [str(tree / source) for source in sources])


def test_where_most_of_the_files_are(tree):
    assert found(tree, "pg", "api/server.js", "api/src/rows.js", "jobs/job.js", "shared/tools.js") == "api"
    assert found(tree, "pg", "jobs/job.js", "shared/tools.js") == "jobs"


def test_a_driver_that_came_with_something_else(tree):
    assert found(tree, "mongodb", "api/src/rows.js") == "api"


def test_nothing_to_say(tree):
    assert found(tree, "node:sqlite", "api/server.js") == ""
    assert found(tree, "mysql2", "api/server.js") == ""
    assert found(tree, "express", "api/server.js") == "", "the SUT's folder finds it"
    assert found(tree / "api", "pg", "server.js") == ""
    assert found(tree, "pg") == ""
