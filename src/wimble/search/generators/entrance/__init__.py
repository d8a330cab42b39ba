"""How calls get in where the API asks for a user."""
