"""Export an engine as one file that runs without Arena."""
