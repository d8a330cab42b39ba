"""Determines how values of schemas are written in XML (OpenAPI's XML Object), as trees of bounded size."""

from __future__ import annotations

from typing import Any, Literal

from wimble.http.declarations import XmlShape
from wimble.spec.schemas.normalise import Schema
from wimble.spec.schemas.schema_genes import GeneBuilder

MAX_DEPTH = 8
MAX_SHAPES = 400
"""Maximum number of shapes. Deeper parts are written as elements that have the names of the properties."""

_NODES: dict[Any, Literal["element", "attribute", "text", "cdata"]] = {
    "attribute": "attribute", "text": "text", "cdata": "cdata",
}  # fmt: skip


def xml_shape(schema: Schema, genes: GeneBuilder) -> XmlShape:
    """Returns the XML shape of a body. Its root element is named by `xml`, else by the reference, else `root`."""
    shape = _Shaper(genes).shape(schema, 0)
    if shape.name:
        return shape
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    name = reference.rsplit("/", 1)[-1] if isinstance(reference, str) else "root"
    return XmlShape(
        name=name, is_wrapped=shape.is_wrapped, namespace=shape.namespace, fields=shape.fields, item=shape.item
    )


class _Shaper:
    def __init__(self, genes: GeneBuilder) -> None:
        self._genes = genes
        self._n_left = MAX_SHAPES

    def shape(self, schema: Schema, depth: int, own_name: str = "") -> XmlShape:
        """own_name: name of the property; it follows a prefix if `xml` gives no other name."""
        self._n_left -= 1
        if depth > MAX_DEPTH or self._n_left < 0:
            return XmlShape()
        fields: dict[str, XmlShape] = {}
        item = None
        xml: dict[str, Any] = {}
        for flat in self._genes.variants(schema):
            xml = xml or flat.keywords.get("xml", {})
            for name, child in flat.keywords.get("properties", {}).items():
                if name not in fields:
                    fields[name] = self.shape(child, depth + 1, name)
            if item is None and "items" in flat.keywords:
                item = self.shape(flat.keywords["items"], depth + 1)
        named = tuple((name, child) for name, child in fields.items() if child != XmlShape())
        name, prefix, namespace = (_text(xml.get(key)) for key in ("name", "prefix", "namespace"))
        name = name or (own_name if prefix else "")
        node = "attribute" if xml.get("attribute") is True else _NODES.get(xml.get("nodeType"), "element")
        return XmlShape(
            name=f"{prefix}:{name}" if prefix and name else name,
            node=node,
            is_wrapped=xml.get("wrapped") is True or (item is not None and xml.get("nodeType") == "element"),
            namespace=namespace,
            fields=named,
            item=item,
        )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
