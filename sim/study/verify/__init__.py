"""Verification and validation: cases of published guidelines, and measurements of real crowds."""
