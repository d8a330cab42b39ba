"""The output of `wimble explain`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import click

from wimble.model.explain_data import ExplainData
from wimble.report.console import PatientConsole
from wimble.report.explain.explanation_json import explanations_as_json, overview_as_json
from wimble.report.explain.explanation_text import explanation_lines, overview_lines
from wimble.report.explain.facts import Explainer, Explanation, Overview
from wimble.report.explain.find_targets import find_targets
from wimble.report.explain.notation import notation_of
from wimble.report.explain_json import read_explain_data
from wimble.report.source_lines import source_lines
from wimble.report.summary_json import to_json_text


def explain_target(output_dir: Path, wanted: str, *, is_json: bool) -> None:
    """Prints what the last run knew. wanted: see `explain_command`."""
    explain_data = read_explain_data(output_dir)
    answer = _answer(explain_data, wanted)
    if is_json:
        value = overview_as_json(answer) if isinstance(answer, Overview) else explanations_as_json(answer)
        click.echo(to_json_text(value), nl=False)
        return
    console = PatientConsole(highlight=False, soft_wrap=True)
    if isinstance(answer, Overview):
        for line in overview_lines(answer):
            console.print(line)
        return
    for number, explained in enumerate(answer):
        if number:
            console.print()
        for line in explanation_lines(explained, notation_of(explain_data)):
            console.print(line)


def _answer(explain_data: ExplainData, wanted: str) -> Overview | list[Explanation]:
    """Returns the explanations of what the user named. Raises: UsageError, if it is not known."""
    explainer = Explainer(explain_data, cache(source_lines))
    if not wanted:
        return explainer.whole()
    found = find_targets(explain_data, wanted, str(Path.cwd()))
    if found.targets is None:
        return explainer.file(found.file)
    targets = explainer.worth_telling(found.file, found.targets)
    explained = [explainer.target(found.file, index) for index in targets]
    if len(explained) == 1:
        return explained
    # If a line has branches, only these are explained: the line and its statements add no facts.
    branches = [
        one for one, index in zip(explained, targets, strict=True) if explainer.blocks(found.file).is_branch(index)
    ]
    uncovered = [one for one in branches if one.state != "covered"]
    return uncovered or branches or [one for one in explained if one.kind != "line"] or explained
