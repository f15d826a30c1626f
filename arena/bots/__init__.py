"""Engines that are not ours: every way to name one, the protocols, and guarded processes."""
