"""Writing the suite, and collecting the result of the run for the reports."""
