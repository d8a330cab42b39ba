"""Translates OpenAPI documents and GraphQL schemas to the model. No other room handles what is peculiar to them."""
