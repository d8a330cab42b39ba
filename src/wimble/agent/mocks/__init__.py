"""Where the SUT's connections to other machines lead: a server that answers in their place."""
