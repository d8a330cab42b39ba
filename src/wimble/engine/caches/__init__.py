"""Answers that the SUT keeps although a call has created something that belongs in them."""
