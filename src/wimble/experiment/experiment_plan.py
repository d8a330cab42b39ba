"""Experiments (SUTs x settings x seeds) and single runs, as plain data that is sent to workers as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec


class SutPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A system under test, as the experiment file describes it."""

    name: str
    folder: str
    """Absolute path. Each run works in a copy of the folder."""
    command: tuple[str, ...] = ()
    library: str = ""
    """A package with its version (`minimist@1.2.8`), or the absolute path of a module; empty: the SUT is an API."""
    schema: str | None = None
    """Absolute path of a file, or URL; None: wimble looks for it, as in `wimble run`."""
    include: tuple[str, ...] = ()
    """The values of `--include`, relative to the folder."""
    measured: tuple[str, ...] = ()
    """The files that c8 measures, as globs relative to the folder; empty: all but node_modules."""
    env: tuple[tuple[str, str], ...] = ()
    port_variable: str = "PORT"
    """The environment variable from which the SUT reads its port."""
    users: str = ""
    """Absolute path of a project file with the users whose credentials calls are made with; empty: no users."""
    prepare: str = ""
    """A shell command that is run in the folder before the first run; empty: none."""


class SettingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A tool with its configuration, which the experiment compares with others."""

    name: str
    tool: str = "wimble"
    """A name from tools.py."""
    strategy: str = "mio"
    without: tuple[str, ...] = ()
    """Techniques that are switched off."""


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A run, which has one result on disk."""

    sut: SutPlan
    setting: SettingPlan
    seed: int
    max_time_s: float | None = None
    max_calls: int | None = None

    @property
    def key(self) -> str:
        """`SUT/SETTING/SEED`, the run's folder below that of the experiment."""
        return f"{self.sut.name}/{self.setting.name}/{self.seed}"

    @property
    def title(self) -> str:
        return f"{self.sut.name}, {self.setting.name}, seed {self.seed}"

    def is_same(self, other: RunPlan) -> bool:
        """Returns whether both plans are equal, apart from the place of the SUT's folder."""
        return self._without_place() == other._without_place()

    def _without_place(self) -> RunPlan:
        sut = msgspec.structs.replace(
            self.sut, folder="", prepare="", users=Path(self.sut.users).name, schema=Path(self.sut.schema or "").name
        )
        return msgspec.structs.replace(self, sut=sut)


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """A whole experiment. All other settings are compared with the first one."""

    name: str
    suts: tuple[SutPlan, ...]
    settings: tuple[SettingPlan, ...]
    seeds: tuple[int, ...]
    max_time_s: float | None = None
    max_calls: int | None = None

    def runs(self) -> tuple[RunPlan, ...]:
        """Returns the runs seed by seed, so that each SUT and setting has runs if the experiment is stopped early."""
        return tuple(
            RunPlan(sut=sut, setting=setting, seed=seed, max_time_s=self.max_time_s, max_calls=self.max_calls)
            for seed in self.seeds
            for sut in self.suts
            for setting in self.settings
        )

    @property
    def budget(self) -> str:
        """The budget of a run in words, such as `2,000 calls or 180 s`."""
        parts = []
        if self.max_calls is not None:
            parts.append(f"{self.max_calls:,} calls")
        if self.max_time_s is not None:
            parts.append(f"{self.max_time_s:g} s")
        return " or ".join(parts)
