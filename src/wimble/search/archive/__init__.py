"""The best test cases for each target, and the choice of the target to work on."""
