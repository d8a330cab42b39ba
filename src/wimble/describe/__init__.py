"""The inferred API description: what calls and their answers have in common, as OpenAPI, and compared with a given one."""
