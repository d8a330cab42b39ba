"""The inferred API description: calls and their answers as an OpenAPI document, compared with a given one."""
