"""N-tuple networks: what small groups of cells say about who wins."""
