"""Engines: the contract, their options, where they are found, and what goes wrong with them."""

from arena.engine.contract import Choice, Engine, Limits, option

__all__ = ["Choice", "Engine", "Limits", "option"]
