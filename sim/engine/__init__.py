"""The engine: the only user of pymunk. Bodies, contacts, queries and saved states, in bulk."""
