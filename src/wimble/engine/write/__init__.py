"""Writing the suite, and gathering the result of the run for the reports."""
