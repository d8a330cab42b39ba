"""The processes of the SUT: how they are started with the agent inside, watched and ended."""
