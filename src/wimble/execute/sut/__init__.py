"""The SUT: started with the agent, or reached by its URL."""
