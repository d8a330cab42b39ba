"""The seam to the agent: launching the SUT with it, transporting frames, and the session that speaks the protocol."""
