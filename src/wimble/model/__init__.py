"""Plain data: operations, calls, setup actions, test cases, evaluations, suites, results."""
