"""From the terms of rules to forces: the arbiter, and the helms of the craft."""
