"""Avoiding collisions: right of way, half-planes and solver, and the two policies over them."""
