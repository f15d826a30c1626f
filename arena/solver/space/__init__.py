"""Boards in space: ends of games, from lists of lines."""
