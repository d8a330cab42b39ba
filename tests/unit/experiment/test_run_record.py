"""Results on disk: what counts as done, and what is run again."""

import msgspec
import pytest
from experiment_samples import sample_experiment, sample_record

from wimble.errors import UsageError
from wimble.experiment.run_record import Store


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def finish(store, plan, **measures):
    working = store.begin(plan)
    (working / "result.json").write_bytes(msgspec.json.encode(sample_record(plan, **measures)))
    store.complete(plan, working)


def test_what_is_complete_is_not_missing(store):
    experiment = sample_experiment()
    done = experiment.runs()[0]
    finish(store, done, targets=7)
    assert store.load(done).measures == {"targets": 7}
    assert store.missing(experiment) == list(experiment.runs()[1:])
    assert [record.plan for record in store.load_all(experiment)] == [done]


def test_what_was_broken_off_is_missing_and_cleared_away(store):
    plan = sample_experiment().runs()[0]
    working = store.begin(plan)
    (working / "result.json").write_text("{}")
    assert store.load(plan) is None
    store.clear_remains(plan)
    assert not working.exists()


@pytest.mark.parametrize("half", ["", "{", '{"format": "wimble-experiment-run", "version": 1}', '{"format": "other"}'])
def test_a_result_that_is_half_written_is_missing_and_replaced(store, half):
    plan = sample_experiment().runs()[0]
    store.place(plan).mkdir(parents=True)
    (store.place(plan) / "result.json").write_text(half)
    assert store.load(plan) is None
    finish(store, plan, targets=1)
    assert store.load(plan).measures == {"targets": 1}


def test_a_result_of_another_run_is_refused(store):
    finish(store, sample_experiment().runs()[0])
    other = sample_experiment(max_time_s=5.0).runs()[0]
    with pytest.raises(UsageError, match="another run"):
        store.load(other)


def test_one_command_at_a_time_works_in_a_folder(store):
    with store.held(), pytest.raises(UsageError, match="another `wimble experiment` works"), Store(store.folder).held():
        pass
    with store.held():
        pass


def test_a_sut_may_have_moved(store):
    plan = sample_experiment().runs()[0]
    finish(store, plan)
    moved = msgspec.structs.replace(plan, sut=msgspec.structs.replace(plan.sut, folder="/elsewhere", prepare="npm ci"))
    assert store.load(moved) is not None


def test_a_failure_is_told_until_the_run_succeeds(store):
    plan = sample_experiment().runs()[0]
    store.fail(plan, "no server\n")
    note = store.place(plan).parent / "1.failed.txt"
    assert note.read_text() == "no server\n"
    finish(store, plan)
    assert not note.exists()
