"""Running test cases: the life of the SUT, the HTTP client, the causes of failures."""
