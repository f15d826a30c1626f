"""Runners: where tables stand, and who hands them their games."""
