"""How operations depend on each other: which operation creates, lists or names which resource."""
