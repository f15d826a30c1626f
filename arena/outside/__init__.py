"""Engines from outside: the dialects they speak, and the adapters that let them take a seat."""
