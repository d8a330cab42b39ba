"""The interface to agents: starting the SUT with an agent, moving frames, and the session that speaks the protocol."""
