"""What comes, goes and changes while a world runs: units, sources, events, parts, areas."""
