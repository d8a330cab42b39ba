"""What a database does not understand at the place of an injection, and names that are taken from an input.

* A statement that is put together from an input fails with other values of it in other ways: an empty one leaves
  `ORDER BY` without a column. What the database does not understand at the place of an injection is part of it, unless
  it is a name that the call has sent in another input.
* A statement that takes a name from an input (`ORDER BY`) fails for each name that the database does not know, and
  otherwise for one that is no name.
* Several inputs that become syntax of one statement are one injection, unless some are values, which become
  parameters, and others are names (`ORDER BY`), which have to be chosen from a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts, firsts, further, place_of
from wimble.engine.faults.unchecked_inputs import inputs_of
from wimble.model.result import ReportedFinding
from wimble.oracles.databases.database_refusals import unknown_name
from wimble.oracles.failures.graphql_errors import NAME as GRAPHQL_ERROR
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR
from wimble.oracles.security.code_injection import NAME as CODE
from wimble.oracles.security.injection import NOSQL, SQL

_REFUSED: Final[Mapping[str, re.Pattern[str]]] = {
    SQL: re.compile(
        r"(?<!invalid input )syntax|unrecognized token|incomplete input|unterminated"
        # An object in place of a scalar, which a driver writes as a condition: its key is read as a column.
        r"|Unknown column|no such column|column .+ does not exist|Column count doesn't match"
        # A number in the place of a name is that of a column of the result.
        r"|(?:ORDER|GROUP) BY (?:position|term)|constant in (?:ORDER|GROUP) BY",
        re.IGNORECASE,
    ),
    NOSQL: re.compile(r"\bERR |WRONGTYPE|Cast to \w+ failed|Can't use |unknown operator|must be|needs an?\b"),
    CODE: re.compile(r"^(?:Syntax|Reference|Type)Error: "),
}
"""Messages about a command, or code, that is not understood, by the oracle of its injection."""
_FAILURES: Final = (SERVER_ERROR, GRAPHQL_ERROR)
_NO_NAME: Final = re.compile(
    r"column .+ does not exist|unknown column|no such column|zero-length delimited identifier|syntax error|SQL syntax"
    r"|(?:ORDER|GROUP) BY (?:position|term)|constant in (?:ORDER|GROUP) BY",
    re.IGNORECASE,
)
"""Messages of databases about a text in the place of a name."""
_NAMES: Final = ("ORDER BY", "GROUP BY")
"""How the keys of SQL injections begin that stand in the place of a name."""


def of_injections(faults: ExplainedFaults) -> Parts:
    injected = firsts(faults, lambda one: place_of(one) if one.finding.oracle in _REFUSED else None)
    return {
        (one.id,): (injected[place_of(one)].id,)
        for one in faults
        if one.finding.oracle in _FAILURES
        and place_of(one) in injected
        and _REFUSED[injected[place_of(one)].finding.oracle].search(one.finding.cause.message) is not None
        and not _is_name_of_other_input(one, injected[place_of(one)])
    } | of_one_statement(faults)


def _is_name_of_other_input(refused: ReportedFinding, injection: ReportedFinding) -> bool:
    """Whether the database does not know a name that the call has sent, in other inputs than the injected one."""
    unknown, index = unknown_name(refused.finding.cause.message), refused.finding.call_index
    if not unknown or index >= len(refused.observations):
        return False
    sent = {name for name, value in inputs_of(refused.observations[index]) if value == unknown}
    return bool(sent) and injection.finding.key[-3].rpartition(".")[2] not in sent


def of_unchecked_names(faults: ExplainedFaults) -> Parts:
    """Returns, for each further error about a name at a statement, the key of the first one."""

    def place_of_name(one: ReportedFinding) -> tuple[str, int] | None:
        is_refused = one.finding.oracle in _FAILURES and _NO_NAME.search(one.finding.cause.message)
        return place_of(one) if is_refused else None

    return {(one.id,): (first.id,) for one, first in further(faults, place_of_name)}


def of_one_statement(faults: ExplainedFaults) -> Parts:
    """Returns, for each further injection at a statement, the key of the first one, which is told the other inputs."""

    def statement(one: ReportedFinding) -> tuple[object, ...] | None:
        is_injection = one.finding.oracle in (SQL, NOSQL) and place_of(one)
        return (one.finding.oracle, one.finding.operation, place_of(one), _is_name(one)) if is_injection else None

    parts = further(faults, statement)
    for one, first in parts:
        faults.add_to_title(first.id, one.finding.title)
    return {(one.id,): (first.id,) for one, first in parts}


def _is_name(injection: ReportedFinding) -> bool:
    """Whether the input stands where a command has a name, which no parameter can replace."""
    return injection.finding.key[-1].startswith(_NAMES)
