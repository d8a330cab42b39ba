"""Experiments (SUTs x settings x seeds) and single runs: plain data that is sent to workers as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec


class SutPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A system under test, as the file describes it."""

    name: str
    folder: str
    """Absolute. Each run works in a copy of it."""
    command: tuple[str, ...]
    schema: str | None = None
    """Absolute path of a file, or URL; None: found by wimble, as in `wimble run`."""
    include: tuple[str, ...] = ()
    """The values of `--include`, relative to the folder."""
    measured: tuple[str, ...] = ()
    """The files that c8 measures, as globs relative to the folder; empty: all but node_modules."""
    env: tuple[tuple[str, str], ...] = ()
    port_variable: str = "PORT"
    """The environment variable that tells the SUT its port."""
    users: str = ""
    """Absolute path of a project file with the users who make the calls; empty: calls have no user."""
    prepare: str = ""
    """A shell command in the folder, before the first run."""


class SettingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One of the things that are compared."""

    name: str
    tool: str = "wimble"
    """A name from tools.py."""
    strategy: str = "mio"
    without: tuple[str, ...] = ()
    """Techniques that are switched off."""


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One run: one result on disk."""

    sut: SutPlan
    setting: SettingPlan
    seed: int
    max_time_s: float | None = None
    max_calls: int | None = None

    @property
    def key(self) -> str:
        """`SUT/SETTING/SEED`: its folder below that of the experiment."""
        return f"{self.sut.name}/{self.setting.name}/{self.seed}"

    @property
    def title(self) -> str:
        return f"{self.sut.name}, {self.setting.name}, seed {self.seed}"

    def is_same(self, other: RunPlan) -> bool:
        """Returns whether both plans do the same, wherever the SUT's folder is."""
        return self._without_place() == other._without_place()

    def _without_place(self) -> RunPlan:
        sut = msgspec.structs.replace(
            self.sut, folder="", prepare="", users=Path(self.sut.users).name, schema=Path(self.sut.schema or "").name
        )
        return msgspec.structs.replace(self, sut=sut)


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """A whole experiment. The first setting is what all others are compared with."""

    name: str
    suts: tuple[SutPlan, ...]
    settings: tuple[SettingPlan, ...]
    seeds: tuple[int, ...]
    max_time_s: float | None = None
    max_calls: int | None = None

    def runs(self) -> tuple[RunPlan, ...]:
        """Seed by seed, so that an experiment that was stopped early has something of everything."""
        return tuple(
            RunPlan(sut=sut, setting=setting, seed=seed, max_time_s=self.max_time_s, max_calls=self.max_calls)
            for seed in self.seeds
            for sut in self.suts
            for setting in self.settings
        )

    @property
    def budget(self) -> str:
        """In words."""
        parts = []
        if self.max_calls is not None:
            parts.append(f"{self.max_calls:,} calls")
        if self.max_time_s is not None:
            parts.append(f"{self.max_time_s:g} s")
        return " or ".join(parts)
