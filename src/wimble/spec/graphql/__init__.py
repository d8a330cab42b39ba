"""GraphQL schemas -> model. The mess of GraphQL is walled in here; `operations.load_graphql` is the entrance."""
