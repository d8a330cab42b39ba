"""Adds what the databases did to the finding of a 5xx answer.

* The command that a database refused within the call: programs often hide it behind a general message.
* What the call changed before it failed, outside of a transaction or in a committed one: half a change stays. Tables
  whose names suggest logs, sessions, attempts and the like are meant to be written then, and do not count.
* That the test brings rows. The database allows these rows, so a program that cannot read them is at fault. Where the
  API's own model restricts a column more than the database does, the finding names the column and its value.

Values in Redis have no types, and columns of texts no formats. If a value that wimble made is not of the type of the
GraphQL field that shows it, the API would not have stored it. If a text that wimble made is not a number, not JSON, or
belongs to a key of another kind, an error about it is no fault of the program; nor is an error about the hash of a
password, which only the program makes. Nor is what the program's model says of such a row when it saves it again, if no
call has sent the value. A JSON text that wimble has put into Redis, and that the program answers as it
is, need not have the members that an answer has to have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from wimble.json_texts import held_json, holds_json
from wimble.model.database import ColumnRules, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.resource_names import plain_name
from wimble.model.scalar_fields import scalars_in
from wimble.model.setup import value_of
from wimble.model.setup_kinds.database_action import DatabaseAction, columns_without_value, inserted_values
from wimble.model.testcase import TestCase
from wimble.oracles.databases.kept_changes import left_behind
from wimble.oracles.messages.hash_refusals import ABOUT_HASH, HOLDS_HASH
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.messages.unreadable_json import may_have_refused
from wimble.oracles.security.sent_inputs import texts_of_call
from wimble.types import ABSENT, Absent, Json

MAX_COMMAND = 80
MAX_VALUE = 40
MAX_TABLES = 3
_UNREADABLE = re.compile(
    r"^SyntaxError: .*JSON|not an integer|not a valid float|WRONGTYPE|hash value is not", re.DOTALL
)
_LACKS_MEMBER = re.compile(r'^Error: "[^"]*" is required!$')
"""What serialisers by schema (fast-json-stringify) say of an answer."""
_QUOTED_JSON = re.compile(r'(?P<before>\.\.\.)?"(?P<text>.*)"(?P<after>\.\.\.)? is not valid JSON', re.DOTALL)
"""Engines quote a short text whole, and of a long one a part between dots."""
_UNREPRESENTED = re.compile(r"\bcannot represent\b.*?(?:\"(?P<text>[^\"]*)\"|(?P<bare>[^\s:]+?))\.?$")
"""What graphql-js says of a value that is not of its field's type, with the value at the end."""
_BEYOND_32_BITS = re.compile(r"\bcannot represent non 32-bit signed integer value\b")
_MAX_32_BITS = 2**31
_TOO_LARGE = re.compile(r"\bInteger value in column '\w+' is too large\b|\binteger out of range\b|\btoo large to fit\b")
"""In errors about the next number of a column that a database numbers itself, after a row with a huge one."""
_REFUSED_BY_MODEL = re.compile(r"\bPath `(\w+)`|\bat path \"(\w+)\"|\bnotNull Violation: \w+\.(\w+) ")
"""The members that Mongoose and Sequelize name in errors of their validation."""
_FORM_OF_HASH = re.compile(r"\$(?:2[abxy]|argon2\w*|scrypt|pbkdf2\S*)\$", re.IGNORECASE)


def is_about_made_text(evaluation: Evaluation, message: str) -> bool:
    """Whether an error says only that a stored text made by wimble is not of the kind that the program stores there."""
    test_case = evaluation.test_case
    if not test_case.setup:
        return False
    if ABOUT_HASH.search(message) is not None and _has_made_hash(test_case):
        return True
    if _TOO_LARGE.search(message) and any(map(_is_beyond_32_bits, inserted_values(test_case))):
        return not any(map(_is_beyond_32_bits, _sent_scalars(test_case)))
    if _refuses_made_row(test_case, message) or _is_unrepresented(test_case, message):
        return True
    if _UNREADABLE.search(message) is None and _LACKS_MEMBER.search(message) is None:
        return False
    if any(action.stores_text for _, action in test_case.setup_of(DatabaseAction)):
        return True
    if any(may_have_refused(message, text) for text in _texts_instead_of_json(test_case)):
        return True
    made = [value for value in inserted_values(test_case) if isinstance(value, str)]
    sent = [text for call in test_case.calls for _, text in texts_of_call(call)]
    quoted = _QUOTED_JSON.search(message)
    if quoted is None:
        return any(may_have_refused(message, text) for text in made) and not any(
            may_have_refused(message, text) for text in sent
        )
    text = quoted["text"]
    return any(text in value if quoted["before"] or quoted["after"] else text == value for value in made) and not any(
        text in one for one in sent
    )


def _texts_instead_of_json(test_case: TestCase) -> Iterator[str]:
    """Yields made texts where the API's own model writes JSON: no call has stored these, whatever it has sent."""
    for _, action in test_case.setup_of(DatabaseAction):
        for column, gene in zip(action.columns, action.genes, strict=True):
            value = value_of(test_case, gene) if column.rules is not None and column.rules.is_json else None
            if isinstance(value, str) and not holds_json(value):
                yield value


def is_made_text(test_case: TestCase, body: Json | Absent) -> bool:
    """Whether an answer is a JSON text that the test case has stored, where values have no types."""
    actions = [action for _, action in test_case.setup_of(DatabaseAction) if action.stores_text]
    texts = [value_of(test_case, gene) for action in actions for gene in action.genes]
    return body is not ABSENT and any(isinstance(text, str) and held_json(text) == body for text in texts)


