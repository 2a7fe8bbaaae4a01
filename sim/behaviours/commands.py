"""What a command of a rule means, and hence which helms can follow it."""

from __future__ import annotations

from typing import Literal

Command = Literal["thrust and steering", "velocity", "acceleration"]
"""The unit of a term (ahead, starboard): what 1 stands for."""
STEERING: Command = "thrust and steering"
"""The full thrust along the keel, the full steering force across it at the bow."""
VELOCITY: Command = "velocity"
"""The desired speed."""
ACCELERATION: Command = "acceleration"
"""The greatest acceleration."""
