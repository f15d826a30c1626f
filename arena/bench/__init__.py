"""How fast and how strong it all is on this machine: kernels, harness, solver, engines, clocks."""
