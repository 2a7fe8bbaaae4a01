"""The screen: the only users of pygame. Everything here reads the world; only keys change it."""

import os

# pygame prints a greeting on import, which would end up in the output of every command
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
