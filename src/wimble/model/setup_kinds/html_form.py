"""HTML in which the selectors of a program find something: written from selectors and what their elements hold.

`{"h1.title": "k3x9q", "ul > li": [{"#text": "a", "@href": "/b"}]}` holds an `h1` with that class and text, and a list
with one element. The document is XML as well, since parsers of XML are asked by the names of elements.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wimble.types import Json
from wimble.xml_escapes import xml_escaped, xml_name

HTML_ATTRIBUTE: Final = "@"
"""Begins the name of a member that is an attribute."""
HTML_TEXT: Final = "#text"
"""The member that is the text of its element."""
MAX_COMPOUNDS: Final = 8
_VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_IN_HEAD: Final = frozenset({"title", "meta", "link", "base"})
_OUTER: Final = frozenset({"html", "head", "body"})
"""Elements that each document has once."""
_PARENTS: Final = {"td": "tr", "th": "tr", "tr": "table", "tbody": "table", "thead": "table", "option": "select"}
"""Elements that HTML has in some others only."""
_WHOLES: Final = ("table", "tbody", "thead", "select")
"""Elements in which a parser puts what is missing between them and their parts."""
_COMBINATORS: Final = re.compile(r"((?:\[[^\]]*\]|\([^)]*\)|\\.|[^\s>+~])+)")
_TAG: Final = re.compile(r"(?:[A-Za-z_](?:[\w-]|\\.)*|\*)?")
_CONDITION: Final = re.compile(
    r"#(?P<id>[\w-]+)|\.(?P<cls>[\w-]+)"
    r"|\[\s*(?P<name>[\w:-]+)\s*(?:[~|^$*]?=\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\]\s]*))?[^\]]*\]"
    r"|:contains\((?P<text>[^)]*)\)"
)


class _Element(NamedTuple):
    """An element that one part of a selector finds."""

    tag: str
    attributes: dict[str, str]
    text: str


def as_html(value: Json) -> str:
    """Returns the document. Anything but an object of selectors is the text of its body."""
    parts: list[str] = []
    head: list[str] = []
    for selector, content in value.items() if isinstance(value, dict) else ():
        elements = _elements(selector)
        for one in content if isinstance(content, list) else [content]:
            is_in_head = bool(elements) and elements[-1].tag in _IN_HEAD
            (head if is_in_head else parts).append(_written(elements, one))
    body = "".join(parts) if isinstance(value, dict) else xml_escaped(_plain(value))
    return f"<!DOCTYPE html><html><head>{''.join(head)}</head><body>{body}</body></html>"


def _elements(selector: str, within: str = "") -> list[_Element]:
    """Returns the elements that a selector names, outer ones first; of several selectors, those of the first.

    within: the tag of the element around them.
    """
    first = re.split(r",(?![^\[(]*[\])])", selector)[0]
    found = [_element(part) for part in _COMBINATORS.findall(first)[:MAX_COMPOUNDS]]
    whole: list[_Element] = []
    for one in found:
        parent = _PARENTS.get(one.tag)
        around = {within, *(other.tag for other in whole)}
        if parent is not None and around.isdisjoint((parent, *_WHOLES)):
            whole += [_Element("table", {}, "")] * (parent == "tr") + [_Element(parent, {}, "")]
        whole.append(one)
    return [one for one in whole if one.tag not in _OUTER] or whole[-1:]


def _element(part: str) -> _Element:
    named = _TAG.match(part)
    tag = named.group().replace("\\", "") if named else ""
    attributes: dict[str, str] = {}
    text = ""
    for condition in _CONDITION.finditer(part, len(named.group()) if named else 0):
        if condition["id"]:
            attributes["id"] = condition["id"]
        elif condition["cls"]:
            attributes["class"] = f"{attributes.get('class', '')} {condition['cls']}".strip()
        elif condition["name"]:
            attributes[condition["name"]] = (condition["value"] or "").strip("\"'")
        else:
            text = condition["text"].strip("\"'")
    return _Element(tag if tag not in ("", "*") else "div", attributes, text)


def _written(elements: list[_Element], content: Json) -> str:
    if not elements:
        return xml_escaped(_plain(content))
    *outer, last = elements
    inner = _last(last, content)
    for one in reversed(outer):
        inner = f"<{_start(one, {})}>{inner}</{_tag(one)}>"
    return inner


def _last(element: _Element, content: Json) -> str:
    members = content if isinstance(content, dict) else {HTML_TEXT: content}
    attributes = {
        key.removeprefix(HTML_ATTRIBUTE): _plain(own) for key, own in members.items() if key.startswith(HTML_ATTRIBUTE)
    }
    start = _start(element, attributes)
    if element.tag in _VOID:
        return f"<{start}/>"
    inner = xml_escaped(_plain(members.get(HTML_TEXT, element.text)))
    for selector, own in members.items():
        if selector != HTML_TEXT and not selector.startswith(HTML_ATTRIBUTE):
            inner += "".join(
                _written(_elements(selector, element.tag), one) for one in (own if isinstance(own, list) else [own])
            )
    return f"<{start}>{inner}</{_tag(element)}>"


def _start(element: _Element, attributes: dict[str, str]) -> str:
    named = {**element.attributes, **attributes}
    shown = (f' {xml_name(name)}="{xml_escaped(own, in_attribute=True)}"' for name, own in named.items())
    return _tag(element) + "".join(shown)


def _tag(element: _Element) -> str:
    return xml_name(element.tag)


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
