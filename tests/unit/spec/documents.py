"""Documents made fit for openapi-core, which reads OpenAPI 3 only, and asks for servers and credentials that no test
has."""

import copy
import json

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_STYLES = {
    "csv": {"explode": False},
    "multi": {"explode": True},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
}
_NO_SCHEMA = ("name", "in", "required", "description", "collectionFormat", "allowEmptyValue", "$ref")


def for_the_validator(raw, base):
    """base: the path below which the operations are, as they were read."""
    plain = copy.deepcopy(raw)
    if "swagger" in plain:
        plain = _upgraded(plain)
    plain.get("components", {}).pop("securitySchemes", None)
    plain.pop("security", None)
    plain["servers"] = [{"url": f"http://localhost{base}"}]
    for _, item in _items(plain):
        item.pop("servers", None)
        for method in METHODS:
            if isinstance(item.get(method), dict):
                item[method].pop("security", None)
                item[method].pop("servers", None)
    return plain


def _items(raw):
    return [(path, item) for path, item in raw.get("paths", {}).items() if isinstance(item, dict)]


def _upgraded(raw):
    """Swagger 2.0 as OpenAPI 3.0: requests alone, and only what the documents of the tests have in them."""
    shared = raw.get("parameters", {})
    consumes = raw.get("consumes", ["application/json"])
    paths = {}
    for path, item in _items(raw):
        made = paths[path] = {}
        for method in METHODS:
            if method in item:
                given = [*item.get("parameters", []), *item[method].get("parameters", [])]
                parameters = [shared[one["$ref"].rsplit("/", 1)[-1]] if "$ref" in one else one for one in given]
                # An operation's parameter replaces the path's of the same name and place.
                parameters = list({(one["name"], one["in"]): one for one in parameters}.values())
                made[method] = _operation(parameters, item[method].get("consumes", consumes))
    text = json.dumps({"paths": paths, "components": {"schemas": raw.get("definitions", {})}})
    upgraded = json.loads(
        text.replace('"#/definitions/', '"#/components/schemas/').replace('"x-nullable":', '"nullable":')
    )
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}} | upgraded


def _operation(parameters, consumes):
    body = next((one for one in parameters if one["in"] == "body"), None)
    form = [one for one in parameters if one["in"] == "formData"]
    operation = {
        "parameters": [_parameter(one) for one in parameters if one["in"] not in ("body", "formData")],
        "responses": {"default": {"description": ""}},
    }
    if body is not None:
        content = {media_type: {"schema": body.get("schema", {})} for media_type in consumes}
        operation["requestBody"] = {"required": body.get("required", False), "content": content}
    elif form:
        schema = {
            "type": "object",
            "properties": {one["name"]: _schema(one) for one in form},
            "required": [one["name"] for one in form if one.get("required")],
        }
        if not schema["required"]:
            del schema["required"]
        content = {media_type: {"schema": schema} for media_type in FORMS}
        operation["requestBody"] = {"content": content}
    return operation


def _parameter(one):
    made = {"name": one["name"], "in": one["in"], "required": one.get("required", False), "schema": _schema(one)}
    if one.get("type") == "array" and one["in"] == "query":
        made |= _STYLES.get(one.get("collectionFormat", "csv"), {})
    return made


def _schema(one):
    schema = {key: value for key, value in one.items() if key not in _NO_SCHEMA and not key.startswith("x-")}
    return {"type": "string", "format": "binary"} if schema.get("type") == "file" else schema
