"""Benchmarks: the speed of kernels, harness and solver, and the strength of engines."""
