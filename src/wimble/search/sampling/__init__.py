"""Making new test cases, and the values in them."""
