"""Routes of web frameworks -> an OpenAPI document, and their comparison with a document that exists."""
