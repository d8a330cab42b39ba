"""Turns hints into edits of test cases; one file per kind of hint."""

from wimble.feedback.edit import AnyEdit, Edit, apply_edit
from wimble.feedback.hint_readers import edits_from_hints

__all__ = ["AnyEdit", "Edit", "apply_edit", "edits_from_hints"]
