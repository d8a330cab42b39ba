"""Finds inputs that become syntax of a database's command. The evidence is the command that the driver received.

Each database language has its own rule (`databases/*/..._injection.py`). The findings of one input at one place within
the commands that name one table are one fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from wimble.databases.database_language import DatabaseLanguage
from wimble.databases.injections.injected_input import InjectedInput, SentInputs
from wimble.databases.languages import language_of
from wimble.http.exchange import response_of
from wimble.model.database import DatabaseCommand, Dialect
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.oracle import CallView, Oracle, Verdict, cause_key, place_of, place_of_command, place_of_thrown
from wimble.oracles.security.sent_inputs import texts_of_inputs, unscalar_inputs

SQL = "sql-injection"
NOSQL = "nosql-injection"
MAX_VALUE = 60
"""Number of characters of the input that are shown."""
MAX_SHOWN = 300
"""Number of characters of the whole command that are shown."""


def judge_call(view: CallView, oracle: str) -> Verdict:
    for language, commands in _commands_by_language(view):
        if language.injection_rule.oracle == oracle:
            injected = language.injected_input(commands, _inputs(view))
            if injected is not None:
                return [_finding(view, language, injected)]
    return []


def keys_of_refused_inputs(view: CallView) -> tuple[tuple[str, ...], ...]:
    """Returns the keys that injections have by which the database may have refused a command of the call.

    They are those of the inputs that stand outside of literals, names and comments, such as a column that is not known.
    """
    keys: dict[tuple[str, ...], None] = {}
    for language, commands in _commands_by_language(view):
        if any(command.error for command in commands):
            for one in language.refused_inputs(commands, _inputs(view)):
                keys[_key(view, language, one)] = None
    return tuple(keys)


def _commands_by_language(view: CallView) -> Iterator[tuple[DatabaseLanguage, list[DatabaseCommand]]]:
    if not view.evaluation.interactions:
        return
    by_dialect: dict[Dialect, list[DatabaseCommand]] = {}
    for command in view.evaluation.interactions_of(DatabaseCommand, view.observation.call_index):
        if command.dialect is not None and command.text:
            by_dialect.setdefault(command.dialect, []).append(command)
    for dialect, commands in by_dialect.items():
        yield language_of(dialect), commands


def _inputs(view: CallView) -> SentInputs:
    return SentInputs(tuple(texts_of_inputs(view)), tuple(unscalar_inputs(view)))


def _finding(view: CallView, language: DatabaseLanguage, injected: InjectedInput) -> Finding:
    rule, command = language.injection_rule, injected.command
    cause = _place(view, command)
    operation = view.operation.id
    response = response_of(view.observation)
    shown = shortened(" ".join(language.command_text(command).split()), MAX_SHOWN)
    told = f"the input {injected.name} {shortened(repr(injected.value), MAX_VALUE)} {injected.effect}"
    return Finding(
        oracle=rule.oracle,
        key=_key(view, language, injected),
        operation=operation,
        status=response.status if response is not None else None,
        title=f"{operation} executes the input {injected.name} as {rule.syntax}",
        observed=f"{told}{place_of(cause)}; the command: {shown}"
        + (f"; the database answered: {command.error}" if command.error else ""),
        expected=rule.expected,
        cause=cause,
        call_index=view.observation.call_index,
    )


def _key(view: CallView, language: DatabaseLanguage, injected: InjectedInput) -> tuple[str, ...]:
    rule, command = language.injection_rule, injected.command
    place = (cause_key(place_of_command(command)) or (view.operation.id,)) if rule.is_known_by_place else ()
    return (rule.oracle, *place, injected.name, language.source_of(command), injected.detail)


def _place(view: CallView, command: DatabaseCommand) -> Cause:
    """Returns where the command comes from: if it failed, where its error arrived, else where it was sent."""
    thrown = view.observation.cause
    if thrown is not None and thrown.file and command.error and command.error in thrown.message:
        return place_of_thrown(view, thrown)
    return place_of_command(command)


SQL_ORACLE = Oracle(SQL, partial(judge_call, oracle=SQL), reads_interactions=True)
NOSQL_ORACLE = Oracle(NOSQL, partial(judge_call, oracle=NOSQL), reads_interactions=True)
