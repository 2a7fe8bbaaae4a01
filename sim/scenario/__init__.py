"""Scenario files: reading, checking and building them."""
