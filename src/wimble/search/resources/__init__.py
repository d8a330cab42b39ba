"""How operations depend on each other: which creates, lists or names what."""
