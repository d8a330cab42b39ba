"""Getting in: users that calls make, credentials that answers give, and where later calls carry them."""
