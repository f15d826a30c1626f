"""Engines: the contract, their options, where they are found, and what goes wrong with them."""
