"""Tables and plots of records."""

import msgspec
from experiment_samples import sample_experiment, sample_record

from wimble.experiment.plots import averaged, write_plots
from wimble.experiment.result_tables import tables_text


def records_of(experiment, value_of, **more):
    return [sample_record(plan, targets=value_of(plan), **more) for plan in experiment.runs()]


def better_at_shop(plan):
    base = {"MIO": 110, "Random": 100}[plan.setting.name] if plan.sut.name == "shop" else 50
    return base + plan.seed / 10 if plan.sut.name == "shop" else base


def test_a_pair_of_settings_is_compared_sut_by_sut():
    experiment = sample_experiment()
    text = tables_text(experiment, records_of(experiment, better_at_shop))
    assert "| SUT  |   MIO | Random |      A12 |         p |    relative |" in text
    assert "| shop | 110.2 |  100.2 | **1.00** | **0.029** | **+9.98 %** |" in text
    assert "| bank |  50.0 |   50.0 |     0.50 |     1.000 |     +0.00 % |" in text
    assert "16 runs." in text


def test_where_the_first_is_worse_is_marked():
    experiment = sample_experiment(suts=("shop",))
    text = tables_text(experiment, records_of(experiment, lambda plan: 300 - better_at_shop(plan)))
    assert "▼ **-5.01 %**" in text


def test_several_settings_have_means_with_ranks_and_a_pair_each():
    experiment = sample_experiment(settings=("MIO", "Random", "Other"), suts=("shop",))
    values = {"MIO": 30, "Random": 20, "Other": 20}
    text = tables_text(experiment, records_of(experiment, lambda plan: values[plan.setting.name]))
    assert "| shop | 30.0 (1) | 20.0 (2.5) | 20.0 (2.5) |" in text
    assert text.count("| SUT  |  MIO |") == 2


def test_measures_that_nobody_has_get_no_table_and_missing_runs_a_dash():
    experiment = sample_experiment()
    records = [record for record in records_of(experiment, better_at_shop) if record.plan.sut.name == "shop"]
    text = tables_text(experiment, records)
    assert "c8" not in text
    assert "8 of 16 runs are there" in text
    assert "| bank |     - |      - |        - |         - |           - |" in text


def test_without_any_result_there_are_no_tables():
    assert "0 of 16 runs are there" in tables_text(sample_experiment(), [])


def test_notes_are_told():
    experiment = sample_experiment(n_seeds=1, suts=("shop",), settings=("MIO",))
    text = tables_text(experiment, records_of(experiment, lambda _: 1, notes=("2 tests of the final suite failed",)))
    assert "- shop, MIO, seed 1: 2 tests of the final suite failed" in text


def test_runs_without_a_network_of_their_own_are_counted():
    experiment = sample_experiment(n_seeds=1, suts=("shop",))
    records = [msgspec.structs.replace(one, has_own_network=False) for one in records_of(experiment, lambda _: 1)]
    assert "- 2 runs shared the network of their machine" in tables_text(experiment, records)


def test_averages_are_over_the_suts_that_all_settings_have():
    experiment = sample_experiment(settings=("MIO", "Random", "Other"), suts=("shop", "bank", "zoo"))
    values = {"shop": 10, "bank": 20, "zoo": 1000}
    records = records_of(experiment, lambda plan: values[plan.sut.name] + (plan.setting.name == "MIO"))
    records = [one for one in records if (one.plan.sut.name, one.plan.setting.name) != ("zoo", "Other")]
    (average,) = [line for line in tables_text(experiment, records).splitlines() if line.startswith("| average")]
    assert average.split() == ["|", "average", "|", "16.0", "(1.0)", "|", "15.0", "(2.5)", "|", "15.0", "(2.5)", "|"]


def test_curves_are_averaged_and_a_run_that_ended_early_keeps_what_it_had():
    plans = sample_experiment(n_seeds=2, suts=("shop",), settings=("MIO",)).runs()
    whole = sample_record(plans[0], targets=200)
    cut = sample_record(plans[1], targets=100)
    cut = msgspec.structs.replace(cut, curve=cut.curve[:10])
    curve = averaged([whole, cut])["targets"]
    assert curve[0] == (0.0, 0.0, 0.0, 0.0)
    assert curve[10] == (0.5, 75.0, 50.0, 100.0)
    assert curve[20] == (1.0, 125.0, 50.0, 200.0)


def test_plots_are_pictures_of_suts_that_have_curves(tmp_path):
    experiment = sample_experiment(n_seeds=2)
    records = [
        sample_record(plan, targets=better_at_shop(plan), curve=plan.sut.name == "shop") for plan in experiment.runs()
    ]
    (picture,) = write_plots(experiment, records, tmp_path)
    assert picture.name == "shop.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
