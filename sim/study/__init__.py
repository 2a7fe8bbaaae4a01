"""Figures of a run, worked out from its frames by code that knows no model."""
