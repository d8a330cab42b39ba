"""The terminal output of a run: progress on standard error, the closing summary on standard output."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Protocol

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from wimble.emit.source_text import one_line
from wimble.engine.events import (
    Event,
    FindingFound,
    LimitsKnown,
    Phase,
    PhaseStarted,
    Progress,
    RunFinished,
    RunStarted,
    SpecificationLoaded,
    SutReady,
    SutRestarted,
    WarningRaised,
)
from wimble.report.closing_summary import closing_summary, description_summary
from wimble.settings import Settings

PLAIN_INTERVAL_S = 5.0
"""Time between lines of progress if the output is not a terminal, so that the log of a minute is short."""
MAX_PROBLEMS_SHOWN = 5
"""The largest number of warnings, and of reasons for restarts, that are printed during the run."""
MIN_SHARE_TO_ESTIMATE = 0.05
SEARCHING: frozenset[Phase] = frozenset(["search", "repeat"])
PHASE_WORDS: dict[Phase, str] = {
    "boot": "starting",
    "search": "searching",
    "repeat": "running again what the killed run has kept",
    "describe": "describing",
    "minimise": "minimising",
    "verify": "verifying",
    "faults": "running the calls of the faults once more",
    "caches": "reading again after creations",
    "races": "racing",
    "round-trips": "reading again what was written",
    "pollution": "looking for changed prototypes",
    "called-twice": "making calls again",
    "growth": "measuring longer texts",
    "write": "writing",
}


class PatientConsole(Console):
    """A console that discards its output after its reader has closed the pipe (`| head`), so that the run continues."""

    def on_broken_pipe(self) -> None:
        self.file = io.StringIO()


class ConsoleConsumer(Protocol):
    """A consumer of events that prints them."""

    def handle(self, event: Event) -> None: ...
    def close(self) -> None: ...


def console_consumer(
    settings: Settings, *, progress: Console | None = None, results: Console | None = None
) -> ConsoleConsumer:
    """Returns a live view if standard error is a terminal, else a consumer that prints plain lines.

    rich itself respects NO_COLOR.
    """
    progress = progress or PatientConsole(stderr=True, highlight=False)
    results = results or PatientConsole(highlight=False)
    return (
        LiveConsole(settings, progress, results) if progress.is_terminal else PlainConsole(settings, progress, results)
    )


class PhaseClock:
    """Measures a phase, and estimates from the share of its steps when it ends."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun_s = clock()

    def restart(self) -> None:
        self._begun_s = self._clock()

    @property
    def elapsed_s(self) -> float:
        return self._clock() - self._begun_s

    def estimate(self, share_done: float, most_s: float | None = None) -> str:
        """Returns how long the rest takes if it goes on like this; empty while too little is done to tell.

        most_s: how long the rest of the run takes at most, if it is limited.
        """
        parts = [] if most_s is None else [f"the suite in {most_s:.0f} s at the latest"]
        if MIN_SHARE_TO_ESTIMATE <= share_done < 1.0:
            rest_s = self.elapsed_s * (1.0 - share_done) / share_done
            if most_s is None or rest_s < most_s:
                parts.insert(0, f"about {rest_s:.0f} s left")
        return ", ".join(parts)


