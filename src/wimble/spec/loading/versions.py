"""Detects the version of OpenAPI that a document is written in, or what else the document is."""

from __future__ import annotations

import re
from typing import Any

from wimble.errors import SchemaError
from wimble.spec.loading.document import SWAGGER_2, Warnings, shown
from wimble.types import Json

_SUPPORTED = "supported are 2.0, 3.0, 3.1 and 3.2"


def version_of(root: Json, source: str, warnings: Warnings) -> tuple[str, str]:
    """Returns (family `2.0`, `3.0` or `3.1`, version as written). Raises SchemaError if it is not supported."""
    if not isinstance(root, dict):
        raise _not_openapi(source, f"the document is {_kind_of(root)}, an OpenAPI document is an object")
    for key in ("openapi", "swagger", "openapi_version", "swaggerVersion"):
        if root.get(key) is not None:
            return _family(key, str(root[key]).strip(), source, warnings), str(root[key]).strip()
    if isinstance(root.get("paths"), dict):
        family = SWAGGER_2 if any(key in root for key in ("definitions", "basePath", "produces", "host")) else "3.0"
        warnings.add("#", "neither `openapi` nor `swagger` says the version", f"read as {family}")
        return family, family
    raise _not_openapi(source, _other_kind(root))


def looks_like_openapi(document: Json) -> bool:
    """Whether the value claims to be an OpenAPI document of any version."""
    if not isinstance(document, dict):
        return False
    version = document.get("openapi", document.get("swagger"))
    return isinstance(document.get("paths"), dict) and isinstance(version, (str, int, float))


def _family(key: str, version: str, source: str, warnings: Warnings) -> str:
    match = re.match(r"(\d+)(?:\.(\d+))?", version)
    major, minor = (match[1], match[2] or "") if match else ("", "")
    if major == "2" and minor in ("", "0"):
        return SWAGGER_2
    if major == "3" and minor in ("", "0"):
        return "3.0"
    if major == "3" and minor in ("1", "2"):  # 3.2 is a superset of 3.1
        return "3.1"
    if major == "3":
        warnings.add(f"#/{key}", f"version {shown(version)}", "read as 3.1")
        return "3.1"
    raise SchemaError(
        "schema-unknown-version",
        f"OpenAPI version {shown(version)} is not supported",
        where=f"{source}, #/{key}",
        details=(_SUPPORTED,),
        hint="convert the document to OpenAPI 3" if major == "1" else "correct the version, or convert the document",
    )


def _not_openapi(source: str, details: str) -> SchemaError:
    return SchemaError(
        "schema-not-openapi",
        "this is not an OpenAPI document",
        where=source,
        details=(details,),
        hint='an OpenAPI document starts with `openapi: 3...` or `swagger: "2.0"` and has `paths`',
    )


def _kind_of(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "an array"
    return f"the text {shown(value)}" if isinstance(value, str) else f"the value {shown(value)}"


def _other_kind(root: dict[str, Any]) -> str:
    data = root.get("data")
    if "asyncapi" in root:
        return "it looks like an AsyncAPI document"
    if "__schema" in root or (isinstance(data, dict) and "__schema" in data):
        return "it looks like the introspection of a GraphQL API"
    if "item" in root and "info" in root:
        return "it looks like a Postman collection"
    if "dependencies" in root or "devDependencies" in root or ("name" in root and "version" in root):
        return "it looks like a package.json"
    if "$schema" in root or ("type" in root and "properties" in root):
        return "it looks like a JSON Schema"
    if "services" in root:
        return "it looks like a Docker Compose file"
    keys = ", ".join(f"`{key}`" for key in list(root)[:5])
    return f"it has neither `openapi` nor `swagger`; its keys are {keys}" if keys else "it is an empty object"
