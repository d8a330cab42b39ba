"""Computes signatures anew after the signed inputs have changed.

A webhook compares a header with an HMAC of the body. Once a hint has shown the expected text, one test case passes;
each change of its body fails at that check again, so nothing behind the check would be explored. The agent therefore
keeps sending hints about such a comparison after it is covered, and this generator repeats each test case that fails
there with the text that was expected. The same holds for entity tags, and for tokens against forged requests.

Checksums of files are repaired in the same way in [Redqueen].
"""

from __future__ import annotations

from collections import deque
from typing import ClassVar, Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint
from wimble.model.source_constants import ConstantTable
from wimble.search.archive.archive import Archive, Entry
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.types import TargetId

MIN_LENGTH: Final = 16
"""Minimum length of a text that may be a signature. MD5 has 32 hexadecimal digits, or 24 characters in base64; shorter
texts are mostly names.
"""
MAX_WATCHED: Final = 20
"""Maximum number of comparisons whose hints are still sent after they are covered."""
MAX_WAITING: Final = 100
"""Maximum number of test cases that wait to be repeated; of more, the oldest are dropped."""


OF_PACKAGE: Final = "signature of a package"
"""The name of the operands of a check in a package, which has no target of its own: its hints are about the statement
that calls the package, and are used from the first one on."""
MAX_VAIN: Final = 10
"""Number of repetitions in a row that do not pass a check, after which its hints are no longer used. The hash of a
password is compared like a signature, but it is computed anew from what is sent instead.
"""


MAX_IDLE: Final = 40
"""Number of repetitions in a row that improve nothing, after which a check has only each SELDOMth of its turns. The
names of things that the program keeps may look like signatures where it looks them up.
"""
SELDOM: Final = 10


class _Failed(msgspec.Struct, frozen=True):
    """A test case that failed at a check of a signature, with the hints of that check."""

    entry: Entry
    check: TargetId
    target: TargetId | None
    """What the test case was made for."""


class _Repetition(Proposal):
    """A failed test case with the text that its check expected."""

    check: TargetId | None = None


class RenewedSignatures(Generator):
    """Proposes the newest failed test case first, each once. constants: those of the SUT's source."""

    learns_from: ClassVar[str] = "hints"

    def __init__(self, archive: Archive, edits: EntryEdits, constants: ConstantTable) -> None:
        super().__init__()
        self._archive = archive
        self._edits = edits
        self._constants = constants
        self._candidates: set[TargetId] = set()
        """Comparisons with a computed text."""
        self._watched: set[TargetId] = set()
        self._waiting: deque[_Failed] = deque(maxlen=MAX_WAITING)
        self._edited: deque[_Failed] = deque(maxlen=MAX_WAITING)
        """Those that an edit has changed, which come first: without the repetition, the edit was in vain."""
        self._n_passed_over = 0
        self._vain: dict[TargetId, int] = {}
        """Repetitions in a row that did not pass a check."""
        self._idle: dict[TargetId, int] = {}
        """Repetitions in a row for a check that improved nothing."""

    def is_ready(self) -> bool:
        return bool(self._waiting or self._edited)

    def has_edited(self) -> bool:
        """Whether a test case waits that an edit has changed."""
        return bool(self._edited)

    def propose(self, progress: float) -> Proposal | None:
        while waiting := self._edited or self._waiting:
            failed = waiting.pop()
            edited = self._edits.next_edited(failed.entry, failed.check)
            if edited is not None:
                test_case, reason = edited
                before = failed.entry.test_case
                return _Repetition(
                    test_case, self, target=failed.target, edit=reason, edited_from=before, check=failed.check
                )
        return None

    def observe(self, outcome: Outcome) -> None:
        evaluation, proposal = outcome.evaluation, outcome.proposal
        if proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement))
        if isinstance(proposal, _Repetition) and proposal.check is not None:
            self._judge(proposal.check, outcome)
        self._watch(outcome.improvement.newly_covered)
        for hint in evaluation.hints:
            if not isinstance(hint, ComparisonHint):
                continue
            if hint.name == OF_PACKAGE and hint.target not in self._vain and len(self._watched) < MAX_WATCHED:
                self._watched.add(hint.target)
            elif self._is_computed(hint):
                self._candidates.add(hint.target)
        if self._watched and proposal.generator is not self and not evaluation.is_sut_lost:
            self._collect(evaluation, proposal)

    def _judge(self, check: TargetId, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        self._idle[check] = 0 if outcome.improvement else self._idle.get(check, 0) + 1
        reached = evaluation.reached.get(check)
        # An earlier call may have passed it.
        has_failed = any(hint.target == check for hint in evaluation.hints)
        if reached is not None and reached.h >= 1.0 and not has_failed:
            self._vain[check] = 0
            return
        n_vain = self._vain[check] = self._vain.get(check, 0) + 1
        if n_vain == MAX_VAIN:
            self._watched.discard(check)
            self._waiting = _without(check, self._waiting)
            self._edited = _without(check, self._edited)

    def _watch(self, covered: tuple[TargetId, ...]) -> None:
        for target in covered:
            if target in self._candidates and len(self._watched) < MAX_WATCHED:
                self._watched.add(target)
                self._archive.keep_reported(target)

    def _is_computed(self, hint: ComparisonHint) -> bool:
        """Whether an operand may be a signature: a long text that does not stand in the source.

        `value == null` and `value ?? other` ask only whether there is a value, and addresses of mail are looked up.
        """
        if not hint.wanted or hint.operator not in ("identical", "equal"):
            return False
        if hint.operator == "equal" and hint.right is None:
            return False
        texts = [one for one in (hint.left, hint.right) if isinstance(one, str) and len(one) >= MIN_LENGTH]
        return any(" " not in one and "@" not in one and not self._constants.holds(one) for one in texts)

    def _collect(self, evaluation: Evaluation, proposal: Proposal) -> None:
        for check in dict.fromkeys(hint.target for hint in evaluation.hints if hint.target in self._watched):
            if self._idle.get(check, 0) >= MAX_IDLE:
                self._n_passed_over += 1
                if self._n_passed_over % SELDOM:
                    continue
            entry = Entry(evaluation.test_case, serial=self._archive.n_added)
            hints = [hint for hint in evaluation.hints if hint.target == check]
            entry.add_hints(check, hints, evaluation.observations)
            waiting = self._edited if proposal.edit else self._waiting
            waiting.append(_Failed(entry, check, proposal.target))


def _without(check: TargetId, waiting: deque[_Failed]) -> deque[_Failed]:
    return deque((failed for failed in waiting if failed.check != check), maxlen=MAX_WAITING)