def _is_unrepresented(test_case: TestCase, message: str) -> bool:
    """Whether the type of a GraphQL field does not allow a value that only a made row has: the API itself stores values
    that its own types have allowed.
    """
    found = _UNREPRESENTED.search(message)
    if found is None:
        return False
    made, sent = inserted_values(test_case), _sent_scalars(test_case)
    if _BEYOND_32_BITS.search(message) and any(map(_is_beyond_32_bits, made)):
        return not any(map(_is_beyond_32_bits, sent))
    quoted = found["bare"] if found["text"] is None else found["text"]
    return quoted in map(str, made) and quoted not in map(str, sent)


def _is_beyond_32_bits(value: Json) -> bool:
    return isinstance(value, int) and not -_MAX_32_BITS <= value < _MAX_32_BITS


def _sent_scalars(test_case: TestCase) -> list[Json]:
    """Returns the scalars that the calls send, but for credentials."""
    return [
        scalar
        for call in test_case.calls
        for one, gene in zip(call.operation.inputs, call.genes, strict=True)
        if one.role != "credential" and (value := gene.phenotype()) is not ABSENT
        for scalar in scalars_in(value)
    ]


def _refuses_made_row(test_case: TestCase, message: str) -> bool:
    """Whether a model refuses to save a row, and all that it names are values in it that wimble has made."""
    named = {plain_name("".join(found)) for found in _REFUSED_BY_MODEL.findall(message)}
    made = {plain_name(name) for name, is_doubtful in _doubtful_values(test_case) if is_doubtful}
    sent = {plain_name(name) for call in test_case.calls for gene in call.genes for name in _names(gene.phenotype())}
    return bool(named) and named <= made - sent


def _doubtful_values(test_case: TestCase) -> Iterator[tuple[str, bool]]:
    """Yields the names in made rows, and whether the API's model may not allow the value: only texts are usual ones."""
    for _, action in test_case.setup_of(DatabaseAction):
        for column, gene in zip(action.columns, action.genes, strict=True):
            for name, value in _members(column.name, value_of(test_case, gene)):
                is_broken = column.rules is not None and value is not ABSENT and _is_broken(column.rules, value)
                yield name, is_broken or not isinstance(value, str) or value == ""


def _names(value: Json | Absent) -> Iterator[str]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from _names(member)
    elif isinstance(value, list):
        for element in value:
            yield from _names(element)


def _has_made_hash(test_case: TestCase) -> bool:
    """Whether a row has a text in the place of a password's hash that is not in the form of one."""
    return any(
        isinstance(value, str) and HOLDS_HASH.search(plain_name(name)) and not _FORM_OF_HASH.match(value)
        for _, action in test_case.setup_of(DatabaseAction)
        for column, gene in zip(action.columns, action.genes, strict=True)
        for name, value in _members(column.name, value_of(test_case, gene))
    )


def _members(name: str, value: Json) -> Iterator[tuple[str, Json]]:
    """Yields a column's value, or the members of a document."""
    yield from value.items() if isinstance(value, dict) else ((name, value),)


def null_columns(test_case: TestCase) -> frozenset[str]:
    """Returns the plain names of columns without a value in the rows and documents that the test case inserts."""
    return frozenset(plain_name(column.name) for _, column in columns_without_value(test_case))


def told_of_databases(evaluation: Evaluation, call_index: int, message: str) -> str:
    """Returns what databases contributed to the failure of the call, as clauses that begin with `; `; "" if nothing."""
    parts = []
    refused = _refused(evaluation, call_index)
    if refused is not None and refused.error not in message:
        command = " ".join(refused.text.split())
        parts.append(f"the database had refused: {shortened(refused.error, 200)} ({shortened(command, MAX_COMMAND)})")
    left = left_behind(evaluation, call_index)
    if left is not None:
        command = shortened(left.shown, MAX_COMMAND)
        parts.append(f"the database kept an earlier change of the call: {command}")
    tables = dict.fromkeys(str(action.table) for _, action in evaluation.test_case.setup_of(DatabaseAction))
    if tables:
        more = f" and {len(tables) - MAX_TABLES} more" if len(tables) > MAX_TABLES else ""
        named = ", ".join(list(tables)[:MAX_TABLES])
        parts.append(f"with rows that the test inserts and the database accepts ({named}{more})")
        parts += islice(_mismatches(evaluation.test_case), MAX_TABLES)
    return "".join(f"; {part}" for part in parts)


def _mismatches(test_case: TestCase) -> Iterator[str]:
    """Yields a clause for each value in the test's rows that the API's own model does not allow."""
    for _, action in test_case.setup_of(DatabaseAction):
        for column, gene in zip(action.columns, action.genes, strict=True):
            value = value_of(test_case, gene)
            if column.rules is not None and value is not ABSENT and _is_broken(column.rules, value):
                shown = shortened(json.dumps(value, ensure_ascii=False), MAX_VALUE)
                yield f"the database allows {shown} in {action.table}.{column.name}, but the API's model does not"


def _is_broken(rules: ColumnRules, value: Json) -> bool:
    """Whether the value breaks the model's rules, as far as a quick check can tell."""
    if value is None:
        return rules.not_null
    if rules.values and value not in rules.values:
        return True
    if isinstance(value, str):
        too_long = rules.max_length is not None and len(value) > rules.max_length
        return too_long or len(value) < (rules.min_length or 0) or (rules.is_json and not holds_json(value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        too_high = rules.high is not None and value > rules.high
        return too_high or (rules.low is not None and value < rules.low)
    return False


def _refused(evaluation: Evaluation, call_index: int) -> DatabaseCommand | None:
    """Returns the last command that failed in the call, or None."""
    failed = [command for command in evaluation.interactions_of(DatabaseCommand, call_index) if command.error]
    return failed[-1] if failed else None
