"""The inputs that were learnt for one operation: each with its evidence, and what calls with it have earned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.model.learned_input import LearnedBody, LearnedInput
from wimble.model.observation import Observation
from wimble.types import Json

MAX_PER_OPERATION: Final = 60
FORGET_AFTER: Final = 24
"""Number of calls with an input, none of which has improved a target, after which it is forgotten."""
MAX_SEEDS: Final = 6
"""Values of one input that have improved a target, which are sampled again."""


class LearnedRecord(msgspec.Struct):
    """A learnt input, and what calls with it have earned."""

    learned: LearnedInput
    n_sent: int = 0
    n_gains: int = 0
    seeds: list[Json] = msgspec.field(default_factory=list)
    read_with: tuple[str, ...] = ()
    """Outcomes of the calls that showed it; empty: not known."""

    @property
    def is_forgotten(self) -> bool:
        return self.n_gains == 0 and self.n_sent >= FORGET_AFTER

    def is_judged_by(self, observation: Observation) -> bool:
        """Whether the program may have read the input in a call that carried it."""
        return observation.outcome != "refused" or not self.read_with or observation.outcome_key in self.read_with

    def note_read(self, outcome_key: str) -> None:
        """Notes that a call with this outcome has shown the input."""
        if outcome_key not in self.read_with:
            self.read_with = (*self.read_with, outcome_key)

    def note_sent(self, observation: Observation, *, is_gain: bool) -> None:
        """Counts a call that carried the input. is_gain: whether it improved a target."""
        self.n_sent += self.is_judged_by(observation)
        self.n_gains += is_gain

    def replace(self, one: LearnedInput) -> None:
        """Takes over another template of the same input, which is judged anew."""
        self.learned = one
        self.judge_anew()

    def judge_anew(self) -> None:
        self.n_sent = 0

    def keep(self, value: Json) -> bool:
        """Adds a value that has paid, and drops the oldest one of too many; returns whether it was new."""
        if value in self.seeds:
            return False
        self.seeds = [*self.seeds, value][-MAX_SEEDS:]
        return True

    def update(self, one: LearnedInput) -> bool:
        """Takes over what `one`, the same input, tells beyond what is known; returns whether it is news that it is a
        list: it then begins anew.
        """
        known = self.learned
        if one.is_list and not known.is_list:
            self.learned = msgspec.structs.replace(known, is_list=True, may_be_text=one.may_be_text)
            self.n_sent, self.n_gains, self.seeds, self.read_with = 0, 0, [], ()
            return True
        if one.is_list and not one.may_be_text and known.may_be_text:
            self.learned = msgspec.structs.replace(known, may_be_text=False)
        if one.template is not None and (known.template is None or one.evidence == "schema"):
            self.learned = one
        return False

    def shape(self, one: LearnedInput) -> LearnedInput | None:
        """Gives an input that is known without a template that of `one`; a list stays one of any values.

        Returns the input with its template, if it has got it.
        """
        if self.learned.template is not None or self.learned.is_surely_list:
            return None
        self.learned = msgspec.structs.replace(self.learned, template=one.template, is_list=False, may_be_text=False)
        return self.learned


class KnownInputs:
    """What was learnt of the inputs of one operation."""

    __slots__ = ("bodies", "form", "is_form_certain", "media_types", "records")

    def __init__(self) -> None:
        self.records: dict[tuple[str, tuple[str, ...]], LearnedRecord] = {}
        self.bodies: list[LearnedBody] = []
        """Genes for the whole content, one for each media type."""
        self.form: int | None = None
        """The alternative of an undeclared content that the program reads; None if it is not known."""
        self.is_form_certain = False
        """Whether it refuses other forms."""
        self.media_types: list[str] = []
        """Names of media types that the content is sent under, in place of that of its form."""

    def inputs(self) -> Iterator[LearnedInput]:
        """Yields the inputs that the operation reads."""
        return (record.learned for record in self.records.values())

    def in_use(self) -> Iterator[LearnedRecord]:
        """Yields the records of the inputs that are not forgotten, in the order in which they were learnt."""
        return (record for record in self.records.values() if not record.is_forgotten)

    @property
    def is_full(self) -> bool:
        return len(self.records) >= MAX_PER_OPERATION

    def learn_body(self, body: LearnedBody) -> bool:
        """Adds a gene for the whole content; returns whether it was new."""
        if body in self.bodies:
            return False
        self.bodies = [*(one for one in self.bodies if one.media_type != body.media_type), body]
        return True

    def prefer_form(self, form: int, *, is_certain: bool) -> None:
        """Notes which form the program reads."""
        if is_certain or not self.is_form_certain:
            self.form, self.is_form_certain = form, is_certain

    def name_media_type(self, name: str, form: int) -> None:
        """Notes that the program takes a content of a form under this media type."""
        if not self.media_types:
            self.prefer_form(form, is_certain=True)
        if self.form == form and name not in self.media_types:
            self.media_types.append(name)
