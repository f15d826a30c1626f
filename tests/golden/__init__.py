"""The contract: games, files, numbers and words that users rely on, recorded and compared."""
