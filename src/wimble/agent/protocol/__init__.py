"""The messages of the protocol, as structs, and what is read of them."""
