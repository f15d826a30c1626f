"""Tournaments: what a file describes, who meets whom, and how games begin."""
