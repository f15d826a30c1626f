"""N-tuple networks: a learned value from small groups of cells."""
