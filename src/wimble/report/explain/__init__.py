"""`wimble explain`: explanations of targets, from the data of a run. No module here reads files or prints."""
