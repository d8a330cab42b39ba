"""Writes bodies as bytes: JSON, forms, multipart with files, XML, sequences of JSON, text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from wimble.genes import ArrayGene, ChoiceGene, Gene, ObjectGene, OptionalGene, innermost
from wimble.genes.undeclared import FileGene
from wimble.http.declarations import BodyForm, HttpInput, Part
from wimble.http.texts import (
    bracketed,
    encoded,
    encoded_value,
    is_json_type,
    joined,
    json_bytes,
    safe_header_value,
    text_of,
)
from wimble.http.xml_text import xml_text
from wimble.types import Json

MULTIPART_BOUNDARY = "wimble-7d1f0c52a9"

FORM_TYPE = "application/x-www-form-urlencoded"
_LINES_OF_JSON = frozenset(
    ["application/jsonl", "application/x-ndjson", "application/x-jsonlines", "application/ndjson"]
)
_JSON_SEQUENCE = "application/json-seq"
_FILE_ENDINGS = {
    "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "application/pdf": ".pdf", "text/csv": ".csv",
    "application/json": ".json", "text/plain": ".txt", "application/xml": ".xml", "application/zip": ".zip",
}  # fmt: skip
_TEXT_PART = Part()


def form_of(spec: HttpInput, gene: Gene) -> BodyForm:
    """Returns the form of the body that its gene has chosen."""
    if len(spec.forms) < 2:
        return spec.forms[0] if spec.forms else _plain_form(spec.media_type)
    while isinstance(gene, OptionalGene):
        gene = gene.gene
    if not isinstance(gene, ChoiceGene):
        return spec.forms[0]
    form = spec.forms[gene.index if gene.index < len(spec.forms) else 0]
    return _with_files(form, gene.options[gene.index]) if form.media_type.startswith("multipart/") else form


def _with_files(form: BodyForm, gene: Gene) -> BodyForm:
    """Returns the form with parts for the fields that the gene sends as files, though no document declares them."""
    fields = gene.fields if isinstance(gene, ObjectGene) else ()
    files = tuple(
        (name, Part(content_type=own.content_type.value, is_file=True, file_name=own.name.value))
        for name, own in ((name, _first_of(innermost(field))) for name, field in fields)
        if isinstance(own, FileGene)
    )
    return msgspec.structs.replace(form, parts=(*form.parts, *files)) if files else form


def _first_of(gene: Gene) -> Gene:
    """Returns the first item of a list, by which all files of one field are called."""
    return innermost(gene.items[0]) if isinstance(gene, ArrayGene) and gene.items else gene


@lru_cache(maxsize=256)
def _plain_form(media_type: str) -> BodyForm:
    return BodyForm(media_type=media_type)


def render_body(form: BodyForm, value: Json) -> tuple[bytes, str]:
    """Returns the bytes of a body, and its Content-Type."""
    content_type = _concrete_type(form.media_type)
    essence = content_type.split(";", 1)[0].strip().lower()
    if essence == FORM_TYPE:
        return _form(value, dict(form.parts)).encode(), content_type
    if essence == "multipart/form-data":
        return _multipart(value, dict(form.parts)), f"multipart/form-data; boundary={MULTIPART_BOUNDARY}"
    if essence.endswith(("/xml", "+xml")):
        return xml_text(form.xml, value).encode("utf-8", "replace"), content_type
    if essence in _LINES_OF_JSON:
        return b"".join(json_bytes(item) + b"\n" for item in _items(value)), content_type
    if essence == _JSON_SEQUENCE:
        return b"".join(b"\x1e" + json_bytes(item) + b"\n" for item in _items(value)), content_type
    if not is_json_type(essence) and not isinstance(value, (list, dict)):
        return text_of(value).encode("utf-8", "replace"), content_type
    return json_bytes(value), content_type


@lru_cache(maxsize=256)
def _concrete_type(media_type: str) -> str:
    """Returns a media type that can be sent. Ranges such as `*/*`, and "", become JSON; `text/*` becomes plain text."""
    safe = safe_header_value(media_type)
    if safe.startswith("text/*"):
        return "text/plain"
    return "application/json" if not safe or "*" in safe else safe


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _form(value: Json, parts: dict[str, Part]) -> str:
    if not isinstance(value, dict):
        return encoded_value(value)
    return "&".join(pair for key, item in value.items() for pair in _form_pairs(encoded(key), item, parts.get(key)))


def _form_pairs(key: str, item: Json, part: Part | None) -> list[str]:
    if part is None or not isinstance(item, (list, dict)):
        return list(bracketed(key, item))
    if is_json_type(part.content_type):
        return [f"{key}={encoded(json_bytes(item).decode())}"]
    if part.explode is False and part.style != "deepObject":
        separator = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}.get(part.style, ",")
        return [f"{key}={joined(item, False, separator)}"]
    if part.style == "form" and isinstance(item, dict):
        return [f"{encoded(name)}={encoded_value(member)}" for name, member in item.items()]
    return list(bracketed(key, item))


def _multipart(value: Json, parts: dict[str, Part]) -> bytes:
    fields: dict[str, Any] = value if isinstance(value, dict) else {"value": value}
    out: list[str] = []
    for name, item in fields.items():
        part = parts.get(name, _TEXT_PART)
        as_one = is_json_type(part.content_type) or part.explode is False
        members = item if isinstance(item, list) and (part.is_file or not as_one) else [item]
        out += [_multipart_part(name, member, part) for member in members]
    out.append(f"--{MULTIPART_BOUNDARY}--\r\n")
    return "".join(out).encode("utf-8", "replace")


def _multipart_part(name: str, value: Json, part: Part) -> str:
    safe_name = _quotable(name)
    disposition = f'form-data; name="{safe_name}"'
    content_type = part.content_type
    if part.is_file:
        content_type = content_type or "application/octet-stream"
        file_name = _quotable(part.file_name) or _file_name(safe_name, content_type)
        disposition += f'; filename="{file_name}"'
    elif not content_type and isinstance(value, dict):
        content_type = "application/json"
    if isinstance(value, list) and part.explode is False and not is_json_type(content_type):
        text = ",".join(text_of(item) for item in value)
    else:
        text = json_bytes(value).decode() if is_json_type(content_type) and not part.is_file else text_of(value)
    head = f"--{MULTIPART_BOUNDARY}\r\nContent-Disposition: {disposition}\r\n"
    if content_type:
        head += f"Content-Type: {safe_header_value(content_type)}\r\n"
    return f"{head}\r\n{text.replace(MULTIPART_BOUNDARY, '')}\r\n"


def _quotable(name: str) -> str:
    return re.sub(r'[\r\n"]', lambda match: f"%{ord(match.group()):02X}", name)


def _file_name(name: str, content_type: str) -> str:
    """Returns a file name with an ending for the content type, since upload handlers check the ending."""
    ending = _FILE_ENDINGS.get(content_type.split(";", 1)[0].strip().lower(), ".bin")
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:40] + ending
