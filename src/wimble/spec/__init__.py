"""OpenAPI and GraphQL to the model. The irregularities of specifications stay in here."""
