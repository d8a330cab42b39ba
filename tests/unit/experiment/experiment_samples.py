"""A small experiment with its records, for tests."""

from wimble.experiment.experiment_plan import Experiment, SettingPlan, SutPlan
from wimble.experiment.run_record import Record
from wimble.model.result import CurvePoint


def sample_experiment(n_seeds=4, settings=("MIO", "Random"), suts=("shop", "bank"), **changes):
    return Experiment(
        name="sample",
        suts=tuple(SutPlan(name=name, folder=f"/apis/{name}", command=("node", "server.js")) for name in suts),
        settings=tuple(SettingPlan(name=name) for name in settings),
        seeds=tuple(range(1, n_seeds + 1)),
        max_calls=1000,
        **changes,
    )


def sample_record(plan, *, notes=(), curve=True, **measures):
    """targets: what its curve ends at."""
    targets = int(measures.get("targets", 0))
    points = tuple(
        CurvePoint(mark / 20, 50 * mark, mark / 10, targets * mark // 20, targets * mark // 40, mark // 10)
        for mark in range(1, 21)
    )
    return Record(
        plan=plan, wimble_version="0.1.0", seconds=2.5, measures=measures, curve=points if curve else (), notes=notes
    )
