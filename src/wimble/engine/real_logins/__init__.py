"""Has the users of tests log in, where the search has signed tokens for them."""
