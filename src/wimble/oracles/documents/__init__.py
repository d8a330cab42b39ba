"""Answers against what the document declares, and the shapes that answers have."""
