"""Node: JavaScript's values and regular expressions, V8's stacks, loading the agent, npm projects."""
