"""Exit statuses of the command line."""

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130
