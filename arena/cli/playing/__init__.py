"""Sitting down at the board: what `arena play` asks, shows and understands."""
