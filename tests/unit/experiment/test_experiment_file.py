"""Experiment files: what they say, and what is wrong with them, with its line and what is nearest."""

from pathlib import Path

import msgspec
import pytest

from wimble.errors import UsageError
from wimble.experiment.experiment_file import read_experiment
from wimble.experiment.wimble_tool import settings_of
from wimble.experiment.work_place import make_place

GOOD = """\
name = "two-apis"
max_time = "1m30s"
repetitions = 3

[[sut]]
name = "shop"
folder = "shop"
command = ["node", "server.js"]
schema = "openapi.json"
env = { MODE = "test" }

[[setting]]
name = "MIO"

[[setting]]
name = "no constants"
without = ["constants", "smart-start"]

[[setting]]
name = "peer"
tool = "schemathesis"
"""


def read(tmp_path, text):
    (tmp_path / "shop").mkdir(exist_ok=True)
    file = tmp_path / "experiment.toml"
    file.write_text(text)
    return read_experiment(file)


def test_a_file_in_full(tmp_path):
    experiment = read(tmp_path, GOOD)
    assert experiment.name == "two-apis"
    assert experiment.seeds == (1, 2, 3)
    assert experiment.max_time_s == 90.0
    (shop,) = experiment.suts
    assert shop.folder == str(tmp_path / "shop")
    assert shop.schema == str(tmp_path / "shop" / "openapi.json")
    assert shop.env == (("MODE", "test"),)
    assert [setting.without for setting in experiment.settings] == [(), ("constants", "smart-start"), ()]


def test_runs_go_seed_by_seed(tmp_path):
    keys = [plan.key for plan in read(tmp_path, GOOD).runs()]
    assert keys[:4] == ["shop/MIO/1", "shop/no constants/1", "shop/peer/1", "shop/MIO/2"]
    assert len(keys) == 9


@pytest.mark.parametrize(
    ("old", "new", "where", "said"),
    [
        ("repetitions", "repetition", ":3", ["unknown key", "Did you mean `repetitions`?"]),
        ('"1m30s"', '"ninety"', ":2", ["'ninety' is not a duration"]),
        ('max_time = "1m30s"', "", "", ["the budget is missing", "max_calls = 2000"]),
        ('max_time = "1m30s"', "max_calls = 0", ":2", ["a number from 1 is expected, found 0"]),
        ('max_time = "1m30s"', "max_calls = 100", ":2", ["setting[2]: schemathesis cannot be given a number of calls"]),
        ("repetitions = 3", "seeds = [1, 1]", ":3", ["different whole numbers"]),
        ("repetitions = 3", "repetitions = 3\nseeds = [1]", ":4", ["either `seeds` or `repetitions`"]),
        ('folder = "shop"', 'folder = "shpo"', ":7", ["there is no folder", "relative to the experiment file"]),
        ('["node", "server.js"]', '"node server.js"', ":8", ["an array is expected, found text"]),
        ('command = ["node", "server.js"]', "", "", ["sut[0]: `command` is missing"]),
        ('"constants"', '"constant"', ":17", ["there is no technique 'constant'", "Did you mean 'constants'?"]),
        ('tool = "schemathesis"', 'tool = "restler"', ":21", ["there is no tool 'restler'", "wimble, schemathesis"]),
        ('tool = "schemathesis"', 'strategy = "moi"', ":21", ["there is no strategy 'moi'", "Did you mean 'mio'?"]),
        (
            '"schemathesis"',
            '"schemathesis"\nstrategy = "mio"',
            ":21",
            ["`strategy` and `without` are for wimble alone"],
        ),
        ('name = "peer"', 'name = "MIO"', "", ["two of them are called 'MIO'"]),
        ('name = "peer"', 'name = "../peer"', "", ["'../peer' cannot be a folder's name"]),
        ('[[setting]]\nname = "MIO"', '[[setting]\nname = "MIO"', "", ["is not TOML", "line 12"]),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, old, new, where, said):
    assert old in GOOD
    with pytest.raises(UsageError) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    lines = "\n".join(caught.value.lines())
    assert f"experiment.toml{where}" in lines
    for text in said:
        assert text in lines


def test_users_come_from_a_project_file_and_their_secrets_stay_out_of_the_plan(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOP_TOKEN", "s3cret-token")
    users = tmp_path / "shop" / "users.toml"
    users.parent.mkdir()
    users.write_text('[[auth]]\nname = "ada"\nbearer = "${SHOP_TOKEN}"\n')
    plan = read(tmp_path, GOOD.replace('schema = "openapi.json"', 'users = "users.toml"')).runs()[0]
    assert b"s3cret-token" not in msgspec.json.encode(plan)
    settings = settings_of(plan, make_place(plan, tmp_path / "run"))
    assert [user.name for user in settings.users] == ["ada"]
    assert settings.secrets.redact("s3cret-token") != "s3cret-token"


def test_a_file_of_users_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path, GOOD.replace('schema = "openapi.json"', 'users = "none.toml"'))


def test_a_file_without_suts_or_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match=r"there is no \[\[sut\]\]"):
        read(tmp_path, 'max_calls = 1\n[[setting]]\nname = "MIO"\n')
    with pytest.raises(UsageError, match="cannot be read"):
        read_experiment(tmp_path / "none.toml")


def test_the_examples_of_this_repository_can_be_read():
    files = list((Path(__file__).parents[3] / "bench" / "experiments").glob("*.toml"))
    assert files
    for file in files:
        assert read_experiment(file).runs()
