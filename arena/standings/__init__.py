"""Standings: what the recorded games say, as pure functions of them."""
