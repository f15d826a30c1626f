"""Exact scores on the screen: what `arena solve` and `arena analyse` ask and show."""
