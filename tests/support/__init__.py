"""Helpers that any test may import; a `contract` test imports nothing else of ours but `arena`."""
