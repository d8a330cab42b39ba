"""What is known about tokens that we sign ourselves: with keys of the SUT, and with our own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import CarriedGene
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint, Hint, InputHint, TokenClaimsHint, TokenKeyHint
from wimble.model.testcase import Call, TestCase
from wimble.own_keys import OWN_KEYS
from wimble.search.access.made_up import claim_read, signed_in, signed_token
from wimble.search.access.own_tokens import KeyAnswers
from wimble.search.access.owned_claims import OwnedClaims
from wimble.search.access.ways import Way
from wimble.types import Json, OperationId

MAX_ADMITTED: Final = 3
"""Number of sets of claims of one key that are kept."""
MAX_CLAIMS_READ: Final = 12
MAX_LET_IN: Final = 3
"""Number of sets of claims by which one operation has not denied a call, until it has succeeded with some."""
MAX_COMPARED: Final = 6
"""Number of texts that are remembered of those with which one claim was compared."""
COMPARED_PROBABILITY: Final = 0.75
"""Probability that a token has a text with which a claim was compared, such as another role, in place of its own."""
LET_IN_PROBABILITY: Final = 0.8
"""Probability that a token for an operation has claims with which this operation has let a call in."""


class SignedTokens:
    """Keys with which tokens can be signed, and the claims that let calls in."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._keys: dict[str, dict[str, Json]] = {}
        """Keys with which the SUT signs tokens, and claims that it has signed."""
        self._admitted: dict[str, list[dict[str, Json]]] = {}
        """By key: claims of tokens of our own that have let a call in, such as the id of a user whom the SUT knows."""
        self._let_in: dict[tuple[OperationId, str], list[dict[str, Json]]] = {}
        """By operation and key: claims with which that operation has let a call in; others may ask for another role."""
        self._succeeded: set[tuple[OperationId, str]] = set()
        self._claims_read: dict[str, dict[tuple[str, ...], None]] = {}
        """By key: paths of claims that the SUT has read in tokens of our own that lack them."""
        self._compared: dict[str, dict[str, dict[str, None]]] = {}
        """By key and name: the texts with which the SUT has compared a claim that it had signed with another one."""
        self._demands: dict[OperationId, dict[str, list[Json]]] = {}
        """Claims that libraries demand of tokens, with the values that they accept."""
        self.owned = OwnedClaims(rng)
        self.key_answers = KeyAnswers()
        """Answers of services with our own public keys."""

    # -- learning -----------------------------------------------------------------------------------------------

    def note_interactions(self, evaluation: Evaluation) -> None:
        self.key_answers.note(evaluation)

    def note_hint(self, evaluation: Evaluation, hint: Hint) -> None:
        test_case = evaluation.test_case
        if isinstance(hint, TokenKeyHint):
            self.note_key(hint.key, self.owned.noted(evaluation, hint))
        elif isinstance(hint, TokenClaimsHint) and 0 <= hint.call < len(test_case.calls):
            of_operation = self._demands.setdefault(test_case.calls[hint.call].operation.id, {})
            of_operation.update(hint.demands)
        elif isinstance(hint, InputHint):
            self._note_claim_read(test_case, hint)
        elif isinstance(hint, ComparisonHint):
            self.note_compared(hint)

    def note_key(self, key: str, claims: dict[str, Json]) -> None:
        """Notes a key with which the SUT has signed a token, and the claims in it."""
        self._keys[key] = {**self._keys.get(key, {}), **claims}

    def _note_claim_read(self, test_case: TestCase, hint: InputHint) -> None:
        """Notes a claim that the code has looked for in a token of our own."""
        found = claim_read(test_case.calls[hint.call], hint) if 0 <= hint.call < len(test_case.calls) else None
        if found is not None:
            paths = self._claims_read.setdefault(found[0], {})
            if len(paths) < MAX_CLAIMS_READ:
                paths[found[1]] = None

    def note_compared(self, hint: ComparisonHint) -> None:
        """Notes what the code has compared a claim of a signed token with, however often it was copied until then."""
        own, other = hint.operands
        if not hint.wanted or not isinstance(own, str) or not isinstance(other, str) or own == other:
            return
        name = hint.name.rpartition(".")[2]
        for key, claims in self._keys.items():
            if claims.get(name) == own:
                texts = self._compared.setdefault(key, {}).setdefault(name, {})
                if len(texts) < MAX_COMPARED:
                    texts[other] = None

    def note_admitted(self, carried: CarriedGene) -> tuple[Way, str] | None:
        """Notes the claims of a signed token with which an operation that asks for a user has succeeded.

        Returns how it was carried, and its key; None if the call carries no such token.
        """
        signed = signed_in(carried)
        if signed is None:
            return None
        way, token = signed
        claims, known = token.claims.phenotype(), self._admitted.setdefault(token.key, [])
        if isinstance(claims, dict) and claims not in known and len(known) < MAX_ADMITTED:
            known.append(claims)
        return way, token.key

    def note_let_in(self, operation: OperationId, carried: CarriedGene, *, has_succeeded: bool) -> None:
        """Notes a call that was not denied. What has succeeded is certain; a refusal may have come before the guard."""
        signed = signed_in(carried)
        if signed is None or (operation, signed[1].key) in self._succeeded:
            return
        key, claims = (operation, signed[1].key), signed[1].claims.phenotype()
        known = self._let_in.setdefault(key, [])
        if has_succeeded and isinstance(claims, dict):
            self._succeeded.add(key)
            self._let_in[key] = [claims]
        elif isinstance(claims, dict) and claims not in known:
            self._let_in[key] = [*known, claims][-MAX_LET_IN:]

    # -- making tokens ------------------------------------------------------------------------------------------

    def keys_to_try(self) -> Sequence[str]:
        """Returns the SUT's own secrets; our own keys, too, if it has none, or has asked a service for such keys."""
        return (*self._keys, *(OWN_KEYS if not self._keys or len(self.key_answers) else ()))

    def is_unasked(self, key: str) -> bool:
        """Whether a key is our own, and the SUT has asked no service for it.

        Some programs ask when they get the first token, so a few are sent; most never ask.
        """
        return key in OWN_KEYS and not len(self.key_answers)

    def n_facts(self) -> int:
        """Returns the number of facts; it never falls, and nothing new can be tried while it stays."""
        n_claims = sum(map(self._n_claims, {*self._admitted, *self._claims_read, *self._compared}))
        return len(self._keys) + n_claims + sum(map(len, self._demands.values())) + len(self.key_answers)

    def n_facts_for(self, key: str, operation: OperationId) -> int:
        """Returns how many facts shape a token for the operation: with each further one, it is worth another try."""
        n_answers = len(self.key_answers) if key in OWN_KEYS else 0
        return self._n_claims(key) + len(self._demands_of(operation)) + n_answers

    def _n_claims(self, key: str) -> int:
        """Returns the number of facts about claims of tokens that this key signs."""
        n_compared = sum(map(len, self._compared.get(key, {}).values()))
        return len(self._admitted.get(key, ())) + len(self._claims_read.get(key, ())) + n_compared

    def token(self, way: Way, key: str, operation: OperationId, earlier: Sequence[Call] = ()) -> CarriedGene:
        """Returns a new token for a call of the operation after earlier ones, carried in this way."""
        admitted, let_in = self._admitted.get(key), self._let_in.get((operation, key))
        if let_in and self._rng.random() < LET_IN_PROBABILITY:
            admitted = let_in
        claims = self._rng.choice(admitted) if admitted else self._keys.get(key, {})
        compared = self._compared.get(key)
        if compared and self._rng.random() < COMPARED_PROBABILITY:
            name = self._rng.choice(list(compared))
            claims = {**claims, name: self._rng.choice(list(compared[name]))}
        read, demands = self._claims_read.get(key, ()), self._demands_of(operation)
        token = signed_token(way, key, claims, self._rng, read=read, demands=demands)
        return self.owned.given(token, key, earlier)

    def _demands_of(self, operation: OperationId) -> dict[str, list[Json]]:
        """Returns what is demanded of tokens for an operation; of one that has shown nothing, what others demand."""
        return self._demands.get(operation) or {
            name: values for known in self._demands.values() for name, values in known.items()
        }
