"""`wimble explain`: explanations of targets from the data of a run. Reads no files and prints nothing itself."""
