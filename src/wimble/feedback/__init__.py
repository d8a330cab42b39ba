"""Hints to edits of test cases; one file per kind of hint."""

from wimble.feedback.edit import AnyEdit, Edit
from wimble.feedback.edits import apply_edit, edits_from_hints

__all__ = ["AnyEdit", "Edit", "apply_edit", "edits_from_hints"]
