"""Engines as one file that needs nothing of ours: what they are made of, packed and unpacked."""
