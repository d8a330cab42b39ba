"""The limits of wimble with a project, as far as they are known after the start."""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.session.coordinator import Coordinator
from wimble.execute.sut.sut import Sut
from wimble.settings import Settings


def project_limits(settings: Settings, sut: Sut) -> Iterator[str]:
    """Yields what wimble cannot do with the project, as far as it is known after the start."""
    yield from sut.take_notes()
    yield from sut.take_late_notes()
    if settings.command and not settings.library:
        for driver in sut.runtime.projects.unwatched_drivers(settings.working_dir):
            yield (
                f"the database behind {driver} is not watched: its rows are neither reset between tests nor added, so "
                "tests that depend on them may be left out; restore them with --reset COMMAND (docs/databases.md)"
            )
    yield from _file_warnings(settings, sut)


def warn_about_files(coordinator: Coordinator, sut: Sut) -> None:
    """Warns about files that were not instrumented, also those that were loaded during the search."""
    for warning in _file_warnings(coordinator.settings, sut):
        coordinator.notices.warn(warning)


def _file_warnings(settings: Settings, sut: Sut) -> Iterator[str]:
    files = sut.files
    untouched = [file for file in files if file.error]
    if untouched:
        names = ", ".join(file.path for file in untouched[:5])
        more = f" and {len(untouched) - 5} more" if len(untouched) > 5 else ""
        yield (
            f"agent: {len(untouched)} files could not be instrumented and run untouched, so the search has no feedback "
            f"from them: {names}{more} ({untouched[0].error})"
        )
    if settings.command and not files:
        yield (
            "agent: none of the loaded files is the project's own, so the search has no feedback from it; "
            "name folders or packages with --include"
        )