class PlainConsole:
    """Prints one line for each important event, and a line of progress every PLAIN_INTERVAL_S seconds."""

    def __init__(
        self,
        settings: Settings,
        progress: Console,
        results: Console,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._progress = progress
        self._results = results
        self._phase = PhaseClock(clock)
        self._last_shown_s = 0.0
        self._problems = 0
        self._restart_reasons: set[str] = set()

    def handle(self, event: Event) -> None:
        if isinstance(event, PhaseStarted):
            self._phase.restart()
            self._last_shown_s = 0.0
        if isinstance(event, RunFinished):
            self.close()
            summary = description_summary if self._settings.writes_only_document else closing_summary
            self._safely(self._results, *summary(event.result, self._settings.output_dir))
        elif isinstance(event, Progress):
            self.show_progress(event)
        elif (line := self._line_of(event)) is not None:
            self._safely(self._progress, line)

    def close(self) -> None:
        """Ends the output; called at the end of a run, also after an error."""

    def show_progress(self, event: Progress) -> None:
        elapsed_s = event.elapsed_s if event.phase in SEARCHING else self._phase.elapsed_s
        if elapsed_s - self._last_shown_s < PLAIN_INTERVAL_S:
            return
        self._last_shown_s = elapsed_s
        line = progress_line(event) if event.phase in SEARCHING else steps_line(event, self._phase)
        self._safely(self._progress, Text("  " + line))

    def _line_of(self, event: Event) -> Text | None:
        if isinstance(event, RunStarted):
            return Text(f"wimble {event.version}, seed {event.seed}")
        if isinstance(event, SutReady):
            agent = f", {event.agent}, {event.n_files} source files instrumented" if event.agent else ""
            what = f"{event.url} answers" if event.url else "loaded"
            return Text(f"  {what} after {event.start_s:.1f} s{agent}")
        if isinstance(event, SpecificationLoaded):
            version = f" ({event.version})" if event.version else ""
            return Text(f"  {event.source}{version}: {plural(event.n_operations, 'operation')}")
        if isinstance(event, PhaseStarted):
            return self._phase_line(event)
        if isinstance(event, FindingFound):
            return Text.assemble(
                "  ", ("finding", "bold red"), f" after {plural(event.calls, 'call')}: {one_line(event.finding.title)}"
            )
        if isinstance(event, WarningRaised):
            return self._problem(f"warning: {event.message}")
        if isinstance(event, LimitsKnown):
            lines = "".join(f"\n    - {one_line(message)}" for message in event.messages)
            return Text(f"  to know about this project:{lines}", "yellow")
        if isinstance(event, SutRestarted):
            return self._restart(event.reason)
        return None

    def _phase_line(self, event: PhaseStarted) -> Text | None:
        if event.phase == "boot":
            if self._settings.library:
                return Text(f"  loading {self._settings.library}")
            command = " ".join(self._settings.command) or self._settings.url or ""
            return Text(f"  starting {command}" if self._settings.command else f"  asking {command}")
        if event.phase == "write":
            return None
        steps = f" {plural(event.n_steps, 'test')}" if event.n_steps is not None else ""
        return Text(f"  {PHASE_WORDS[event.phase]}{steps}", style="bold")

    def _restart(self, reason: str) -> Text | None:
        """Tells each reason once: a fault that ends the SUT may do so in a large share of the calls."""
        if reason in self._restart_reasons or len(self._restart_reasons) > MAX_PROBLEMS_SHOWN:
            return None
        self._restart_reasons.add(reason)
        if len(self._restart_reasons) > MAX_PROBLEMS_SHOWN:
            return Text("  ... the SUT was started again for further reasons, which are not told here", "dim")
        return Text(f"  the SUT was started again: {one_line(reason)}", "yellow")

    def _problem(self, message: str) -> Text | None:
        self._problems += 1
        if self._problems > MAX_PROBLEMS_SHOWN:
            return (
                Text("  ... the summary lists further warnings", "dim")
                if self._problems == MAX_PROBLEMS_SHOWN + 1
                else None
            )
        return Text(f"  {one_line(message)}", "yellow")

    def _safely(self, console: Console, *lines: Text | Table) -> None:
        """Prints lines. Output that cannot be written (to a file on a full disk, for example) does not end the run."""
        try:
            for line in lines:
                # The terminal wraps the lines, so that a command can be copied as a whole.
                console.print(self._clean(line), soft_wrap=True)
        except OSError:
            console.file = io.StringIO()

    def _clean(self, line: Text | Table) -> Text | Table:
        """Returns the line without secrets; a line that contains one loses its colours."""
        if not isinstance(line, Text):
            return line
        clean = self._settings.secrets.redact(line.plain)
        return line if clean == line.plain else Text(clean)


class LiveConsole(PlainConsole):
    """Prints events above a small panel with the progress, which is redrawn in place."""

    def __init__(self, settings: Settings, progress: Console, results: Console) -> None:
        super().__init__(settings, progress, results)
        self._live = Live(console=progress, transient=True, auto_refresh=False)

    def show_progress(self, event: Progress) -> None:
        if not self._live.is_started:
            self._live.start()
        self._live.update(progress_panel(event, self._phase), refresh=True)

    def close(self) -> None:
        self._live.stop()


def progress_line(event: Progress) -> str:
    """Returns the progress as one line, with at most 78 characters for the numbers of a run of minutes."""
    parts = [
        f"{event.elapsed_s:4.0f} s",
        f"{event.calls:,} calls",
        f"{event.calls_per_s:,.0f}/s",
        f"{_ended(event)} {event.operations_ok}/{event.operations_total}",
    ]
    if event.lines_total:
        parts.append(f"lines {100 * event.lines_run / event.lines_total:.0f}%")
    parts.append(f"targets {event.targets_covered:,}")
    parts.append(plural(event.n_findings, "finding"))
    return "  ".join(parts)


def _ended(event: Progress) -> str:
    """Returns what operations have done that a user wants to see succeed."""
    return "returned" if event.is_library else "2xx"


def steps_line(event: Progress, phase: PhaseClock) -> str:
    """Returns the progress of a phase after the search as one line."""
    estimate = phase.estimate(event.budget_used, event.left_s)
    parts = [f"{phase.elapsed_s:4.0f} s", f"{100 * event.budget_used:.0f}%", estimate]
    return "  ".join(part for part in parts if part)


def progress_panel(event: Progress, phase: PhaseClock) -> Table:
    """Returns the progress as a bar with numbers below it, at most 78 columns wide."""
    is_search = event.phase in SEARCHING
    table = Table.grid(padding=(0, 1))
    filled = round(max(0.0, min(1.0, event.budget_used)) * 40)
    bar = Text.assemble(("━" * filled, "cyan"), ("━" * (40 - filled), "dim"))
    share = f"{100 * event.budget_used:.0f}%"
    # The words for `repeat` are longer than the others.
    name = PHASE_WORDS["search" if event.phase == "repeat" else event.phase]
    elapsed_s = event.elapsed_s if is_search else phase.elapsed_s
    table.add_row(Text(f"{name:>10}", "bold"), bar, Text(f"{share:>4}  {_clock(elapsed_s)}"))
    numbers = Text.assemble(
        (f"{event.calls:,}", "bold"), " calls  ",
        (f"{event.calls_per_s:,.0f}", "bold"), f"/s  {_ended(event)} ",
        (f"{event.operations_ok}/{event.operations_total}", "bold"),
    )  # fmt: skip
    table.add_row("", numbers, "")
    covered = Text.assemble("targets ", (f"{event.targets_covered:,}", "bold"), f"/{event.targets_total:,}")
    if event.lines_total:
        covered = Text.assemble("lines ", (f"{event.lines_run:,}", "bold"), f"/{event.lines_total:,}  ", covered)
    if not is_search:
        table.add_row("", Text(phase.estimate(event.budget_used, event.left_s), "dim"), "")
    table.add_row("", covered, Text(plural(event.n_findings, "finding"), "bold red" if event.n_findings else "green"))
    return table


def plural(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
