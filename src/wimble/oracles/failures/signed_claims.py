"""Recognises errors about claims of a token that wimble has signed with the SUT's own secret.

Such tokens let calls in that no login has opened, and the search changes their claims. But nobody except the SUT can
sign one: that a claim is no id, say, which a database then refuses, or the id of a user who was never there, is nothing
that the program has to expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wimble.databases.languages import language_of
from wimble.genes import SignedTokenGene, iter_genes
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.scalar_fields import scalars_in
from wimble.model.testcase import Call
from wimble.oracles.databases.database_refusals import refusal_in, refuses_parent
from wimble.oracles.security.sent_inputs import scalars_of_call

QUOTES: Final = ('"', "'", "`")
_TAKES_NOTHING: Final = re.compile(
    r"\b(?:properties|property '[^']*'|property \"[^\"]*\") of (?:null|undefined)\b|\bas it is (?:null|undefined)\b"
    r"|\b(?:null|undefined) is not (?:iterable|an object)\b|\b(?:null|undefined) \(reading "
)
"""Errors of a program that goes on with null or undefined."""
_BINDS_NOTHING: Final = re.compile(
    r"\bUndefined binding|\bBind parameters must not contain undefined|\bUNDEFINED_VALUE\b"
    r"|has invalid \"undefined\" value"
)
"""What Knex, mysql2, Postgres.js and Sequelize say of a command with undefined in the place of a value."""


def is_about_signed_claim(evaluation: Evaluation, call_index: int, message: str) -> bool:
    """Whether an error says only that the call has a claim of such a token that the SUT would not have signed.

    The message quotes the claim, which the call has sent nowhere else; or the database lacks the row to which the claim
    refers; or the program has looked for that row in vain, and takes nothing for it; or the first command of the call
    was to look it up by a claim that is not there.
    """
    call = evaluation.test_case.calls[call_index]
    claims = frozenset(_signed_claims(call))
    if not claims:
        return False
    sent = frozenset(map(str, scalars_of_call(call)))
    quoted = {claim for claim in claims if any(f"{quote}{claim}{quote}" in message for quote in QUOTES)}
    if quoted and not quoted & sent:
        return True
    commands = evaluation.interactions_of(DatabaseCommand, call_index)
    if not commands and _BINDS_NOTHING.search(message) is not None:
        return True
    if refusal_in(message) == "reference" and not refuses_parent(message):
        return any(_refers_to(command, claims, message) for command in commands if command.error)
    return _TAKES_NOTHING.search(message) is not None and any(_has_missed(one, claims - sent) for one in commands)


def _has_missed(command: DatabaseCommand, claims: frozenset[str]) -> bool:
    """Whether a query has asked for a claim, as a parameter or written into it, and found nothing."""
    if command.returned != 0:
        return False
    asked = {str(value) for value in scalars_in(list(command.params))}
    return bool(asked & claims) or any(
        re.search(rf"[=(,]\s*'?{re.escape(claim)}'?(?![\w.])", command.text) for claim in claims
    )


def _refers_to(command: DatabaseCommand, claims: frozenset[str], message: str) -> bool:
    """Whether a command writes a claim to the column that the message names, in the name of a constraint, too.

    SQLite names none: then it may be any column whose name ends as those of references do.
    """
    change = None if command.dialect is None else language_of(command.dialect).change(command)
    written = {} if change is None else {name.lower(): str(value) for name, value in change.assigned.items()}
    named = [name for name in written if re.search(rf"(?:\b|_){re.escape(name)}(?:\b|_)", message.lower())]
    return any(written[name] in claims for name in named or (one for one in written if one.endswith("id")))


def _signed_claims(call: Call) -> Iterator[str]:
    for root in call.genes:
        for _, gene in iter_genes(root):
            if isinstance(gene, SignedTokenGene):
                yield from (str(value) for value in scalars_in(gene.claims.phenotype()) if not isinstance(value, bool))
