"""Writes values as XML, by OpenAPI's XML Object. The text is well-formed for any value, unless it is the document."""

from __future__ import annotations

from wimble.http.declarations import XmlShape
from wimble.http.texts import text_of
from wimble.types import Json
from wimble.xml_escapes import xml_characters, xml_escaped, xml_name

_PLAIN = XmlShape()


def xml_text(shape: XmlShape | None, value: Json) -> str:
    """Returns an XML document with the value. Without a name in `shape`, the root element is `root`."""
    shape = shape or _PLAIN
    if shape.is_document and shape.node == "text" and isinstance(value, str):
        return value
    name = shape.name or "root"
    if shape.is_document and isinstance(value, dict) and value:
        name, value = list(value.items())[-1]
        shape = dict(shape.fields).get(name, _PLAIN)
    text = _elements(name, shape, value, is_root=True)
    return f'<?xml version="1.0" encoding="UTF-8"?>{text}'


def _elements(name: str, shape: XmlShape, value: Json, *, is_root: bool = False) -> str:
    if isinstance(value, list):
        item = shape.item or _PLAIN
        inner = "".join(_elements(item.name or name, item, member) for member in value)
        # A document has one root element, so an array at the top is always wrapped.
        return _element(name, shape, "", inner) if shape.is_wrapped or is_root else inner
    if isinstance(value, dict):
        fields = dict(shape.fields)
        attributes: dict[str, str] = {}
        inner = ""
        for key, member in value.items():
            child = fields.get(key, _PLAIN)
            if child.node == "attribute":
                attributes[xml_name(child.name or _own_name(key))] = _escaped(member, in_attribute=True)
            elif child.node == "text":
                inner += _escaped(member)
            elif child.node == "cdata":
                inner += _cdata(member)
            else:
                inner += _elements(child.name or _own_name(key), child, member)
        return _element(name, shape, "".join(f' {key}="{text}"' for key, text in attributes.items()), inner)
    return _element(name, shape, "", _cdata(value) if shape.node == "cdata" else _escaped(value))


def _element(name: str, shape: XmlShape, attributes: str, inner: str) -> str:
    tag = xml_name(name)
    if shape.namespace:
        prefix, colon, _ = tag.partition(":")
        declaration = f"xmlns:{prefix}" if colon else "xmlns"
        attributes = f' {declaration}="{_escaped(shape.namespace, in_attribute=True)}"{attributes}'
    return f"<{tag}{attributes}>{inner}</{tag}>" if inner else f"<{tag}{attributes}/>"


def _escaped(value: Json, *, in_attribute: bool = False) -> str:
    return "" if value is None else xml_escaped(text_of(value), in_attribute=in_attribute)


def _cdata(value: Json) -> str:
    text = "" if value is None else xml_characters(text_of(value))
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"


def _own_name(key: str) -> str:
    """Returns the name of a property, without colons, which would declare a prefix."""
    return key.replace(":", "_")
