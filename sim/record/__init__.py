"""What a run leaves behind: pictures, trajectories, fingerprints; never half a file."""
