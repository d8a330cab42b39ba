"""Texts and names in XML documents, which stay well-formed for any value."""

from __future__ import annotations

import re

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_IN_NAME = re.compile(r"[^\w.:-]", re.ASCII)
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}


def xml_escaped(text: str, *, in_attribute: bool = False) -> str:
    """Returns a text as the content of an element, or of an attribute between double quotes."""
    marks = '&<>"\r\n\t' if in_attribute else "&<>\r"
    return "".join(_ESCAPES[letter] if letter in marks else letter for letter in xml_characters(text))


def xml_characters(text: str) -> str:
    """Returns a text with U+FFFD in place of characters that no XML document can hold."""
    return _NOT_IN_XML.sub("\ufffd", text)


def xml_name(text: str) -> str:
    """Returns a text as a valid name of an element or attribute."""
    name = _NOT_IN_NAME.sub("_", text)
    return name if name and (name[0].isalpha() or name[0] == "_") else f"_{name}"
