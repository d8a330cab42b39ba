"""Failures that the program did not mean: 5xx answers, crashes, errors of GraphQL, missing `await`."""
