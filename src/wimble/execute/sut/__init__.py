"""The SUT as the engine sees it: started with the agent, or reached by its URL."""
