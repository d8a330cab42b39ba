"""Translates GraphQL schemas to the model. The entry point is `root_fields.load_graphql`."""
