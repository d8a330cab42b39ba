"""Parses text to a JSON value: JSON or YAML, from a file or from an answer. Independent of OpenAPI."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import yaml

from wimble.errors import SchemaError
from wimble.spec.loading.yaml_events import MAX_DEPTH, YamlTooLarge, parse_yaml
from wimble.types import Json

MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""The largest public documents (Microsoft Graph, Stripe) are below 40 MB."""

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HINT = "give a file or URL with an OpenAPI document in JSON or YAML"


def load_file(path: Path, warnings: list[str] | None = None) -> Json:
    """Does what `load_text` does, for a file. Also raises SchemaError if the file cannot be read or is too large."""
    try:
        if path.stat().st_size > MAX_DOCUMENT_BYTES:
            raise SchemaError(
                "schema-unreadable", "the file is too large for an API description", where=str(path), hint=_HINT
            )
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SchemaError(
            "schema-unreadable", f"cannot read the API description: {reason}", where=str(path), hint=_HINT
        ) from error
    return load_text(content, str(path), warnings)


def load_text(source: str | bytes, where: str, warnings: list[str] | None = None) -> Json:
    """Returns the JSON value of `source`, which is written in JSON or YAML.

    Keys are always text. Content that is odd but usable, such as a duplicate key, adds a line to `warnings`.
    Raises SchemaError, with line and column, if the text is neither.
    """
    notes: list[str] = []
    text = decoded(source, where)
    value = _parse(text, where, notes)
    if warnings is not None:
        warnings += [f"{where}: {note}" for note in notes]
    return value


def decoded(source: str | bytes, where: str) -> str:
    """Returns the text: UTF-8, or UTF-16 if it starts with a byte order mark. Raises SchemaError if it is not text."""
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    encoding = "utf-16" if source[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        raise SchemaError(
            "schema-not-text",
            "the API description is not text",
            where=where,
            details=(f"byte {error.start} is not {encoding.upper().removesuffix('-SIG')}",),
            hint=_HINT,
        ) from error


def _parse(text: str, where: str, notes: list[str]) -> Json:
    if not text.strip():
        raise SchemaError("schema-empty", "the API description is empty", where=where, hint=_HINT)
    looks_like_json = text.lstrip()[0] in "{["
    if looks_like_json:
        try:
            return _parse_json(text, notes)
        except json.JSONDecodeError as error:
            json_error = error
        except (RecursionError, ValueError) as error:
            raise _unusable(where, str(error) or "nested too deep") from error
    elif text.lstrip().startswith("<"):
        raise _unusable(where, "it looks like HTML or XML")
    try:
        value = parse_yaml(text, notes)
    except YamlTooLarge as error:
        raise _unusable(where, str(error)) from error
    except (yaml.YAMLError, ValueError) as error:
        if looks_like_json:
            place = f"line {json_error.lineno}, column {json_error.colno}: {json_error.msg}"
            raise _unusable(where, place, kind="JSON") from json_error
        raise _unusable(where, _yaml_message(error)) from error
    if looks_like_json:
        notes.append(f"line {json_error.lineno}, column {json_error.colno}: not JSON ({json_error.msg}); read as YAML")
    return value


def _parse_json(text: str, notes: list[str]) -> Json:
    if _depth_exceeds(text, MAX_DEPTH):
        raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
    value = json.loads(text, object_pairs_hook=_pairs_hook(notes))
    # A lone surrogate cannot be encoded: in a name or value, it would break the first request that contains it.
    return _without_surrogates(value) if _SURROGATE_ESCAPE.search(text) else value


def _pairs_hook(notes: list[str]) -> Callable[[list[tuple[str, Json]]], dict[str, Json]]:
    def build(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        out = dict(pairs)
        if len(out) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    notes.append(f"key `{key}` appears twice in one object; the last one is used")
                seen.add(key)
        return out

    return build


def _depth_exceeds(text: str, limit: int) -> bool:
    """Whether brackets outside of strings nest deeper than `limit`."""
    if text.count("{") + text.count("[") <= limit:
        return False
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{\]}]', text, re.DOTALL):
        token = match[0]
        if token in "[{":
            depth += 1
            if depth > limit:
                return True
        elif token in "]}":
            depth -= 1
    return False


def _without_surrogates(value: Json) -> Json:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(element) for element in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(element) for key, element in value.items()}
    return value


def _yaml_message(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _unusable(where: str, reason: str, kind: str = "JSON or YAML") -> SchemaError:
    return SchemaError(
        "schema-not-json", f"the API description cannot be read as {kind}", where=where, details=(reason,), hint=_HINT
    )
