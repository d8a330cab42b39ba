"""Operations, calls, setup actions, test cases, evaluations, suites, results: plain data."""
