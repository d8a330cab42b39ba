"""Node as a runtime: JavaScript's values and regular expressions, V8's stacks, loading of the agent, npm projects."""
