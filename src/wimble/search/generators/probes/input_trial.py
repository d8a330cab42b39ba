"""A trial of inputs that no document declares."""

from __future__ import annotations

import msgspec

from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import TestCase
from wimble.search.learned.members import JSON_FORM


class Trial(msgspec.Struct, frozen=True):
    """A test case that is to be run with further inputs in one call."""

    test_case: TestCase
    call: int
    inputs: tuple[LearnedInput, ...]
    form: int | None = None
    n_lines: int = 0
    """Number of lines of a text that is the content; 0 for none."""
    media_type: str = ""
    """The media type that the content is sent under; empty for that of its form."""
    is_anew: bool = False
    """Whether the call has the inputs already, with values of another shape."""
    is_of_own_page: bool = False
    """Whether the call is sent once more as from a page of the program."""
    is_guess: bool = False
    """Whether the program was not seen to read the inputs in this way."""

    @property
    def is_likely(self) -> bool:
        return self.form in (None, JSON_FORM) and not self.is_guess
