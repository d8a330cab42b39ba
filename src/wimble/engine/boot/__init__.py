"""Finding out what the SUT is: its port, its API description, its GraphQL endpoint, routes that come late."""
