"""Seats: engines that are not ours, each in a process of its own at the end of a pipe."""
