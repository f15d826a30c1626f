"""How what commands have found looks on the screen."""
