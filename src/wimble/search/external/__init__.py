"""Services that the program calls: the requests seen so far, and the answers that have helped."""
