"""Whether everything is ready here: software, machine, kernels and their cache, files, journals."""
