"""Running each candidate again, from fresh or shared starts."""
